package events

import (
	"strings"
	"testing"
	"time"

	"asldb/engine/debug"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
	"asldb/tui/keys"
	"asldb/tui/tuitest"
	"asldb/tui/view"
)

// BenchmarkTable: the table of 10,000 iterations, in a run of some 80,000 events.
func BenchmarkTable(b *testing.B) {
	definition := strings.Replace(pack, `"MaxConcurrency":10`, `"MaxConcurrency":40`, 1)
	s := debug.New(runs.Machine(definition), debug.Options{Input: value.Must("[0" + strings.Repeat(",1,2,5,3,1,2,2,1,1,4", 1000) + "]")})
	if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
		b.Fatal(err)
	}
	screen := tuitest.New(b, s, 120, 40)
	p := New(given(screen), runlog.New(), nil)
	screen.Add(view.Drawer, p, func() { p.Select(screen.Selection().Index, s.Position()-1) })
	screen.Press("*")
	for _, c := range []struct {
		name string
		do   func(i int)
	}{
		{"down", func(int) { screen.Press("down") }},
		{"sort", func(int) { screen.Press("s") }},
		{"text", func(i int) { screen.Do(keys.Filter, "Wait"[:1+i%4]) }},
		{"expression", func(i int) { screen.Do(keys.Filter, []string{"time > 2", "time > 3"}[i%2]) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for i := range b.N {
				c.do(i)
				screen.Frame()
			}
		})
	}
	screen.Press("*")
	for _, c := range []struct{ name, first, second string }{
		{"events by text", "waitst", "stat"}, {"events of a state", "state Wait", "state Short"}, {"events by expression", "$ > 2", "$ > 3"},
	} {
		b.Run(c.name, func(b *testing.B) {
			for i := range b.N {
				screen.Do(keys.Filter, []string{c.first, c.second}[i%2])
				screen.Frame()
			}
		})
	}
}

// BenchmarkLoop: the list and the time axis of a run of some 800,000 events that has been in no Map.
func BenchmarkLoop(b *testing.B) {
	const definition = `{"StartAt":"Wait","States":{"Wait":{"Type":"Wait","Seconds":1,"Next":"Count"},
		"Count":{"Type":"Pass","Parameters":{"n.$":"States.MathAdd($.n,1)"},"Next":"More?"},
		"More?":{"Type":"Choice","Choices":[{"Variable":"$.n","NumericLessThan":80000,"Next":"Wait"}],"Default":"End"},"End":{"Type":"Succeed"}}}`
	s := debug.New(runs.Machine(definition), debug.Options{Input: value.Must(`{"n":0}`), Start: time.Unix(0, 0)})
	if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
		b.Fatal(err)
	}
	screen := tuitest.New(b, s, 120, 40)
	p := New(given(screen), runlog.New(), nil)
	screen.Add(view.Drawer, p, func() { p.Select(screen.Selection().Index, s.Position()-1) })
	for _, v := range []display{asList, asTime} {
		b.Run(names[v], func(b *testing.B) {
			p.open(v)
			screen.Frame()
			b.ResetTimer()
			for i := range b.N {
				screen.Press([]string{"left", "up", "up", "right"}[i%4])
				screen.Frame()
			}
		})
	}
}
