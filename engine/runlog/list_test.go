package runlog_test

import (
	"testing"

	"asldb/engine/runlog"
)

// Lists that share their beginning grow apart.
func TestLists(t *testing.T) {
	var l runlog.List[int]
	for i := range 3*runlog.Size + 7 {
		if i%5 == 0 {
			l.Append([]int{i})
		} else {
			l.Push(i)
		}
	}
	p := l.Prefix(2*runlog.Size + 3)
	p.Append([]int{-1, -2})
	l.Push(-3)
	for i := range l.Len() - 1 {
		if *l.At(i) != i {
			t.Fatalf("element %d is %d", i, *l.At(i))
		}
	}
	if p.Len() != 2*runlog.Size+5 || *p.At(p.Len() - 1) != -2 || *p.At(p.Len() - 3) != 2*runlog.Size+2 {
		t.Errorf("the prefix has %d elements and ends with %d", p.Len(), *p.At(p.Len() - 1))
	}
	if !l.SharesChunk(&p, runlog.Size) || l.SharesChunk(&p, 2*runlog.Size) || l.SharesChunk(&p, 1) {
		t.Error("they share other chunks than their whole ones")
	}
	if !l.Forget() || l.Forget() || l.Whole() || !p.Whole() || *l.At(l.Len() - 1) != -3 {
		t.Error("the newest elements are gone, or the oldest are there")
	}
}

// A list for which space was reserved holds elements without another allocation, and is otherwise like any other.
func TestReserve(t *testing.T) {
	for _, n := range []int{0, 1, 100, 5 * runlog.Size} {
		var l runlog.List[int]
		l.Reserve(n)
		if l.Len() != 0 || !l.Whole() || l.First() != 0 {
			t.Errorf("after Reserve(%d) the list has %d elements", n, l.Len())
		}
		first := l.Tail()[:1]
		for i := range 2 * runlog.Size {
			l.Push(i)
			if i < min(n, runlog.Size) && l.At(0) != &first[0] {
				t.Fatalf("after Reserve(%d) element %d needs another allocation", n, i)
			}
		}
		l.Reserve(7)
		if l.Len() != 2*runlog.Size || *l.At(runlog.Size) != runlog.Size {
			t.Errorf("after Reserve(%d) the list has %d elements", n, l.Len())
		}
	}
}

// Elements that are appended to the tail of a list are in the list without a copy, and a tail that is too short does no
// harm.
func TestTail(t *testing.T) {
	var l runlog.List[int]
	for next := 0; next < 3*runlog.Size; {
		tail := l.Tail()
		if len(tail) != 0 || cap(tail) == 0 {
			t.Fatalf("at %d the tail has the length %d and the capacity %d", next, len(tail), cap(tail))
		}
		fits := cap(tail)
		n := 1 + next%3
		if next%7 == 0 {
			n = 0
		}
		for range n {
			tail = append(tail, next)
			next++
		}
		l.Append(tail)
		if n > 0 && n <= fits && l.At(next-n) != &tail[0] {
			t.Fatalf("elements from %d on are copied", next-n)
		}
		if n == 0 {
			l.Push(next)
			next++
		}
	}
	p := l.Prefix(runlog.Size + 5)
	p.Append(append(p.Tail(), -1))
	p = p.Prefix(runlog.Size)
	p.Append(append(p.Tail(), -2))
	for i := range l.Len() {
		if *l.At(i) != i {
			t.Fatalf("element %d is %d", i, *l.At(i))
		}
	}
	if *p.At(runlog.Size) != -2 || p.Len() != runlog.Size+1 {
		t.Errorf("the prefix has %d elements", p.Len())
	}
}
