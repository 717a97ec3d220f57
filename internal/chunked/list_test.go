package chunked_test

import (
	"testing"

	"asldb/internal/chunked"
)

// Lists that share their beginning grow apart.
func TestLists(t *testing.T) {
	var l chunked.List[int]
	for i := range 3*chunked.Size + 7 {
		if i%5 == 0 {
			l.Append([]int{i})
		} else {
			l.Push(i)
		}
	}
	p := l.Prefix(2*chunked.Size + 3)
	p.Append([]int{-1, -2})
	l.Push(-3)
	for i := range l.Len() - 1 {
		if *l.At(i) != i {
			t.Fatalf("element %d is %d", i, *l.At(i))
		}
	}
	if p.Len() != 2*chunked.Size+5 || *p.At(p.Len() - 1) != -2 || *p.At(p.Len() - 3) != 2*chunked.Size+2 {
		t.Errorf("the prefix has %d elements and ends with %d", p.Len(), *p.At(p.Len() - 1))
	}
	if !l.SharesChunk(&p, chunked.Size) || l.SharesChunk(&p, 2*chunked.Size) || l.SharesChunk(&p, 1) {
		t.Error("they share other chunks than their whole ones")
	}
	if !l.Forget() || l.Forget() || l.Whole() || !p.Whole() || *l.At(l.Len() - 1) != -3 {
		t.Error("the newest elements are gone, or the oldest are there")
	}
}
