package debug

// chunk is how many elements lie together: growing a list never copies what is there.
const chunk = 1024

// chunked is a list that only grows.
type chunked[T any] struct {
	chunks [][]T
	length int
}

func (l *chunked[T]) at(i int) *T { return &l.chunks[i/chunk][i%chunk] }

func (l *chunked[T]) append(more []T) {
	for len(more) > 0 {
		if l.length%chunk == 0 && l.length/chunk == len(l.chunks) {
			// The first chunk grows as a small run needs it; the others are made whole.
			size := chunk
			if l.length == 0 {
				size = 8
			}
			l.chunks = append(l.chunks, make([]T, 0, size))
		}
		last := &l.chunks[len(l.chunks)-1]
		n := min(len(more), chunk-len(*last))
		*last = append(*last, more[:n]...)
		l.length += n
		more = more[n:]
	}
}
