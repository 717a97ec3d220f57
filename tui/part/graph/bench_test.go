package graph

import (
	"strconv"
	"testing"

	"asldb/engine/asl"
	"asldb/tui/part/canvas"
)

// BenchmarkLayout lays out a definition once.
func BenchmarkLayout(b *testing.B) {
	for _, n := range []int{20, 500, 10_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			m := Build(machineOf(b, n))
			b.ReportAllocs()
			for b.Loop() {
				Layout(m, Boxes.shapes()[0], nil)
			}
		})
	}
}

// BenchmarkFirstFrame measures the first picture: the graph, every layout that is tried, and the paint.
func BenchmarkFirstFrame(b *testing.B) {
	for _, n := range []int{20, 500, 2000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			definition := machineOf(b, n)
			c := canvas.New(200, 60, canvas.Unicode())
			b.ReportAllocs()
			for b.Loop() {
				sheet := NewSheet(Build(definition))
				if d := sheet.Fit(80, 40); d != nil {
					d.Paint(c.Area(canvas.Rect{W: 80, H: 40}), 0, 0, &Overlay{})
				}
			}
		})
	}
}

// BenchmarkScroll paints a view of 200 by 60 cells in the middle of a drawing, with every line taken.
func BenchmarkScroll(b *testing.B) {
	for _, n := range []int{20, 500, 10_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			d := Layout(Build(machineOf(b, n)), Boxes.shapes()[0], nil)
			c := canvas.New(200, 60, canvas.Unicode())
			over := &Overlay{
				Mark:  func(*asl.State) Mark { return Mark{Visited: true, Badge: "(2)"} },
				Taken: func(*asl.State, int) bool { return true },
			}
			_, h := d.Size()
			b.ReportAllocs()
			for b.Loop() {
				c.Clear()
				over.Trail = d.Trail(over.Taken)
				d.Paint(c.Area(canvas.Rect{W: 200, H: 60}), 0, max(h/2-30, 0), over)
			}
		})
	}
}
