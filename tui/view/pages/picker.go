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

// ErrNone is the end of a screen that is left without a choice.
var ErrNoExecutions = errors.New("nothing was chosen")

// rest is how long the cursor stands on a row before its history is read.
const rest = 250 * time.Millisecond

// mostHeld bounds the executions whose histories stay in the memory.
const mostHeld = 8

// Picker is the page of the screen. It can be shown again after it has ended: its rows, its filter and its cursor stay.
type Picker struct {
	source executions.Source
	zone   *time.Location // of the times on the screen

	rows []executions.Row
	list reading // of the next rows
	// more: there are more rows. wanted: the user has gone on beyond the last.
	more, wanted bool

	filter string
	shown  []int // the rows that fit the filter, by their numbers
	at     int   // the cursor, in shown
	moved  bool  // the user has moved it
	top    int   // the first row on the screen
	height int   // of the list, in rows, as it was drawn last

	known   map[string]*known      // by the ID of the row
	held    []*executions.Recorded // the newest last
	detail  reading                // of the history of one row
	of      string                 // the ID of that row
	events  int                    // that have come so far
	opening bool                   // the screen ends when it has come
	turn    int                    // counts the moves of the cursor
	chosen  *executions.Recorded
	problem string // is said at the beginning
}

// known is what a history says about its execution.
type known struct {
	failure *executions.Failure
	// fault says why the history could not be read.
	fault string
}

// reading is work behind the screen.
type reading struct {
	cancel func() // nil: nothing is being read
	fault  string // of the last time
	// stopped: the user has ended it; again: it begins anew then.
	stopped, again bool
}

func (r *reading) going() bool { return r.cancel != nil }

// New returns the page of a source. Nothing is read before it is shown.
func NewPicker(source executions.Source, zone *time.Location) *Picker {
	return &Picker{source: source, zone: zone, more: true, known: make(map[string]*known), height: 20}
}

// Chosen returns the execution that the user has chosen.
func (p *Picker) Chosen() *executions.Recorded { return p.chosen }

// Warn shows a message when the page is shown the next time.
func (p *Picker) Warn(text string) { p.problem = text }

// Title implements [sheet.Page].
func (p *Picker) Title() string { return wording.Line(p.source.Title()) }

// Keys implements [sheet.Page].
func (p *Picker) Keys() *keys.Map { return keys.Executions() }

// Hints implements [sheet.Page].
func (p *Picker) Hints() []keys.Action { return []keys.Action{keys.Look, keys.Now, keys.Judge} }

// Begin implements [sheet.Page].
func (p *Picker) Begin(s *program.Sheet) {
	p.chosen, p.opening = nil, false
	p.list.cancel, p.detail.cancel = nil, nil // they ended with the screen before
	if p.problem != "" {
		s.Say(canvas.Bad, p.problem)
		p.problem = ""
	}
	p.readOn(s)
	p.look(s)
}

// row is that of the cursor; nil where there is none.
func (p *Picker) row() *executions.Row {
	if p.at >= len(p.shown) {
		return nil
	}
	return &p.rows[p.shown[p.at]]
}

// rowID is the ID of the row of the cursor; empty where there is none.
func (p *Picker) rowID() string {
	if row := p.row(); row != nil {
		return row.ID
	}
	return ""
}

// Press implements [sheet.Page].
func (p *Picker) Press(s *program.Sheet, k keys.Press) {
	by, isMove := widget.PageMove(k.Action, max(p.height, 1))
	switch {
	case isMove:
		p.move(s, by)
	case k.Action == keys.Look:
		p.open(s)
	case k.Action == keys.Now:
		p.back(s)
	case k.Action == keys.Judge:
		p.again(s)
	case k.Name == "backspace":
		if letters := []rune(p.filter); len(letters) > 0 {
			p.filterBy(s, string(letters[:len(letters)-1]))
		}
	case k.Name == "ctrl+u":
		p.filterBy(s, "")
	case k.Text != "" && k.Action == keys.None:
		p.filterBy(s, p.filter+wording.Line(k.Text))
	}
}

func (p *Picker) move(s *program.Sheet, by int) {
	before := p.at
	p.at = max(0, min(p.at+by, len(p.shown)-1))
	p.moved = true
	if by > 0 && p.at == len(p.shown)-1 || len(p.shown) == 0 {
		p.wanted, p.list.stopped = true, false
	}
	if p.at != before {
		p.look(s)
	}
	p.readOn(s)
}

// click goes to the row on line y of the list; one that has the cursor is opened.
func (p *Picker) click(s *program.Sheet, y int) {
	switch at := p.top + y; {
	case at >= len(p.shown):
	case at == p.at:
		p.open(s)
	default:
		p.move(s, at-p.at)
	}
}

func (p *Picker) filterBy(s *program.Sheet, text string) {
	p.filter, p.at, p.moved, p.wanted = text, 0, false, false
	p.narrow("")
	p.look(s)
	p.readOn(s)
}

// narrow finds the rows that fit the filter, and puts the cursor on that with an ID.
func (p *Picker) narrow(id string) {
	p.shown = p.shown[:0]
	words := strings.Fields(p.filter)
	for i := range p.rows {
		if p.fits(&p.rows[i], words) {
			p.shown = append(p.shown, i)
			if p.rows[i].ID == id {
				p.at = len(p.shown) - 1
			}
		}
	}
	p.at = max(0, min(p.at, len(p.shown)-1))
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

// readOn reads the next rows where the screen or the user wants them.
func (p *Picker) readOn(s *program.Sheet) {
	near := p.filter == "" && len(p.shown)-p.at <= p.height+p.height/2
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
	before, id := p.rowID(), ""
	if p.moved {
		id = before
	}
	p.rows, p.more, p.wanted = append(p.rows, rows...), more, p.wanted && len(rows) == 0
	if p.source.Local() {
		slices.SortStableFunc(p.rows, func(a, b executions.Row) int { return b.Start.Compare(a.Start) })
	}
	p.narrow(id)
	if p.chosen != nil {
		s.End(nil)
		return
	}
	if p.rowID() != before {
		p.look(s)
	}
	p.readOn(s)
}

// advice is an error with its remedy, as it is done on this screen.
func advice(err error) string {
	again := keys.Executions().Key(keys.Judge) + " goes on from here"
	var refused *executions.Error
	if errors.As(err, &refused) {
		return refused.Advice(again)
	}
	return wording.Text(err.Error())
}

// look reads the history of the row on show, when the cursor rests there.
func (p *Picker) look(s *program.Sheet) {
	p.turn++
	turn, row := p.turn, p.row()
	if p.detail.going() && (row == nil || row.ID != p.of) {
		p.detail.cancel()
		p.detail.cancel, p.opening = nil, false
	}
	if row == nil || !row.Failed() || row.Failure != nil || p.known[row.ID] != nil || p.detail.going() {
		return
	}
	s.After(rest, func() {
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
	if p.held = append(p.held, x); len(p.held) > mostHeld {
		p.held = p.held[1:]
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
	for _, x := range p.held {
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
	case p.filter != "":
		p.filterBy(s, "")
	default:
		s.End(ErrNoExecutions)
	}
}

// again goes on where the reading has ended, or reads all anew.
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
		p.look(s)
	default:
		p.begin(s)
	}
}

// begin reads the list anew. Histories that were read stay.
func (p *Picker) begin(s *program.Sheet) {
	p.source.Again()
	p.list, p.more, p.wanted = reading{}, true, false
	p.rows, p.at, p.moved = nil, 0, false
	for id, k := range p.known {
		if k.fault != "" {
			delete(p.known, id)
		}
	}
	p.held = nil // they may have been redriven
	p.narrow("")
	p.look(s)
	p.readOn(s)
}

// Status implements [sheet.Page].
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
