package adversary

import "harrier/internal/section"

// Section is the part of a summary on the messages that adversaries may send. It has no lines, as there are remarks on them.
func Section(found []MessageDomain) section.Section {
	return section.Section{Name: "adversaries", Value: struct {
		// Adversaries are what was made up for adversaries to send, where the scenario does not declare it.
		Adversaries []MessageDomain `json:"adversaries,omitempty"`
	}{found}}
}
