package events_test

import (
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"asldb/tui/view/events"
)

const second = int64(time.Second)

func TestAnAxisWithoutBreaks(t *testing.T) {
	a := events.Fit(100*second, nil, 101, 0)
	if a.Per() != second || a.Cells() != 101 || a.Cell(0) != 0 || a.Cell(35*second) != 35 || a.Cell(100*second) != 100 || a.Time(35) != 35*second {
		t.Errorf("per %v, %d cells, 35 s in cell %d, 100 s in cell %d", time.Duration(a.Per()), a.Cells(), a.Cell(35*second), a.Cell(100*second))
	}
	// Twice zoomed in, a cell is a quarter of a second.
	a = events.Fit(100*second, nil, 101, 2)
	if a.Per() != second/4 || a.Cell(35*second) != 140 || a.Cells() != 401 {
		t.Errorf("zoomed: per %v, %d cells, 35 s in cell %d", time.Duration(a.Per()), a.Cells(), a.Cell(35*second))
	}
}

// Eleven seconds with an hour between the fifth and the sixth: 22 half seconds, one cell more for each of the two
// parts, and two for the break.
func TestAnAxisWithABreak(t *testing.T) {
	a := events.Fit(3611*second, []events.Stretch{{From: 5 * second, To: 3605 * second}}, 26, 0)
	if a.Per() != second/2 || a.Cells() != 26 {
		t.Fatalf("per %v, %d cells", time.Duration(a.Per()), a.Cells())
	}
	for at, want := range map[int64]int{0: 0, 1: 2, 5: 10, 6: 11, 1800: 11, 3000: 12, 3604: 12, 3605: 13, 3606: 15, 3611: 25} {
		if got := a.Cell(at * second); got != want {
			t.Errorf("%d s is in cell %d, want %d", at, got, want)
		}
	}
	for cell, want := range map[int]int64{0: 0, 10: 5 * second, 11: 5*second + 1, 12: 1805*second + 1, 13: 3605 * second, 15: 3606 * second} {
		if got := a.Time(cell); got != want {
			t.Errorf("cell %d begins at %v, want %v", cell, time.Duration(got), time.Duration(want))
		}
	}
	want := []events.Break{{Stretch: events.Stretch{From: 5 * second, To: 3605 * second}, Cell: 11}}
	if got := a.Breaks(); !reflect.DeepEqual(got, want) {
		t.Errorf("breaks: %v", got)
	}
}

func TestTicks(t *testing.T) {
	a := events.Fit(100*second, nil, 101, 0)
	want := []events.Tick{{Cell: 0}, {Cell: 30, At: 30 * second}, {Cell: 60, At: 60 * second}, {Cell: 90, At: 90 * second}}
	if got := a.Ticks(0, 100, 20); !reflect.DeepEqual(got, want) {
		t.Errorf("ticks 20 cells apart: %v", got)
	}
	want = []events.Tick{{Cell: 60, At: 60 * second}, {Cell: 70, At: 70 * second}}
	if got := a.Ticks(55, 75, 10); !reflect.DeepEqual(got, want) {
		t.Errorf("ticks of a part: %v", got)
	}
	// Six cells of half a second are three seconds, and the next round time is five. The tick at 5 s would be too near
	// to where the axis continues after the break.
	a = events.Fit(3611*second, []events.Stretch{{From: 5 * second, To: 3605 * second}}, 26, 0)
	want = []events.Tick{{Cell: 0}, {Cell: 13, At: 3605 * second}, {Cell: 23, At: 3610 * second}}
	if got := a.Ticks(0, 25, 6); !reflect.DeepEqual(got, want) {
		t.Errorf("ticks around a break: %v", got)
	}
	a = events.Fit(3611*second, []events.Stretch{{From: 5 * second, To: 3606 * second}}, 26, 0)
	if got := a.Ticks(0, 25, 6); len(got) < 2 || got[1] != (events.Tick{Cell: 13, At: 3606 * second}) {
		t.Errorf("the axis continues at a time that is not round: %v", got)
	}
}

func TestRoundSteps(t *testing.T) {
	const day = 24 * time.Hour
	for atLeast, want := range map[time.Duration]time.Duration{
		1: 1, 3: 5, 300 * time.Millisecond: 500 * time.Millisecond, 700 * time.Millisecond: time.Second, time.Second: time.Second,
		3 * time.Second: 5 * time.Second, 11 * time.Second: 15 * time.Second, 31 * time.Second: time.Minute, 61 * time.Minute: 2 * time.Hour,
		13 * time.Hour: day, 3 * day: 5 * day, 101 * day: 200 * day, 30_000 * day: 50_000 * day,
	} {
		if got := time.Duration(events.Step(int64(atLeast))); got != want {
			t.Errorf("a step of at least %v is %v, want %v", atLeast, got, want)
		}
	}
}

func TestCuts(t *testing.T) {
	for _, test := range []struct {
		name     string
		instants []int64
		limit    int
		want     []events.Stretch
	}{
		{"nothing is extreme", []int64{1, 2, 4, 8}, 9, nil},
		{"an hour beside eleven seconds", []int64{2, 4, 6, 11, 3611}, 9, []events.Stretch{{From: 11, To: 3611}}},
		{"two hours", []int64{2, 4, 3604, 3606, 7206}, 9, []events.Stretch{{From: 4, To: 3604}, {From: 3606, To: 7206}}},
		{"more breaks than there may be", []int64{2, 4, 3604, 3606, 7206}, 1, nil},
		{"the rest must not be nearly nothing", []int64{1, 16, 1016}, 9, []events.Stretch{{From: 16, To: 1016}}},
		{"a day and an hour", []int64{2, 4, 6, 3606, 90006}, 9, []events.Stretch{{From: 6, To: 3606}, {From: 3606, To: 90006}}},
		{"nothing but a wait", []int64{3600}, 9, nil},
		{"nothing at all", nil, 9, nil},
	} {
		var s events.Stretches
		for _, at := range test.instants {
			s.Add(at)
		}
		if got := s.Cuts(test.limit); len(got) != len(test.want) || len(got) > 0 && !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

// Whatever has happened when: the axis fits, keeps the order, and a cell's first instant is in that cell.
func TestTheAxisKeepsTheOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s events.Stretches
		at := int64(0)
		instants := []int64{0}
		for range rapid.IntRange(0, 60).Draw(t, "instants") {
			at += rapid.SampledFrom([]int64{0, 1, 1000, second, 7 * second, 3600 * second, 86400 * second, 1 << 55}).Draw(t, "gap")
			s.Add(at)
			instants = append(instants, at)
		}
		cells := rapid.IntRange(10, 200).Draw(t, "cells")
		cuts := s.Cuts(cells / 8)
		a := events.Fit(s.End(), cuts, cells, 0)
		if a.Cells() > cells {
			t.Fatalf("%d cells on a width of %d", a.Cells(), cells)
		}
		zoomed := events.Fit(s.End(), cuts, cells, rapid.IntRange(0, 12).Draw(t, "zoom"))
		for _, a := range []*events.Axis{a, zoomed} {
			for i, at := range instants {
				if cell := a.Cell(at); cell < 0 || cell >= a.Cells() || i > 0 && cell < a.Cell(instants[i-1]) {
					t.Fatalf("%d is in cell %d of %d", at, cell, a.Cells())
				}
				if cell := a.Cell(at); a.Cell(a.Time(cell)) != cell {
					t.Fatalf("cell %d begins at %d, which is in cell %d", cell, a.Time(cell), a.Cell(a.Time(cell)))
				}
			}
			before := -1
			for _, tick := range a.Ticks(0, a.Cells()-1, 9) {
				if before >= 0 && tick.Cell-before < 9 || a.Cell(tick.At) != tick.Cell {
					t.Fatalf("tick %+v after cell %d", tick, before)
				}
				before = tick.Cell
			}
		}
	})
}

func TestOnlyTheLongestStretchesAreKept(t *testing.T) {
	var s events.Stretches
	at := int64(0)
	for i := range int64(1000) {
		at += 1 + i%7
		s.Add(at)
	}
	from := at
	at += 1_000_000
	s.Add(at)
	if got := s.Cuts(5); len(got) != 1 || got[0] != (events.Stretch{From: from, To: at}) {
		t.Errorf("cuts: %v", got)
	}
}
