package side

import (
	"slices"

	"asldb/engine"
	"asldb/engine/explain"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
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

func (p *timers) hasRows() bool { return len(p.all) > 0 }

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

// pickLine is a line of picks.
type pickLine struct {
	style      canvas.Style
	left, text string
	indent     int
	// item is the item of the line; lines that only explain have noItem.
	item int64
}

const noItem = -1

// picks is a list of items with lines that explain them. Its lines are made when the run stops.
type picks struct {
	widget.List[pickLine]
	content []pickLine // that is being made
}

// begin begins to make the lines again, and returns the item under the cursor.
func (l *picks) begin() (picked int64) {
	l.content, l.Resting = nil, true
	l.Paint = func(line canvas.Area, p pickLine, _ []int) { p.draw(line) }
	l.Text = func(p pickLine) string { return p.text }
	l.Skips = func(p pickLine) bool { return p.item == noItem }
	return l.picked()
}

func (l *picks) add(item int64, style canvas.Style, indent int, left, text string) {
	l.content = append(l.content, pickLine{style: style, left: left, text: text, indent: indent, item: item})
}

// picked is the item under the cursor, or noItem.
func (l *picks) picked() int64 {
	if p, ok := l.Selected(); ok {
		return p.item
	}
	return noItem
}

// pick shows the lines that were made, with the cursor on an item; where that is gone it is on the first one, and found is false.
func (l *picks) pick(item int64) (found bool) {
	l.Rows = widget.Slice[pickLine](l.content)
	at := slices.IndexFunc(l.content, func(p pickLine) bool { return p.item == item && item != noItem })
	l.Select(max(at, 0))
	return at >= 0
}

func (p *pickLine) draw(line canvas.Area) {
	x := 1 + min(p.indent, line.W()/4)
	if p.left != "" {
		x = line.Text(x, 0, p.style, p.left) + 1
	}
	line.Text(x, 0, p.style, canvas.FitMiddle(p.text, line.W()-x-1, line.Glyphs().Ellipsis))
}

func (l *picks) draw(f widget.Frame) { l.Draw(f) }
