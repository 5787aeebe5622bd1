package lts

import (
	"iter"
	"slices"
)

// Parts are the strongly connected parts of a graph of n vertices, each after those that it leads to, and of each vertex the number
// of its part.
func Parts(n int, next func(v int) iter.Seq[int]) (parts [][]int, of []int) {
	of = make([]int, n)
	all := func(yield func(int) bool) {
		for v := 0; v < n && yield(v); v++ {
		}
	}
	for part := range EachPart(n, all, next) {
		for _, v := range part {
			of[v] = len(parts)
		}
		parts = append(parts, slices.Clone(part))
	}
	return parts, of
}

// EachPart yields the strongly connected parts that some vertices of a graph of n lead to, each after those that it leads to itself
// (Tarjan: Depth-first search and linear graph algorithms, 1972). A part is valid until the next one. The edges of a vertex are
// asked for once.
func EachPart(n int, from iter.Seq[int], next func(v int) iter.Seq[int]) iter.Seq[[]int] {
	const done = ^uint32(0)
	type frame struct {
		v      int
		low    uint32
		at     int // the first of the vertex's edges in edges that was not followed
		bottom int // where the vertex is in path
	}
	return func(yield func([]int) bool) {
		order := make([]uint32, n) // of the first visits, from 1; done once the part is known
		visited := uint32(0)
		var frames []frame
		var path, edges []int
		enter := func(v int) {
			visited++
			order[v] = visited
			frames = append(frames, frame{v, visited, len(edges), len(path)})
			path = append(path, v)
			edges = slices.AppendSeq(edges, next(v))
		}
		for root := range from {
			if order[root] != 0 {
				continue
			}
			enter(root)
			for len(frames) > 0 {
				f := &frames[len(frames)-1]
				if f.at < len(edges) { // the edges at the end are those of the last frame
					to := edges[len(edges)-1]
					edges = edges[:len(edges)-1]
					switch order[to] {
					case 0:
						enter(to)
					case done:
					default:
						f.low = min(f.low, order[to])
					}
					continue
				}
				low, isPart := f.low, f.low == order[f.v]
				if isPart {
					part := path[f.bottom:]
					for _, v := range part {
						order[v] = done
					}
					path = path[:f.bottom]
					if !yield(part) {
						return
					}
				}
				if frames = frames[:len(frames)-1]; len(frames) > 0 && !isPart {
					before := &frames[len(frames)-1]
					before.low = min(before.low, low)
				}
			}
		}
	}
}
