package provenance

import (
	"errors"
	"slices"
	"strconv"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/rules"
	"asldb/engine/value"
)

// Unmet is the read that a stage failed for: its path leads to nothing, or to a value of a kind that the field does not
// take.
type Unmet struct {
	// Event is the index of the event in which the stage failed, from 0, and Field the field that read, as
	// [asl.State.Place] takes it.
	Event int
	Field string
	// Path is the path as it is asked of a [Lens]: of JSONata it begins with a variable, or with $states.
	Path string
	// Takes has the kinds of values that the field takes, where the value has another one; 0 where nothing is there.
	Takes asl.Kinds
}

// Unmet returns the read for which the stage of event i failed, or an event before whose error this one passes on; nil
// where there is none.
func (l *Lens) Unmet(i int) *Unmet {
	if i < 0 || i >= l.Log.Len() {
		return nil
	}
	return newWalker(l).unmet(i)
}

// maxPassed bounds the events between a failed stage and those that pass its error on.
const maxPassed = 1000

// failedAt returns the event of the stage whose error event i has, or -1.
func (t *tracer) failedAt(i int) int {
	failure := t.at(i).Failure()
	if failure == nil {
		return -1
	}
	failed := func(e *engine.Event) bool {
		return e.Failure() == failure && (e.Type == engine.StageFailed || e.Type == engine.MapRunFailed && e.Before != nil)
	}
	for first := max(t.log.First(), i-maxPassed); i > first && !failed(t.at(i)); {
		i--
	}
	if event := t.at(i); !failed(event) || failure.Field == "" || event.Visit == nil {
		return -1
	}
	return i
}

func (w *walker) unmet(i int) *Unmet {
	at := w.failedAt(i)
	if at < 0 {
		return nil
	}
	failure := w.at(at).Failure()
	u := &Unmet{Event: at, Field: failure.Field}
	var miss *path.MissError
	if errors.As(failure.Err, &miss) {
		if miss.Path == nil {
			return nil
		}
		u.Path = miss.Path.String()
		return u
	}
	moves := w.flowAt(at).movesOf(failure.Field)
	for _, m := range moves {
		if m.Needs == asl.NeedMust && len(m.Parts()) == 0 && w.unmetBy(u, m) {
			return u
		}
	}
	return nil
}

// unmetBy completes an Unmet where the value that a move reads is missing or of a wrong kind, and reports whether it
// is.
func (w *walker) unmetBy(u *Unmet, m *asl.Move) bool {
	for i := range m.From {
		text := refText(w.at(u.Event).Visit.State, &m.From[i])
		if text == "" {
			continue
		}
		found, err := w.resolve(u.Event, text)
		var miss *path.MissError
		switch u.Path = text; {
		case errors.As(err, &miss):
			return true
		case err == nil && m.Takes != 0 && !m.Takes.Has(found.value.Kind()):
			u.Takes = m.Takes
			return true
		case err == nil && m.Takes.Has(value.KindNumber) && notNumber(found.value):
			u.Takes = 1 << value.KindNumber
			return true
		}
	}
	return false
}

// notNumber reports whether a value is a text, and not the text of a number.
func notNumber(v value.Value) bool {
	text, ok := v.(value.String)
	if !ok {
		return false
	}
	_, err := strconv.ParseFloat(string(text), 64)
	return err != nil
}

// covers reports whether a path is the one that was read, or the beginning of it.
func (u *Unmet) covers(at *path.Path) bool {
	if u == nil {
		return false
	}
	read, err := path.Parse(u.Path)
	return err == nil && read.Root() == at.Root() && read.Variable() == at.Variable() &&
		hasSegments(segmentsOf(read), segmentsOf(at))
}

// refText writes a part of a register as a path in a state; "" where it has none.
func refText(s *asl.State, r *asl.Ref) string {
	root := "$"
	switch r.Register {
	case asl.RegisterVariables:
		if r.Variable == "" {
			return ""
		}
		root = "$" + r.Variable
	case asl.RegisterContext:
		root = "$$"
	case asl.RegisterItem:
		root = "$$.Map.Item.Value"
	case asl.RegisterText, asl.RegisterService, asl.RegisterDataset:
		return ""
	case asl.RegisterRaw, asl.RegisterEffective:
		if s.QueryLanguage == asl.JSONata {
			root = "$states.input"
		}
	case asl.RegisterResult:
		if s.QueryLanguage == asl.JSONata {
			root = "$states.result"
		}
	case asl.RegisterError:
		if s.QueryLanguage == asl.JSONata {
			root = "$states.errorOutput"
		}
	default:
	}
	if r.Path == nil {
		return root
	}
	return root + r.Path.String()[1:]
}

// flowView is the flow of data through a state, in which fields are looked for.
type flowView struct{ *asl.Flow }

// flowAt returns the flow of data through the state of event i.
func (w *walker) flowAt(i int) flowView { return w.flowOf(w.at(i).Visit.State) }

func (w *walker) flowOf(s *asl.State) flowView { return flowView{asl.FlowOf(s, w.literalFirst())} }

// literalFirst reports whether a Pass with a Result does not look at its InputPath, as in the dialect aws.
func (w *walker) literalFirst() bool {
	return w.lens.Explainer == nil || w.lens.Explainer.run.Machine().Dialect().Does(rules.PassesResultOnly)
}

// movesOf returns the moves that a field does, with what they read as moves, each before its parts.
func (f flowView) movesOf(field string) []*asl.Move {
	var found []*asl.Move
	var walk func(m *asl.Move, inside bool)
	walk = func(m *asl.Move, inside bool) {
		if inside = inside || m.IsAt(field); inside {
			found = append(found, m)
		}
		parts := m.Parts()
		for i := range parts {
			walk(&parts[i], inside)
		}
	}
	for _, m := range f.Moves() {
		walk(m, false)
	}
	return found
}

// kindsIn returns the places in a document, at most so many, whose values are of one of the kinds: the nearest to the
// root first.
func kindsIn(document value.Value, most int, kinds asl.Kinds) (found [][]path.Segment) {
	type place struct {
		at  value.Value
		way []path.Segment
	}
	queue, left := []place{{document, nil}}, maxNear
	for ; len(queue) > 0 && left > 0 && len(found) < most; left-- {
		p := queue[0]
		queue = queue[1:]
		if kinds.Has(p.at.Kind()) {
			found = append(found, p.way)
			continue
		}
		if object, ok := p.at.(*value.Object); ok {
			for key, member := range object.All() {
				segment := path.Segment{Kind: path.NameSegment, Name: key}
				queue = append(queue, place{member, append(slices.Clone(p.way), segment)})
			}
		}
	}
	return found
}
