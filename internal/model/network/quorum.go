package network

import "slices"

// Role is a number of actors that the scenario creates as one role, such as acceptor1 to acceptor3. No actor has two.
type Role struct {
	Name   string
	Actors []string // in the order of their numbers
}

// Quorum describes a set of messages that a handler may consume together in a local state: those that the oracle gave an equal
// Quorum there.
type Quorum struct {
	Handler string // its label
	// Size is how many messages it takes, at least 1, each from another sender; 0 for any number from any senders.
	Size int
	Role string // that all senders must have, "" for any
}

// Called returns the actors of the scenario that have a role, or the one actor with that name; nil without any.
func (n *Network) Called(what string) []string {
	for _, r := range n.Roles {
		if r.Name == what {
			return r.Actors
		}
	}
	if slices.ContainsFunc(n.Roles, func(r Role) bool { return slices.Contains(r.Actors, what) }) {
		return []string{what}
	}
	return nil
}

// Admitted returns the quorums that a message of a sender may be part of.
func (n *Network) Admitted(quorums []Quorum, sender string) []Quorum {
	return slices.DeleteFunc(slices.Clone(quorums), func(q Quorum) bool { return !n.hasRole(q.Role, sender) })
}

// hasRole reports whether an actor is of a role. All are of the role "".
func (n *Network) hasRole(role, name string) bool {
	return role == "" || slices.ContainsFunc(n.Roles, func(r Role) bool { return r.Name == role && slices.Contains(r.Actors, name) })
}
