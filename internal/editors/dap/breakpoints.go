package dap

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/google/go-dap"

	"asldb/engine/breakpoint"
	"asldb/engine/source"
	"asldb/engine/value"
)

// The reasons why a breakpoint cannot be set.
var (
	errOtherFile = errors.New("no state machine that is being debugged is defined in this file")
	errNoState   = errors.New("there is no state on this line")
)

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

// breakpointReason returns the word of the protocol for a breakpoint that is not on errors.
func breakpointReason(b *breakpoint.Breakpoint) string {
	switch {
	case b == nil:
		return "breakpoint"
	case b.Kind == breakpoint.OnChange:
		return "data breakpoint"
	case b.Place() == nil && (b.Kind == breakpoint.OnEntry || b.Kind == breakpoint.OnStage || b.Kind == breakpoint.OnTransition):
		return "function breakpoint"
	}
	return "breakpoint"
}

// clauses returns the clauses of a spec for the conditions of an editor. A number alone lets it stop from that hit on.
func clauses(condition, hits, message string) string {
	var text strings.Builder
	if hits = strings.TrimSpace(hits); hits != "" {
		if hits[0] >= '0' && hits[0] <= '9' {
			hits = ">= " + hits
		}
		text.WriteString(" hits " + hits)
	}
	if condition = strings.TrimSpace(condition); condition != "" {
		text.WriteString(" if " + condition)
	}
	if message != "" {
		text.WriteString(" log " + message)
	}
	return text.String()
}

// syncPoints sets the breakpoints in all executions, and says which are verified now.
func (a breaker) syncPoints() {
	last := a.levels[len(a.levels)-1].session
	a.points.sync(last)
	for _, w := range a.points.wanted[byLine] {
		if set := a.points.of(w, a.levels[len(a.levels)-1:]); set.point != nil && a.configured {
			a.out.event("breakpoint", &dap.BreakpointEvent{Body: dap.BreakpointEventBody{Reason: "changed", Breakpoint: a.shownPoint(w, set)}})
		}
	}
}

// setAll sets the breakpoints of a group, and returns them for the editor.
func (a breaker) setAll(g group, key string, list []*editorPoint) []dap.Breakpoint {
	list = a.points.replace(g, key, list)
	for _, l := range a.levels {
		a.points.sync(l.session)
	}
	return value.Each(list, func(w *editorPoint) dap.Breakpoint { return a.shownPoint(w, a.points.of(w, a.levels)) })
}

// shownPoint returns a breakpoint for the editor.
func (a breaker) shownPoint(w *editorPoint, set setPoint) dap.Breakpoint {
	b := dap.Breakpoint{Id: w.id, Verified: set.point != nil}
	if set.err != nil {
		b.Message = set.err.Error()
		if a.how.NoDebug {
			b.Message = ""
		}
	}
	if set.at != nil {
		b.Source = a.sources.of(set.at.File)
		b.Line, b.Column, b.EndLine, b.EndColumn = a.views.span(set.at.File, set.at.Key)
	} else if w.in != nil {
		b.Line = w.line + a.lineOffset
	}
	return b
}

// setBreakpoints sets the breakpoints of a file.
func (a breaker) setBreakpoints(r *dap.SetBreakpointsRequest) {
	of := r.Arguments.Source
	key := sourceKey(&of)
	given := r.Arguments.Breakpoints
	if given == nil {
		for _, line := range r.Arguments.Lines {
			given = append(given, dap.SourceBreakpoint{Line: line})
		}
	}
	name := of.Path
	if i := of.SourceReference; i > 0 && i <= len(a.sources.files) {
		name = a.sources.files[i-1].Name
	}
	in := func(f *source.File) bool { return name != "" && (f.Name == name || sameFile(f.Name, name)) }
	var list []*editorPoint
	for _, b := range given {
		p := a.views.placeOf(&of, b.Line, b.Column)
		list = append(list, &editorPoint{
			in: in, key: key, line: p.line, column: p.column,
			clauses: clauses(b.Condition, b.HitCondition, b.LogMessage),
		})
	}
	a.out.respond(r, &dap.SetBreakpointsResponse{Body: dap.SetBreakpointsResponseBody{Breakpoints: a.setAll(byLine, key, list)}})
}

// sourceKey returns a name of a file of the editor.
func sourceKey(s *dap.Source) string {
	if s.SourceReference > 0 {
		return "#" + s.Name
	}
	return s.Path
}

// setFunctionBreakpoints sets breakpoints by their specs.
func (a breaker) setFunctionBreakpoints(r *dap.SetFunctionBreakpointsRequest) {
	list := value.Each(r.Arguments.Breakpoints, func(b dap.FunctionBreakpoint) *editorPoint {
		return &editorPoint{spec: b.Name, clauses: clauses(b.Condition, b.HitCondition, "")}
	})
	a.out.respond(r, &dap.SetFunctionBreakpointsResponse{Body: dap.SetFunctionBreakpointsResponseBody{Breakpoints: a.setAll(byFunction, "", list)}})
}

// dataBreakpointInfo reports whether a variable can be watched for changes.
func (a breaker) dataBreakpointInfo(r *dap.DataBreakpointInfoRequest) error {
	expression := r.Arguments.Name
	if r.Arguments.VariablesReference > 0 {
		of, err := a.views.heldOf(r.Arguments.VariablesReference)
		if err != nil {
			return err
		}
		m, ok := of.named(r.Arguments.Name)
		if expression = m.path; !ok || expression == "" {
			a.out.respond(r, &dap.DataBreakpointInfoResponse{Body: dap.DataBreakpointInfoResponseBody{
				Description: r.Arguments.Name + " has no path: members of the data, of variables and watches have",
			}})
			return nil
		}
	}
	spec := "change " + expression
	if _, err := a.top().session.Breakpoints().Check(spec); err != nil {
		a.out.respond(r, &dap.DataBreakpointInfoResponse{Body: dap.DataBreakpointInfoResponseBody{Description: err.Error()}})
		return nil
	}
	a.out.respond(r, &dap.DataBreakpointInfoResponse{Body: dap.DataBreakpointInfoResponseBody{
		DataId: spec, Description: expression, AccessTypes: []dap.DataBreakpointAccessType{"write"}, CanPersist: true,
	}})
	return nil
}

// setDataBreakpoints sets breakpoints on changes of values.
func (a breaker) setDataBreakpoints(r *dap.SetDataBreakpointsRequest) {
	var list []*editorPoint
	for _, b := range r.Arguments.Breakpoints {
		spec := b.DataId
		if !strings.HasPrefix(spec, "change ") {
			spec = "change " + spec
		}
		list = append(list, &editorPoint{spec: spec, clauses: clauses(b.Condition, b.HitCondition, "")})
	}
	a.out.respond(r, &dap.SetDataBreakpointsResponse{Body: dap.SetDataBreakpointsResponseBody{Breakpoints: a.setAll(byData, "", list)}})
}

// errorKinds are the filters of breakpoints on errors, with the word of each in a spec.
var errorKinds = []struct {
	filter, label, about, spec string
	initially, named           bool
}{
	{"uncaught", "Uncaught errors", "Stop at an error that ends the execution.", "uncaught error", true, true},
	{"error", "All errors", "Stop at every error, whatever comes of it.", "error", false, true},
	{"caught", "Caught errors", "Stop at an error that a retrier or catcher takes.", "caught error", false, true},
	{"retry", "Retries", "Stop when a retrier schedules another attempt.", "retry", false, true},
	{"timeout", "Timeouts", "Stop when a task or the execution times out.", "timeout", false, false},
}

// filters returns the filters for the editor.
func filters() []dap.ExceptionBreakpointsFilter {
	var list []dap.ExceptionBreakpointsFilter
	for _, k := range errorKinds {
		f := dap.ExceptionBreakpointsFilter{Filter: k.filter, Label: k.label, Description: k.about, Default: k.initially, SupportsCondition: k.named}
		if k.named {
			f.ConditionDescription = "a pattern of error names, such as States.*"
		}
		list = append(list, f)
	}
	return list
}

// setExceptionBreakpoints sets the breakpoints on errors. There is an answer for each filter, then for each filter option.
func (a breaker) setExceptionBreakpoints(r *dap.SetExceptionBreakpointsRequest) {
	options := make([]dap.ExceptionFilterOptions, 0, len(r.Arguments.Filters)+len(r.Arguments.FilterOptions))
	for _, filter := range r.Arguments.Filters {
		options = append(options, dap.ExceptionFilterOptions{FilterId: filter})
	}
	options = append(options, r.Arguments.FilterOptions...)
	uncaught := false
	var list []*editorPoint
	specs := make([]string, len(options)) // the ones that are separate breakpoints
	for i, o := range options {
		for _, k := range errorKinds {
			switch names := strings.TrimSpace(o.Condition); {
			case k.filter != o.FilterId:
			case k.filter == errorKinds[0].filter && names == "":
				uncaught, specs[i] = true, "standing"
			default:
				specs[i] = strings.TrimSpace(k.spec + " " + names)
				list = append(list, &editorPoint{spec: specs[i]})
			}
		}
	}
	a.points.mu.Lock()
	a.points.uncaught = uncaught
	a.points.mu.Unlock()
	set := a.setAll(byError, "", list)
	answers := make([]dap.Breakpoint, 0, len(options))
	for i, o := range options {
		switch specs[i] {
		case "":
			answers = append(answers, dap.Breakpoint{Message: "there is no filter " + o.FilterId})
		case "standing":
			answers = append(answers, dap.Breakpoint{Verified: true})
		default:
			answers = append(answers, set[0])
			set = set[1:]
		}
	}
	a.out.respond(r, &dap.SetExceptionBreakpointsResponse{Body: dap.SetExceptionBreakpointsResponseBody{Breakpoints: answers}})
}

// breakpointLocations answers with the places of a range at which a breakpoint can be set.
func (a breaker) breakpointLocations(r *dap.BreakpointLocationsRequest) error {
	if r.Arguments == nil {
		return errors.New("breakpointLocations needs a source and a line")
	}
	of := &r.Arguments.Source
	from := a.views.placeOf(of, r.Arguments.Line, r.Arguments.Column)
	to := place{line: from.line}
	if r.Arguments.EndLine != 0 || r.Arguments.EndColumn != 0 {
		to = a.views.placeOf(of, max(r.Arguments.EndLine, r.Arguments.Line), r.Arguments.EndColumn)
	}
	list := []dap.BreakpointLocation{}
	for _, l := range a.levels {
		for state := range l.session.Machine().Definition().All() {
			for _, at := range breakpoint.Locations(state) {
				p := at.Key.Start
				if at.File == nil || !from.in(at.File) || p.Line < from.line || p.Line > to.line ||
					p.Line == from.line && p.Col < from.column || to.column > 0 && p.Line == to.line && p.Col > to.column {
					continue
				}
				var shown dap.BreakpointLocation
				shown.Line, shown.Column, shown.EndLine, shown.EndColumn = a.views.span(at.File, at.Key)
				list = append(list, shown)
			}
		}
	}
	slices.SortFunc(list, func(x, y dap.BreakpointLocation) int {
		return cmp.Or(cmp.Compare(x.Line, y.Line), cmp.Compare(x.Column, y.Column))
	})
	a.out.respond(r, &dap.BreakpointLocationsResponse{Body: dap.BreakpointLocationsResponseBody{Breakpoints: slices.Compact(list)}})
	return nil
}

// printMessages writes the messages of logpoints that have come, with the places of their events.
func (a breaker) printMessages() {
	l := a.top()
	messages := l.session.Breakpoints().Messages()
	if l.printed > len(messages) {
		l.printed = len(messages)
	}
	for _, m := range messages[l.printed:] {
		body := dap.OutputEventBody{Category: "console", Output: m.Text + "\n"}
		if e := l.session.Log().At(m.Event); e.Visit != nil {
			at := a.views.placed(frame{level: l, event: m.Event, visit: e.Visit, top: true})
			body.Source, body.Line, body.Column = at.Source, at.Line, at.Column
		}
		a.out.event("output", &dap.OutputEvent{Body: body})
	}
	l.printed = len(messages)
}
