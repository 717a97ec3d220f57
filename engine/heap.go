package engine

// Element is a pointer to a value that has an order.
type Element[T any] interface {
	*T
	// Before reports whether the value comes before another one.
	Before(other *T) bool
}

// Heap is a binary heap, the first value at index 0. Its zero value is empty.
type Heap[T any, P Element[T]] []T

// Push adds a value.
func (h *Heap[T, P]) Push(added T) {
	s := append(*h, added)
	*h = s
	for i := len(s) - 1; i > 0; {
		parent := (i - 1) / 2
		if !P(&s[i]).Before(&s[parent]) {
			return
		}
		s[i], s[parent] = s[parent], s[i]
		i = parent
	}
}

// Pop removes the first value. The heap must not be empty.
func (h *Heap[T, P]) Pop() T {
	s := *h
	first, last := s[0], len(s)-1
	s[0] = s[last]
	var zero T
	s[last] = zero // it is not held any longer
	s = s[:last]
	*h = s
	for i := 0; ; {
		child := 2*i + 1
		if child >= len(s) {
			return first
		}
		if child+1 < len(s) && P(&s[child+1]).Before(&s[child]) {
			child++
		}
		if !P(&s[child]).Before(&s[i]) {
			return first
		}
		s[i], s[child] = s[child], s[i]
		i = child
	}
}
