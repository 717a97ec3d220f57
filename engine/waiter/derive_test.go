package waiter

import (
	"strings"

	"asldb/engine/value"
)

// responseFor looks for a response that acceptor i is the first to match: its error, or an output with the expected
// value at the end of its path's names.
func (m *Model) responseFor(w *Waiter, i int) (poll, bool) {
	a := &w.Acceptors[i].Matcher
	candidates := []poll{}
	switch a.Kind {
	case MatchErrorType:
		candidates = append(candidates, poll{failure: a.ErrorType})
	case MatchSuccess:
		if a.Success {
			candidates = append(candidates, poll{output: "{}"})
		} else {
			candidates = append(candidates, poll{failure: "AnyError"})
		}
	default:
		for _, expected := range []value.Value{value.String(a.Expected), value.Bool(a.Expected == "true")} {
			for _, shape := range shapes(a.Path, expected) {
				candidates = append(candidates, poll{output: value.Compact(shape)})
			}
		}
	}
	for _, p := range candidates {
		r := &Response{Error: p.failure}
		if p.failure == "" {
			r.Output = value.Must(p.output)
		}
		if at, _ := w.Step(r); at == i {
			return p, true
		}
	}
	return poll{}, false
}

// shapes makes values in which a path made of names, [] and [0] finds the wanted value.
func shapes(path string, wanted value.Value) []value.Value {
	head := strings.TrimSpace(path)
	if i := strings.IndexAny(head, "(|=<>!&`' "); i >= 0 {
		return nil
	}
	built := wanted
	parts := strings.Split(head, ".")
	for i := len(parts) - 1; i >= 0; i-- {
		name, rest, list := strings.Cut(parts[i], "[")
		if list {
			for range strings.Count(rest, "[") + 1 {
				built = value.ArrayOf(built)
			}
		}
		if name != "" {
			built = value.ObjectOf(value.Member{Key: name, Value: built})
		}
	}
	return []value.Value{built}
}

// neutral is a response that means another attempt.
func neutral(w *Waiter) (poll, bool) {
	for _, p := range []poll{{output: "{}"}, {output: `{"Nothing":"here"}`}} {
		if _, state := w.Step(&Response{Output: value.Must(p.output)}); state == Retry {
			return p, true
		}
	}
	for i, a := range w.Acceptors {
		if a.State == Retry && a.Matcher.Kind == MatchErrorType {
			if at, _ := w.Step(&Response{Error: a.Matcher.ErrorType}); at == i {
				return poll{failure: a.Matcher.ErrorType}, true
			}
		}
	}
	return poll{}, false
}
