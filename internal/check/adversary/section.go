package adversary

import "harrier/internal/section"

// Section is the part of a summary on the messages that adversaries may send. It has no lines, as there are remarks on them.
func Section(found []MessageDomain) section.Section {
	return section.Section{Name: "adversaries", Value: struct {
		// Adversaries are the message domains made up for adversaries whose messages the scenario does not declare.
		Adversaries []MessageDomain `json:"adversaries,omitempty"`
	}{found}}
}
