package lts

import (
	"iter"
	"slices"
)

// Parts are the strongly connected parts of a graph of n vertices (Tarjan 1972), each after those that it leads to, and of each
// vertex the number of its part.
func Parts(n int, next func(v int) iter.Seq[int]) (parts [][]int, of []int) {
	const none = -1
	of = slices.Repeat([]int{none}, n)
	order := make([]int, n) // of the first visits, from 1
	visited := 0
	var path []int
	var visit func(v int) int
	visit = func(v int) int {
		visited++
		order[v] = visited
		low, depth := visited, len(path)
		path = append(path, v)
		for to := range next(v) {
			switch {
			case order[to] == 0:
				low = min(low, visit(to))
			case of[to] == none:
				low = min(low, order[to])
			}
		}
		if low == order[v] {
			for _, w := range path[depth:] {
				of[w] = len(parts)
			}
			parts = append(parts, slices.Clone(path[depth:]))
			path = path[:depth]
		}
		return low
	}
	for v := range n {
		if order[v] == 0 {
			visit(v)
		}
	}
	return parts, of
}
