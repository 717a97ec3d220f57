package runlog_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"asldb/engine/runlog"
)

// A table has what a slice of rows would have, whatever is packed in between, and so has each of its prefixes.
func TestTable(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 9))
	table, rows := runlog.Pack(1, 0, 7), [][]int64{}
	check := func(got *runlog.Table, want [][]int64) {
		t.Helper()
		if got.Len() != len(want) {
			t.Fatalf("%d rows, want %d", got.Len(), len(want))
		}
		for range 2000 {
			i := random.IntN(len(want))
			if !slices.Equal(got.Row(i), want[i]) || got.Get(i, 2) != want[i][2] {
				t.Fatalf("row %d is %v, want %v", i, got.Row(i), want[i])
			}
		}
	}
	grow := func(table *runlog.Table, rows [][]int64, n int) [][]int64 {
		for range n {
			row := []int64{int64(len(rows)), random.Int64N(3), 7 * int64(len(rows))}
			switch random.IntN(50) {
			case 0:
				row[random.IntN(3)] = math.MaxInt64
			case 1:
				row[random.IntN(3)] = math.MinInt64
			}
			table.Push(row...)
			rows = append(rows, row)
			if i := random.IntN(len(rows)); random.IntN(20) == 0 {
				rows[i] = slices.Clone(rows[i])
				rows[i][1] = random.Int64()
				table.Set(i, 1, rows[i][1])
			}
		}
		return rows
	}
	rows = grow(&table, rows, 60_000)
	check(&table, rows)
	for _, n := range []int{1, 1023, 1024, 1025, 40_000, 60_000} {
		prefix := table.Prefix(n)
		check(&prefix, rows[:n])
		check(&prefix, grow(&prefix, slices.Clone(rows[:n]), 3000))
	}
	check(&table, rows)
}

// The newest rows stay.
func TestForgetPacked(t *testing.T) {
	table := runlog.Pack(1)
	for i := range int64(100_000) {
		table.Push(i)
		table.Forget()
		for n := i; n >= max(0, i-1000); n -= 100 {
			if got := table.Get(int(n), 0); got != n {
				t.Fatalf("row %d is %d", n, got)
			}
		}
	}
}

// Rows with the expected values take one byte.
func BenchmarkPush(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		table := runlog.Pack(0, 1, 1, 0)
		for i := range int64(100_000) {
			table.Push(0, i, i+1, 0)
		}
	}
}
