package closure

// rows are lists, one after another.
type rows[T any] struct {
	items []T
	ends  []int32 // by list
}

// add puts an item at the end of the last list, which has not ended.
func (r *rows[T]) add(x T) { r.items = append(r.items, x) }

// end ends a list.
func (r *rows[T]) end() { r.ends = append(r.ends, int32(len(r.items))) }

// len is how many lists there are.
func (r *rows[T]) len() int { return len(r.ends) }

// at is a list.
func (r *rows[T]) at(n int32) []T {
	if n == 0 {
		return r.items[:r.ends[0]]
	}
	return r.items[r.ends[n-1]:r.ends[n]]
}
