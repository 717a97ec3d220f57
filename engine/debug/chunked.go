package debug

// chunk is how many elements lie together: growing a list never copies what is there.
const chunk = 1024

// chunked is a list that only grows. Lists with the same beginning can share it: see prefix.
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

// push adds one element.
func (l *chunked[T]) push(v T) {
	if n := len(l.chunks); n > 0 && len(l.chunks[n-1]) < min(chunk, cap(l.chunks[n-1])) {
		l.chunks[n-1] = append(l.chunks[n-1], v)
		l.length++
		return
	}
	l.append([]T{v})
}

// prefix returns a list of the first n elements that can grow on its own. It shares the whole chunks, and
// copies what is left.
func (l *chunked[T]) prefix(n int) chunked[T] {
	whole := n / chunk
	p := chunked[T]{chunks: append(make([][]T, 0, whole+1), l.chunks[:whole]...), length: whole * chunk}
	if rest := n - p.length; rest > 0 {
		p.append(l.chunks[whole][:rest])
	}
	return p
}

// forget drops all chunks but the newest two: what was in the others cannot be asked for any more. It reports whether there was
// one to be dropped.
func (l *chunked[T]) forget() bool {
	forgotten := false
	for i := len(l.chunks) - 3; i >= 0 && l.chunks[i] != nil; i-- {
		l.chunks[i], forgotten = nil, true
	}
	return forgotten
}

// whole reports whether nothing was dropped.
func (l *chunked[T]) whole() bool { return len(l.chunks) == 0 || l.chunks[0] != nil }
