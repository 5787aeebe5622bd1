// Package symmetry finds which actors of a program may be permuted, and gives global states that differ by such a
// permutation one key, so that a search explores one of them: symmetry reduction by roles (Bokor, Serafini,
// Suri, Veith: Role-Based Symmetry Reduction of Fault-Tolerant Distributed Protocols with Language Support, ICFEM 2009).
//
// Find gives the group of all permutations of actors within their roles that map the initial state to itself. If local steps
// commute with its permutations, so do transitions: then states of one orbit have the same future, but for names.
// Whether they do is checked on the program's own local steps (check.go). Group.Canonicalizer makes what a search knows states by.
package symmetry
