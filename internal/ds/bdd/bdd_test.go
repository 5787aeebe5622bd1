package bdd

import (
	"testing"

	"pgregory.net/rapid"
)

// variables is how many there are in these tests.
const variables = 5

// A table has the values of a function, by the variables that are true.
type table [1 << variables]bool

func tableOf(value func(assigned int) bool) (t table) {
	for assigned := range t {
		t[assigned] = value(assigned)
	}
	return t
}

// value evaluates a function.
func (s *Store) value(f Func, assigned int) bool {
	for f > True {
		n := s.at(f)
		if f = n.low; assigned>>n.variable&1 == 1 {
			f = n.high
		}
	}
	return f == True
}

// TestFunctionsAreTheirTables makes functions of others, and holds each to the table of its values.
func TestFunctionsAreTheirTables(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s Store
		functions, known := []Func{False, True}, map[table]Func{}
		for range rapid.IntRange(1, 40).Draw(t, "operations") {
			any := rapid.SampledFrom(functions)
			f, x := any.Draw(t, "function"), rapid.IntRange(0, variables-1).Draw(t, "variable")
			var made Func
			var want table
			switch rapid.SampledFrom([]string{"or", "and", "add"}).Draw(t, "operation") {
			case "or":
				g := any.Draw(t, "other function")
				made = s.Or(f, g)
				want = tableOf(func(assigned int) bool { return s.value(f, assigned) || s.value(g, assigned) })
			case "and":
				made = s.And(f, x)
				want = tableOf(func(assigned int) bool { return s.value(f, assigned) && assigned>>x&1 == 1 })
			default:
				made = s.Add(f, x)
				want = tableOf(func(assigned int) bool { return s.value(f, assigned&^(1<<x)) && assigned>>x&1 == 1 })
			}
			if got := tableOf(func(assigned int) bool { return s.value(made, assigned) }); got != want {
				t.Fatalf("%v, not %v", got, want)
			}
			if before, ok := known[want]; ok && before != made {
				t.Fatalf("equal functions are %d and %d", before, made)
			}
			known[want] = made
			functions = append(functions, made)
			depends := tableOf(func(assigned int) bool { return want[assigned] != want[assigned^1<<x] }) != table{}
			if s.DependsOn(made, x) != depends {
				t.Fatalf("%v depends on %d: %v", want, x, !depends)
			}
		}
	})
}

// TestStoreGrows makes more functions than there was room for at first: for each of many numbers, that it is given in binary.
func TestStoreGrows(t *testing.T) {
	const bits, numbers = 14, 3000
	var s Store
	all := map[Func]int{}
	for range 2 {
		for number := range numbers {
			f := True
			for x := bits - 1; x >= 0; x-- {
				if number>>x&1 == 1 {
					f = s.And(f, x)
				}
			}
			if before, ok := all[f]; ok && before != number {
				t.Fatalf("%d and %d are the same function", before, number)
			}
			all[f] = number
		}
	}
	if len(all) != numbers || s.Len() < numbers-1 {
		t.Errorf("%d functions for %d numbers, %d nodes", len(all), numbers, s.Len())
	}
}
