package side

import (
	"asldb/engine"
	"asldb/engine/explain"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/view"
)

// maxTimers is how many timers are listed; the first is the next one.
const maxTimers = 8

// timers is the section with the pending timers, the reasons for their times, and the requests that wait for an answer.
type timers struct {
	picks
	screen  Screen
	section func() bool    // the section has the focus
	all     []engine.Timer // the earliest first
	pending []engine.Timer // those that are listed
}

func (p *timers) count() int { return len(p.all) }

func (p *timers) told() bool { return len(p.all) > 0 }

func (p *timers) refresh() {
	s := p.screen.Session()
	picked := p.begin()
	p.all = s.Timers()
	p.pending = p.all[:min(len(p.all), maxTimers)]
	for i, t := range explain.Timers(s, p.pending) {
		style := canvas.Plain
		if i == 0 {
			style = canvas.Warn
		}
		p.add(int64(i), style, 0, t.Due, "in "+wording.Duration(p.pending[i].At.Sub(s.Now()))+"  "+t.Name)
		if t.Reason != "" {
			p.add(noItem, canvas.Dim, 3, "", t.Reason)
		}
	}
	if more := len(p.all) - len(p.pending); more > 0 {
		p.add(noItem, canvas.Dim, 0, "", wording.Grouped(more)+" more")
	}
	for _, r := range s.Requests() {
		p.add(noItem, canvas.Warn, 0, p.screen.Glyphs().Waiting, explain.PlaceName(r.Visit)+"  waits for an answer")
	}
	if r := s.Stop().Object; r != nil {
		p.add(noItem, canvas.Warn, 0, p.screen.Glyphs().Waiting, explain.PlaceName(r.Visit)+"  waits for its items")
	}
	p.add(noItem, canvas.Plain, 0, "now", explain.TimeOfDay(s.Now(), p.screen.Start()))
	p.pick(picked)
}

// selected returns the timer under the cursor, or nil.
func (p *timers) selected() *engine.Timer {
	if at := p.picked(); at != noItem && int(at) < len(p.pending) {
		return &p.pending[at]
	}
	return nil
}

func (p *timers) bindings() view.Bindings {
	return view.Bindings{{
		Action: keys.Look, Applies: func() bool { return p.section() && p.selected() != nil },
		Run: view.Run(func() {
			t := p.selected()
			p.Select(0) // this one will be over
			p.screen.PassUntil(t.At)
		}),
	}}
}
