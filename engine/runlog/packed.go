package runlog

import (
	"encoding/binary"
	"slices"
)

const (
	// size is the number of rows that are packed together.
	size = 1024
	// unpacked is how many chunks of rows are held as they are; the others are packed.
	unpacked = 24
)

// Table is a table of numbers with at most 8 columns that only grows, though its rows may change. Rows that were not asked for in a
// while are packed: of a column with the expected value nothing is stored, else the difference. [Of] makes one.
type Table struct {
	steps  []int64 // the expected difference from row to row, of each column
	chunks []chunk
	length int
	clock  int64
	held   []int // the chunks with rows
}

// chunk is some rows, packed or not.
type chunk struct {
	rows  []int64 // nil where they are packed only
	bytes []byte  // nil where the rows have changed since
	used  int64
}

// Pack returns an empty table with a column for each step: the difference of most rows to the one before.
func Pack(steps ...int64) Table { return Table{steps: steps} }

// Len returns the number of rows.
func (t *Table) Len() int { return t.length }

// Push adds a row at the end.
func (t *Table) Push(row ...int64) {
	if t.length%size == 0 {
		t.chunks = append(t.chunks, chunk{})
		t.hold(len(t.chunks)-1, nil)
	}
	c := t.unpack(len(t.chunks) - 1)
	c.rows, c.bytes = append(c.rows, row...), nil
	t.length++
}

// Row returns row i, counted from 0. It is good until the next call, and must not be changed: see [Table.Set].
func (t *Table) Row(i int) []int64 {
	from, width := i%size*len(t.steps), len(t.steps)
	return t.unpack(i / size).rows[from : from+width : from+width]
}

// Get returns the number in a column of row i.
func (t *Table) Get(i, column int) int64 { return t.unpack(i / size).rows[i%size*len(t.steps)+column] }

// Set changes the number in a column of row i.
func (t *Table) Set(i, column int, n int64) {
	c := t.unpack(i / size)
	c.rows[i%size*len(t.steps)+column], c.bytes = n, nil
}

// Prefix returns a table of the first n rows that grows on its own.
func (t *Table) Prefix(n int) Table {
	p := Table{steps: t.steps, length: n - n%size, chunks: make([]chunk, n/size, n/size+1)}
	for k := range p.chunks {
		p.chunks[k] = chunk{bytes: t.pack(k)}
	}
	for i := p.length; i < n; i++ {
		p.Push(t.Row(i)...)
	}
	return p
}

// Forget drops all rows but the newest, at least a thousand stay. They cannot be read any more.
func (t *Table) Forget() {
	for k := len(t.chunks) - 3; k >= 0 && (t.chunks[k].rows != nil || t.chunks[k].bytes != nil); k-- {
		t.chunks[k] = chunk{}
		t.held = slices.DeleteFunc(t.held, func(held int) bool { return held == k })
	}
}

// unpack returns a chunk with its rows.
func (t *Table) unpack(k int) *chunk {
	c := &t.chunks[k]
	if c.rows == nil {
		t.hold(k, t.read(c.bytes))
	}
	t.clock++
	c.used = t.clock
	return c
}

// hold puts rows into a chunk. The chunk that was not used for the longest time is packed where there are too many.
func (t *Table) hold(k int, rows []int64) {
	if len(t.held) == unpacked {
		oldest := 0
		for i, held := range t.held {
			if t.chunks[held].used < t.chunks[t.held[oldest]].used {
				oldest = i
			}
		}
		c := &t.chunks[t.held[oldest]]
		c.bytes = t.pack(t.held[oldest])
		if rows == nil {
			rows = c.rows[:0]
		}
		c.rows = nil
		t.held = slices.Delete(t.held, oldest, oldest+1)
	}
	if rows == nil {
		space := len(t.steps)
		if k > 0 { // a long table: the chunk will be full
			space *= size
		}
		rows = make([]int64, 0, space)
	}
	t.held = append(t.held, k)
	t.chunks[k].rows = rows
}

// pack returns the rows of a chunk in few bytes: of each row a byte with a bit for each column without the expected
// value, and the differences of these.
func (t *Table) pack(k int) []byte {
	c := &t.chunks[k]
	if c.bytes != nil {
		return c.bytes
	}
	width := len(t.steps)
	before := make([]int64, width)
	out := make([]byte, 0, len(c.rows)/width*2)
	for from := 0; from < len(c.rows); from += width {
		row := c.rows[from : from+width]
		at := len(out)
		out = append(out, 0)
		for i, n := range row {
			if by := n - before[i] - t.steps[i]; by != 0 {
				out[at] |= 1 << i
				out = binary.AppendVarint(out, by)
			}
		}
		before = row
	}
	return append(make([]byte, 0, len(out)), out...) // without what it may have grown too large
}

// read returns the rows of a packed chunk.
func (t *Table) read(packed []byte) []int64 {
	width := len(t.steps)
	rows := make([]int64, 0, size*width)
	before := make([]int64, width)
	for len(packed) > 0 {
		changed := packed[0]
		packed = packed[1:]
		for i := range width {
			n := before[i] + t.steps[i]
			if changed&(1<<i) != 0 {
				by, length := binary.Varint(packed)
				n, packed = n+by, packed[length:]
			}
			rows = append(rows, n)
		}
		before = rows[len(rows)-width:]
	}
	return rows
}
