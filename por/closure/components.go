package closure

// components numbers the strongly connected components of a graph, such that edges lead to lower numbers
// (Tarjan: Depth-First Search and Linear Graph Algorithms, 1972).
func components(edges *rows[edge]) []int32 {
	component, index, low := make([]int32, edges.len()), make([]int32, edges.len()), make([]int32, edges.len())
	for i := range component {
		component[i] = -1
	}
	var stack []int32
	var count, number int32
	var visit func(n int32)
	visit = func(n int32) {
		count++
		index[n], low[n] = count, count
		stack = append(stack, n)
		for _, e := range edges.at(n) {
			switch {
			case e.to < 0:
			case index[e.to] == 0:
				visit(e.to)
				low[n] = min(low[n], low[e.to])
			case component[e.to] < 0:
				low[n] = min(low[n], index[e.to])
			}
		}
		if low[n] != index[n] {
			return
		}
		for last := int32(-1); last != n; {
			last = stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			component[last] = number
		}
		number++
	}
	for n := range int32(edges.len()) {
		if index[n] == 0 {
			visit(n)
		}
	}
	return component
}
