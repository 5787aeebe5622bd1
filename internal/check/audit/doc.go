// Package audit names what steps of a program depend on though a reduction takes it not to matter: auxiliary fields and senders, that a
// second execution varied, and events that partial-order reduction takes to be independent.
package audit
