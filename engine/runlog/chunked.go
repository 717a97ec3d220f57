package runlog

// Size is how many elements are stored together.
const Size = 1024

// List is a list that only grows. Lists with the same beginning can share it: see [List.Prefix].
// The zero List is empty.
type List[T any] struct {
	chunks [][]T
	length int
}

// Len returns the number of elements.
func (l *List[T]) Len() int { return l.length }

// At returns element i, counted from 0. It panics when i is out of range, or was dropped by [List.Forget].
func (l *List[T]) At(i int) *T { return &l.chunks[i/Size][i%Size] }

// firstSize is the size of the first chunk, which grows with a short list.
const firstSize = 8

// Append adds elements at the end. Elements that were written to the slice of [List.Tail] are not copied.
func (l *List[T]) Append(more []T) {
	if n := len(l.chunks); n > 0 && len(more) > 0 {
		last := &l.chunks[n-1]
		if end := len(*last) + len(more); end <= cap(*last) && &(*last)[:end][len(*last)] == &more[0] {
			*last = (*last)[:end]
			l.length += len(more)
			return
		}
	}
	for len(more) > 0 {
		if l.length%Size == 0 && l.length/Size == len(l.chunks) {
			l.addChunk()
		}
		last := &l.chunks[len(l.chunks)-1]
		n := min(len(more), Size-len(*last))
		if len(*last)+n > cap(*last) {
			l.grow(n)
		}
		*last = append(*last, more[:n]...)
		l.length += n
		more = more[n:]
	}
}

// addChunk adds an empty chunk. The first one grows as a short list needs it; the others are allocated whole.
func (l *List[T]) addChunk() {
	size := Size
	if l.length == 0 {
		size = firstSize
	}
	l.chunks = append(l.chunks, make([]T, 0, size))
}

// Reserve makes space for at least n elements, at most [Size], in a list that is empty.
func (l *List[T]) Reserve(n int) {
	if len(l.chunks) == 0 {
		l.chunks = append(l.chunks, make([]T, 0, min(max(n, firstSize), Size)))
	}
}

// grow makes the last chunk at least n elements larger, at most [Size] in all.
func (l *List[T]) grow(n int) {
	last := &l.chunks[len(l.chunks)-1]
	*last = append(make([]T, 0, min(max(2*len(*last), len(*last)+n), Size)), *last...)
}

// Tail returns an empty slice at the end of the list, with the capacity for at least one element. A caller appends to it and
// gives the result to [List.Append], before anything else is added.
func (l *List[T]) Tail() []T {
	if n := len(l.chunks); n == 0 || len(l.chunks[n-1]) == Size {
		l.addChunk()
	} else if last := l.chunks[n-1]; len(last) == cap(last) {
		l.grow(1)
	}
	last := l.chunks[len(l.chunks)-1]
	return last[len(last):len(last):cap(last)]
}

// Push adds one element at the end.
func (l *List[T]) Push(v T) {
	if n := len(l.chunks); n > 0 && len(l.chunks[n-1]) < cap(l.chunks[n-1]) {
		l.chunks[n-1] = append(l.chunks[n-1], v)
		l.length++
		return
	}
	l.Append([]T{v})
}

// Prefix returns a list of the first n elements that grows on its own. It shares the whole chunks and
// copies the rest.
func (l *List[T]) Prefix(n int) List[T] {
	whole := n / Size
	p := List[T]{chunks: append(make([][]T, 0, whole+1), l.chunks[:whole]...), length: whole * Size}
	if rest := n - p.length; rest > 0 {
		p.Append(l.chunks[whole][:rest])
	}
	return p
}

// SharesChunk reports whether two lists share the chunk that begins with element i, a multiple of [Size].
func (l *List[T]) SharesChunk(other *List[T], i int) bool {
	if i%Size != 0 || i+Size > min(l.length, other.length) {
		return false
	}
	return &l.chunks[i/Size][0] == &other.chunks[i/Size][0]
}

// Forget drops all chunks but the newest two, and reports whether there was one to drop. The elements in them
// cannot be read any more.
func (l *List[T]) Forget() bool {
	forgotten := false
	for i := len(l.chunks) - 3; i >= 0 && l.chunks[i] != nil; i-- {
		l.chunks[i], forgotten = nil, true
	}
	return forgotten
}

// First returns the index of the first element that was not dropped, [List.Len] where there is none.
func (l *List[T]) First() int {
	for i := range l.chunks {
		if l.chunks[i] != nil {
			return i * Size
		}
	}
	return l.length
}

// Held returns the chunk that begins with element k*[Size], nil where it was dropped.
func (l *List[T]) Held(k int) []T { return l.chunks[k] }

// Put replaces the chunk that begins with element k*[Size], which is full: nil drops it.
func (l *List[T]) Put(k int, chunk []T) { l.chunks[k] = chunk }

// Whole reports whether no chunk was dropped.
func (l *List[T]) Whole() bool { return len(l.chunks) == 0 || l.chunks[0] != nil }
