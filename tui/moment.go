package tui

import (
	"strconv"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/diff"
	"asldb/engine/explain"
	"asldb/engine/runlog"
	"asldb/engine/value"
)

// moment is the event on the screen, the visit that it belongs to, and how far the stages of
// that visit had done by then.
type moment struct {
	index  int           // in the log; -1 before the first event
	event  *engine.Event // nil before the first event
	visit  *engine.Visit // nil for events of the whole execution
	stages []stageMark
	now    int // the stage of the event in stages, or -1
	// attempt counts the attempts of the state's work, from 1; caught is the catcher that took over, or nil.
	attempt int
	caught  *asl.Catcher
	// before and after are the data to show, from the event source, which is an earlier one of the
	// visit where the event itself has no data.
	before, after value.Value
	source        *engine.Event
}

// stageState says how far a stage has come.
type stageState uint8

const (
	stagePending stageState = iota
	stageAbsent             // its field is not there: it passes the data on
	stageBegun
	stageRan
	stageFailed
)

// stageMark is the state of one stage of a visit.
type stageMark struct {
	info   engine.StageInfo
	state  stageState
	counts diff.Counts
	edited bool          // its result was replaced by hand
	times  int           // how often it ran: a Map's ItemSelector runs for each item
	last   *engine.Event // its newest result, which counts is about
}

// momentAt looks at event index of the log. previous is what was looked at before; where it is an
// earlier moment of the same visit its marks are taken on.
func momentAt(log *runlog.Log, index int, previous *moment) *moment {
	m := &moment{index: index, now: -1, attempt: 1}
	if index < 0 || index >= log.Len() {
		m.index = -1
		return m
	}
	m.event = log.At(index)
	m.visit = m.event.Visit
	m.source, m.before, m.after = m.event, m.event.Before, m.event.After
	if m.event.Type == engine.ErrorCaught {
		m.before = nil // the raw input: what becomes of it is for the stages that follow
	}
	if m.visit == nil {
		return m
	}
	from := m.begin(previous)
	for i := from; i <= index; i++ {
		if e := log.At(i); e.Visit == m.visit {
			m.apply(e)
		}
	}
	for i := range m.stages {
		if s := &m.stages[i]; s.last != nil && s.last.Seq > int64(from) {
			s.counts = diff.Count(s.last.Before, s.last.After)
		}
	}
	if m.event.Stage != engine.NoStage {
		m.now = m.find(m.event.Stage)
	}
	if m.before == nil && m.after == nil {
		m.borrowData(log)
	}
	return m
}

// begin sets the marks to what they were when previous was looked at, or at the visit's entry, and
// returns the first event to apply.
func (m *moment) begin(previous *moment) int {
	if previous != nil && previous.visit == m.visit && previous.index < m.index {
		m.stages = append(m.stages, previous.stages...)
		m.attempt, m.caught = previous.attempt, previous.caught
		return previous.index + 1
	}
	for _, info := range engine.StagesOf(m.visit.State) {
		mark := stageMark{info: info}
		if !info.Declared {
			if info.Stage == engine.StageAssign {
				continue // most definitions have none: it would only take room
			}
			mark.state = stageAbsent
		}
		m.stages = append(m.stages, mark)
	}
	return int(m.visit.Entered) - 1
}

func (m *moment) find(stage engine.Stage) int {
	for i := range m.stages {
		if m.stages[i].info.Stage == stage {
			return i
		}
	}
	return -1
}

func (m *moment) apply(e *engine.Event) {
	switch e.Type {
	case engine.RetryStarted:
		m.attempt++
		for i := range m.stages {
			if s := &m.stages[i]; s.info.Stage >= engine.StageResult && s.state != stageAbsent {
				*s = stageMark{info: s.info}
			}
		}
		return
	case engine.ErrorCaught:
		if detail, ok := e.Detail.(*engine.CatchDetail); ok && detail.Catcher < len(e.Visit.State.Catch) {
			m.caught = e.Visit.State.Catch[detail.Catcher]
		}
		return
	}
	at := m.find(e.Stage)
	if at < 0 {
		return
	}
	s := &m.stages[at]
	switch e.Type {
	case engine.StageCompleted, engine.StateExited:
		s.state, s.times = stageRan, s.times+1
		if e.Type == engine.StageCompleted {
			s.last = e
		}
	case engine.DataEdited:
		s.edited = true
	case engine.StateEntered, engine.TaskSucceeded, engine.WaitEnded, engine.ParallelSucceeded, engine.MapSucceeded:
		s.state, s.times = stageRan, s.times+1
	case engine.TaskScheduled, engine.WaitStarted, engine.ParallelStarted, engine.MapStarted, engine.MapRunStarted,
		engine.ObjectRequested:
		s.state = stageBegun
	case engine.StageFailed, engine.TaskFailed, engine.TaskTimedOut, engine.ParallelFailed, engine.MapFailed, engine.MapRunFailed:
		s.state = stageFailed
	}
}

// borrowed bounds how far back an event without data looks for some.
const borrowed = 10_000

func (m *moment) borrowData(log *runlog.Log) {
	first := max(int(m.visit.Entered)-1, m.index-borrowed)
	for i := m.index - 1; i >= first; i-- {
		if e := log.At(i); e.Visit == m.visit && (e.After != nil || e.Before != nil) {
			m.source, m.before, m.after = e, nil, e.After
			if m.after == nil {
				m.after = e.Before
			}
			return
		}
	}
}

// stageName names the stage of the event, or the event where it has none.
func (m *moment) stageName() string {
	switch {
	case m.event == nil:
		return ""
	case m.now >= 0:
		return m.stages[m.now].info.Field
	}
	return m.event.Type.String()
}

// expression returns the field of the event's stage, its text in the definition and its purpose.
func (m *moment) expression() (field, text, purpose string) {
	if m.event == nil || m.now < 0 {
		return "", "", ""
	}
	return explain.Expression(m.visit.State, &m.stages[m.now].info, m.caught)
}

// heading is the title of the large pane: the state, its type and which attempt or visit this is.
func (m *moment) heading() (title, note string) {
	if m.visit == nil {
		return "the execution", ""
	}
	note = string(m.visit.State.Type)
	if m.attempt > 1 {
		note += ", attempt " + strconv.Itoa(m.attempt)
	}
	if m.visit.Number > 1 {
		note += ", visit " + strconv.Itoa(m.visit.Number)
	}
	return m.visit.State.Name, note
}
