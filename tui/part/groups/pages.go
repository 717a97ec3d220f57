package groups

// pageSize is how many elements lie together.
const pageSize = 4096

// pages is a list that grows without copying its items: a long run would pause for that.
type pages[T any] struct {
	list [][]T
	n    int
}

func (p *pages[T]) at(i int) *T { return &p.list[i/pageSize][i%pageSize] }

func (p *pages[T]) append(v T) {
	if p.n%pageSize == 0 {
		size := pageSize
		if p.n == 0 {
			size = 64 // most runs are short: the first page grows as it needs to
		}
		p.list = append(p.list, make([]T, 0, size))
	}
	last := &p.list[len(p.list)-1]
	*last = append(*last, v)
	p.n++
}
