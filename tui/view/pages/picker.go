// Package pages has the screens outside of a session: the list of executions, the differences of two versions, and a definition with errors.
//
// This part is the screen on which the user chooses one of many recorded executions. The list is read page by page behind the
// screen, and the history of an execution only where its row is on show or it is opened.
package pages

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"asldb/internal/executions"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/program"
)

// ErrNoExecutions is the end of a screen that is left without a choice.
var ErrNoExecutions = errors.New("nothing was chosen")

// rest is how long the cursor is on a row before its history is read.
const rest = 250 * time.Millisecond

// mostRecent bounds the executions whose histories stay in the memory.
const mostRecent = 8

// Picker is the page of the screen. It can be shown again after it has ended: its rows, its filter and its cursor stay.
type Picker struct {
	source executions.Source
	zone   *time.Location // of the times on the screen

	rows []executions.Row
	list reading // of the next rows
	// shown are the rows that fit the filter.
	shown widget.List[*executions.Row]
	// more: there are more rows. wanted: the user has gone on beyond the last.
	more, wanted bool

	moved bool // the user has moved the cursor

	known   map[string]*known      // by the ID of the row
	recent  []*executions.Recorded // the newest last
	detail  reading                // of the history of one row
	of      string                 // the ID of that row
	events  int                    // that have come so far
	opening bool                   // the screen ends when it has come
	turn    int                    // counts the moves of the cursor
	chosen  *executions.Recorded
	problem string // is said at the beginning
}

// known are the facts of a history about its execution.
type known struct {
	failure *executions.Failure
	// fault says why the history could not be read.
	fault string
}

// reading is work behind the screen.
type reading struct {
	cancel func() // nil: nothing is being read
	fault  string // of the last time
	// stopped: the user has ended it; again: it starts over then.
	stopped, again bool
}

func (r *reading) going() bool { return r.cancel != nil }

// NewPicker returns the page of a source. Nothing is read before it is shown.
func NewPicker(source executions.Source, zone *time.Location) *Picker {
	p := &Picker{source: source, zone: zone, more: true, known: make(map[string]*known)}
	p.shown.Fits = func(row *executions.Row, filter string) (int, []int, bool) {
		return 0, nil, p.fits(row, strings.Fields(filter))
	}
	return p
}

// Chosen returns the execution that the user has chosen.
func (p *Picker) Chosen() *executions.Recorded { return p.chosen }

// Warn shows a message when the page is shown the next time.
func (p *Picker) Warn(text string) { p.problem = text }

// Title implements [program.Page].
func (p *Picker) Title() string { return wording.Line(p.source.Title()) }

// Keys implements [program.Page].
func (p *Picker) Keys() *keys.Map { return keys.Executions() }

// Hints implements [program.Page].
func (p *Picker) Hints() []keys.Action { return []keys.Action{keys.Look, keys.Now, keys.Judge} }

// Begin implements [program.Page].
func (p *Picker) Begin(s *program.Sheet) {
	p.chosen, p.opening = nil, false
	p.list.cancel, p.detail.cancel = nil, nil // they ended with the screen before
	if p.problem != "" {
		s.Say(canvas.Bad, p.problem)
		p.problem = ""
	}
	p.readOn(s)
	p.readHistory(s)
	if list, ok := p.source.(executions.Changing); ok {
		p.watch(s, list)
	}
}

// changes reports whether executions come, and their rows change.
func (p *Picker) changes() bool {
	_, ok := p.source.(executions.Changing)
	return ok
}

// watch reads a list again and again whose rows change.
func (p *Picker) watch(s *program.Sheet, list executions.Changing) {
	s.Wait(list.Every(), func() {
		s.Go(func(ctx context.Context) func() {
			rows, _, err := list.Next(ctx)
			return func() {
				if p.list.fault = ""; err != nil {
					p.list.fault = advice(err)
				} else {
					p.rows, p.more = rows, false
					p.sort()
					p.show()
				}
				p.watch(s, list)
			}
		})
	})
}

// sort puts the newest execution first.
func (p *Picker) sort() {
	slices.SortStableFunc(p.rows, func(a, b executions.Row) int { return b.Start.Compare(a.Start) })
}

// row is the one at the cursor; nil where there is none.
func (p *Picker) row() *executions.Row {
	row, _ := p.shown.Selected()
	return row
}

// rowID is the ID of the row of the cursor; empty where there is none.
func (p *Picker) rowID() string {
	if row := p.row(); row != nil {
		return row.ID
	}
	return ""
}

// Press implements [program.Page].
func (p *Picker) Press(s *program.Sheet, k keys.Press) {
	by, isMove := widget.PageMove(k.Action, p.shown.Page())
	switch {
	case isMove:
		p.move(s, by)
	case k.Action == keys.Look:
		p.open(s)
	case k.Action == keys.Now:
		p.back(s)
	case k.Action == keys.Judge:
		p.again(s)
	case k.Action == keys.None && p.shown.Type(k):
		p.filtered(s)
	}
}

func (p *Picker) move(s *program.Sheet, by int) {
	before := p.row()
	p.shown.Move(by)
	p.moved = true
	if n := p.shown.Len(); by > 0 && p.shown.Cursor == n-1 || n == 0 {
		p.wanted, p.list.stopped = true, false
	}
	if p.row() != before {
		p.readHistory(s)
	}
	p.readOn(s)
}

// filtered shows the rows that fit another filter.
func (p *Picker) filtered(s *program.Sheet) {
	p.moved, p.wanted = false, false
	p.readHistory(s)
	p.readOn(s)
}

// show shows the rows. The cursor stays at its row where the user has moved it.
func (p *Picker) show() {
	list := make(widget.Slice[*executions.Row], len(p.rows))
	for i := range p.rows {
		list[i] = &p.rows[i]
	}
	p.shown.Show(list, func(a, b *executions.Row) bool { return p.moved && a.ID == b.ID })
}

// fits reports whether each word fits one of the texts of a row.
func (p *Picker) fits(row *executions.Row, words []string) bool {
	texts, start := []string{row.Name, row.Status}, p.moment(row.Start)
	if f := p.failureOf(row); f != nil {
		texts = append(texts, f.Error, f.State)
	}
	for _, word := range words {
		if !strings.Contains(start, word) && !slices.ContainsFunc(texts, func(text string) bool {
			_, _, ok := widget.Match(word, text)
			return ok
		}) {
			return false
		}
	}
	return true
}

// failureOf returns the failure of a row as far as it is known.
func (p *Picker) failureOf(row *executions.Row) *executions.Failure {
	if row.Failure != nil {
		return row.Failure
	}
	if k := p.known[row.ID]; k != nil {
		return k.failure
	}
	return nil
}

// leastRead is how many rows a screen has at least, before the first is drawn.
const leastRead = 20

// readOn reads the next rows where the screen or the user needs them.
func (p *Picker) readOn(s *program.Sheet) {
	height := max(p.shown.Height(), leastRead)
	near := p.shown.Filter() == "" && p.shown.Len()-p.shown.Cursor <= height+height/2
	if p.list.going() || p.list.stopped || p.list.fault != "" || !p.more || !near && !p.wanted && !p.source.Local() {
		return
	}
	p.list.cancel = s.Go(func(ctx context.Context) func() {
		rows, more, err := p.source.Next(ctx)
		return func() { p.listed(s, rows, more, err) }
	})
}

// listed takes rows that have come.
func (p *Picker) listed(s *program.Sheet, rows []executions.Row, more bool, err error) {
	p.list.cancel = nil
	switch {
	case p.list.again:
		p.begin(s)
		return
	case err != nil && p.chosen != nil:
		s.End(nil)
		return
	case err != nil && p.list.stopped:
		return
	case err != nil:
		p.list.fault = advice(err)
	}
	before := p.rowID()
	p.rows, p.more, p.wanted = append(p.rows, rows...), more, p.wanted && len(rows) == 0
	if p.source.Local() {
		p.sort()
	}
	p.show()
	if p.chosen != nil {
		s.End(nil)
		return
	}
	if p.rowID() != before {
		p.readHistory(s)
	}
	p.readOn(s)
}

// advice is an error with its remedy, as it is done on this screen.
func advice(err error) string {
	again := keys.Executions().Key(keys.Judge) + " continues from here"
	var refused *executions.Error
	if errors.As(err, &refused) {
		return refused.Advice(again)
	}
	return wording.Text(err.Error())
}

// readHistory reads the history of the row on show, when the cursor rests there.
func (p *Picker) readHistory(s *program.Sheet) {
	p.turn++
	turn, row := p.turn, p.row()
	if p.detail.going() && (row == nil || row.ID != p.of) {
		p.detail.cancel()
		p.detail.cancel, p.opening = nil, false
	}
	if row == nil || !row.Failed() || row.Failure != nil || p.known[row.ID] != nil || p.detail.going() {
		return
	}
	s.Wait(rest, func() {
		if row := p.row(); turn == p.turn && row != nil && !p.detail.going() {
			p.read(s, row)
		}
	})
}

// read reads the history of a row.
func (p *Picker) read(s *program.Sheet, row *executions.Row) {
	wanted := *row
	p.of, p.events = row.ID, 0
	p.detail.cancel = s.Go(func(ctx context.Context) func() {
		x, err := p.source.Read(ctx, &wanted, func(events int) {
			s.Post(func() {
				if p.of == wanted.ID {
					p.events = events
				}
			})
		})
		var failure *executions.Failure
		if err == nil {
			failure = x.Failure()
		}
		if err != nil && ctx.Err() != nil {
			return nil // it was stopped
		}
		return func() { p.arrived(s, wanted.ID, x, failure, err) }
	})
}

// arrived takes a history. One that is not on show any more is of use as well.
func (p *Picker) arrived(s *program.Sheet, id string, x *executions.Recorded, failure *executions.Failure, err error) {
	if p.of == id {
		p.detail.cancel = nil
	}
	if err != nil {
		p.known[id] = &known{fault: advice(err)}
		if p.opening && p.of == id {
			p.opening = false
			s.Say(canvas.Bad, advice(err))
		}
		return
	}
	p.known[id] = &known{failure: failure}
	if p.recent = append(p.recent, x); len(p.recent) > mostRecent {
		p.recent = p.recent[1:]
	}
	if p.opening && p.of == id {
		p.choose(s, x)
	}
}

// choose ends the screen, when the rows that are being read have come: none may be lost.
func (p *Picker) choose(s *program.Sheet, x *executions.Recorded) {
	p.chosen, p.opening = x, false
	if p.list.going() {
		p.list.cancel()
		return
	}
	s.End(nil)
}

// open ends the screen with the execution of the cursor, when its history is there.
func (p *Picker) open(s *program.Sheet) {
	row := p.row()
	if row == nil {
		return
	}
	for _, x := range p.recent {
		if x.Row.ID == row.ID && row.Status != "RUNNING" {
			p.choose(s, x)
			return
		}
	}
	p.opening = true
	if !p.detail.going() {
		p.read(s, row)
	}
}

// back ends the reading of a history, or of the list, or clears the filter, or leaves.
func (p *Picker) back(s *program.Sheet) {
	switch {
	case p.detail.going():
		p.detail.cancel()
		p.detail.cancel, p.opening = nil, false
		p.known[p.of] = &known{fault: "The history was not read: " + keys.Executions().Key(keys.Judge) + " reads it."}
	case p.list.going():
		p.list.cancel()
		p.list.stopped = true
	case p.shown.Filter() != "":
		p.shown.SetFilter("")
		p.filtered(s)
	default:
		s.End(ErrNoExecutions)
	}
}

// again continues where the reading has ended, or reads all again.
func (p *Picker) again(s *program.Sheet) {
	row := p.row()
	switch {
	case p.list.going():
		p.list.again = true
		p.list.cancel()
	case p.list.fault != "" || p.list.stopped:
		p.list.fault, p.list.stopped, p.wanted = "", false, true
		p.readOn(s)
	case row != nil && p.known[row.ID] != nil && p.known[row.ID].fault != "":
		delete(p.known, row.ID)
		p.readHistory(s)
	default:
		p.begin(s)
	}
}

// begin reads the list again. Histories that were read stay.
func (p *Picker) begin(s *program.Sheet) {
	p.source.Again()
	p.list, p.more, p.wanted = reading{}, true, false
	p.rows, p.moved = nil, false
	p.shown.Home()
	for id, k := range p.known {
		if k.fault != "" {
			delete(p.known, id)
		}
	}
	p.recent = nil // they may have been redriven
	p.show()
	p.readHistory(s)
	p.readOn(s)
}

// Status implements [program.Page].
func (p *Picker) Status() (text string, style canvas.Style) {
	switch {
	case p.opening:
		return "reading the history, esc stops", canvas.BarInfo
	case p.list.going():
		return "reading, esc stops", canvas.BarInfo
	case p.list.fault != "":
		return "not all read", canvas.BarBad
	}
	return "", canvas.Bar
}
