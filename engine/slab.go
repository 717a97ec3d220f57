package engine

// maxSlab is how many values are allocated at a time at most.
const maxSlab = 32

// slab allocates values, few at a time while an execution is short and more once it is long. A value is handed out once: events
// and snapshots hold it for good.
type slab[T any] struct {
	free []T
	size int
}

func (s *slab[T]) next() *T {
	if len(s.free) == 0 {
		s.size = min(maxSlab, 2*s.size+1)
		s.free = make([]T, s.size)
	}
	v := &s.free[0]
	s.free = s.free[1:]
	return v
}

// slabs allocate the values that the events of an execution hold.
type slabs struct {
	requests slab[TaskRequest]
	failures slab[Failure]
	retries  slab[RetryDetail]
	begun    slab[ThreadDetail]
}
