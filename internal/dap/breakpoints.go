package dap

import (
	"strings"

	"github.com/google/go-dap"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/breakpoint"
	"asldb/engine/debug"
)

// points are the breakpoints that the editor has set, by the request that sets them all anew.
type points struct {
	list *breakpoint.List
	// lines are those of each file, functions and errors those of the two other requests.
	lines             map[string][]*breakpoint.Breakpoint
	functions, errors []*breakpoint.Breakpoint
}

func newPoints(s *debug.Session) points {
	return points{list: s.Breakpoints(), lines: make(map[string][]*breakpoint.Breakpoint)}
}

// remove removes breakpoints.
func (p *points) remove(old []*breakpoint.Breakpoint) {
	for _, b := range old {
		p.list.Remove(b.ID)
	}
}

// numberOf returns the number of a breakpoint that the editor has set.
func (p *points) numberOf(b *breakpoint.Breakpoint) (id int, ok bool) {
	if b == nil || b.Standing {
		return 0, false
	}
	return b.ID, true
}

// isException reports whether a breakpoint is one on errors.
func isException(b *breakpoint.Breakpoint) bool {
	if b == nil {
		return false
	}
	switch b.Kind {
	case breakpoint.OnError, breakpoint.OnCaught, breakpoint.OnUncaught, breakpoint.OnTimeout:
		return true
	default:
		return false
	}
}

// clauses returns the clauses of a spec for the conditions of an editor.
func clauses(condition, hits, message string) string {
	var text strings.Builder
	if condition != "" {
		text.WriteString(" if " + condition)
	}
	if hits = strings.TrimSpace(hits); hits != "" {
		if hits[0] >= '0' && hits[0] <= '9' {
			hits = ">= " + hits
		}
		text.WriteString(" hits " + hits)
	}
	if message != "" {
		text.WriteString(" log " + message)
	}
	return text.String()
}

// set adds the breakpoint of a spec.
func (p *points) set(spec string) (*breakpoint.Breakpoint, dap.Breakpoint) {
	b, err := p.list.Add(spec)
	if err != nil {
		return nil, dap.Breakpoint{Message: err.Error()}
	}
	return b, dap.Breakpoint{Id: b.ID, Verified: true}
}

// setBreakpoints sets the breakpoints of a file.
func (a *adapter) setBreakpoints(r *dap.SetBreakpointsRequest) error {
	path := r.Arguments.Source.Path
	a.points.remove(a.points.lines[path])
	a.points.lines[path] = nil
	answers := make([]dap.Breakpoint, 0, len(r.Arguments.Breakpoints))
	for _, wanted := range r.Arguments.Breakpoints {
		spec, place, ok := a.spotAt(path, wanted.Line-a.lineOffset)
		if !ok {
			answers = append(answers, dap.Breakpoint{Message: "there is no state on this line", Line: wanted.Line})
			continue
		}
		b, answer := a.points.set(spec + clauses(wanted.Condition, wanted.HitCondition, wanted.LogMessage))
		if b != nil {
			a.points.lines[path] = append(a.points.lines[path], b)
		}
		answer.Source, answer.Line = &r.Arguments.Source, place.Key.Start.Line+a.lineOffset
		answers = append(answers, answer)
	}
	a.out.respond(r, &dap.SetBreakpointsResponse{Body: dap.SetBreakpointsResponseBody{Breakpoints: answers}})
	return nil
}

// spotAt returns the spec of the breakpoint for a line of a file: the innermost state there and, within one of its fields, the
// stage of the field.
func (a *adapter) spotAt(path string, line int) (spec string, place asl.Place, ok bool) {
	var found *asl.State
	for state := range a.run.Session.Machine().Definition().All() {
		if !sameFile(state.Source().Name, path) || state.NameSpan.Start.Line > line || state.Span.End.Line < line {
			continue
		}
		if found == nil || state.Span.Start.Line >= found.Span.Start.Line {
			found = state
		}
	}
	if found == nil {
		return "", place, false
	}
	for _, info := range engine.StagesOf(found) {
		field := found.Place(info.Field)
		if info.Declared && field.Pointer != found.Pointer && field.Key.Start.Line > 0 && field.Key.Start.Line <= line && line <= field.Span.End.Line {
			return found.Path() + ":" + info.Field, field, true
		}
	}
	return found.Path(), found.Place(""), true
}

// sameFile reports whether two names are of one file.
func sameFile(name, path string) bool { return sourceOf(name).Path == sourceOf(path).Path }

// setFunctionBreakpoints sets breakpoints by their specs.
func (a *adapter) setFunctionBreakpoints(r *dap.SetFunctionBreakpointsRequest) error {
	a.points.remove(a.points.functions)
	a.points.functions = nil
	answers := make([]dap.Breakpoint, 0, len(r.Arguments.Breakpoints))
	for _, wanted := range r.Arguments.Breakpoints {
		b, answer := a.points.set(wanted.Name + clauses(wanted.Condition, wanted.HitCondition, ""))
		if b != nil {
			a.points.functions = append(a.points.functions, b)
		}
		answers = append(answers, answer)
	}
	a.out.respond(r, &dap.SetFunctionBreakpointsResponse{Body: dap.SetFunctionBreakpointsResponseBody{Breakpoints: answers}})
	return nil
}

// errorKinds are the filters of breakpoints on errors, with the word of each in a spec.
var errorKinds = []struct {
	filter, label, spec string
	initially           bool
}{
	{"uncaught", "Uncaught errors", "", true},
	{"error", "All errors", "error", false},
	{"caught", "Caught errors", "caught error", false},
	{"retry", "Retries", "retry", false},
	{"timeout", "Timeouts", "timeout", false},
}

// filters returns the filters for the editor.
func filters() []dap.ExceptionBreakpointsFilter {
	var list []dap.ExceptionBreakpointsFilter
	for _, k := range errorKinds {
		list = append(list, dap.ExceptionBreakpointsFilter{
			Filter: k.filter, Label: k.label, Default: k.initially, SupportsCondition: k.spec != "", ConditionDescription: "a pattern of error names, such as States.*",
		})
	}
	return list
}

// setExceptionBreakpoints sets the breakpoints on errors.
func (a *adapter) setExceptionBreakpoints(r *dap.SetExceptionBreakpointsRequest) error {
	a.points.remove(a.points.errors)
	a.points.errors = nil
	wanted := make(map[string]string)
	for _, filter := range r.Arguments.Filters {
		wanted[filter] = ""
	}
	for _, option := range r.Arguments.FilterOptions {
		wanted[option.FilterId] = option.Condition
	}
	var answers []dap.Breakpoint
	for _, k := range errorKinds {
		names, is := wanted[k.filter]
		if k.spec == "" {
			for _, b := range a.points.list.All() {
				if b.Standing {
					b.Enabled = is
				}
			}
			continue
		}
		if !is {
			continue
		}
		b, answer := a.points.set(strings.TrimSpace(k.spec + " " + names))
		if b != nil {
			a.points.errors = append(a.points.errors, b)
		}
		answers = append(answers, answer)
	}
	a.out.respond(r, &dap.SetExceptionBreakpointsResponse{Body: dap.SetExceptionBreakpointsResponseBody{Breakpoints: answers}})
	return nil
}

// printMessages writes the messages of logpoints that have come.
func (a *adapter) printMessages() {
	messages := a.run.Session.Breakpoints().Messages()
	for _, m := range messages[min(a.printed, len(messages)):] {
		a.print("console", m.Text)
	}
	a.printed = len(messages)
}
