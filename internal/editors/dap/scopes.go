package dap

import (
	"cmp"
	"github.com/google/go-dap"

	"asldb/engine"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// scopes answers with the data of a frame.
func (a viewer) scopes(r *dap.ScopesRequest) error {
	f, err := a.frameOf(r.Arguments.FrameId)
	if err != nil {
		return err
	}
	list := []dap.Scope{}
	add := func(name, hint string, expensive bool, c container) {
		scope := dap.Scope{Name: name, PresentationHint: hint, Expensive: expensive,
			VariablesReference: a.handles.container(c)}
		scope.NamedVariables, scope.IndexedVariables = c.counts()
		list = append(list, scope)
	}
	for _, s := range a.scopesOf(&f) {
		add(s.name, s.hint, s.expensive, s.held)
	}
	a.out.respond(r, &dap.ScopesResponse{Body: dap.ScopesResponseBody{Scopes: list}})
	return nil
}

// scope is a group of variables of a frame.
type scope struct {
	name, hint string
	expensive  bool
	held       container
}

// scopesOf returns the scopes of a frame.
func (a viewer) scopesOf(f *frame) []scope {
	s := f.level.session
	log := s.Log()
	if f.event < log.First() {
		return []scope{{"Input", "locals", false, container{of: s.Options().Input, path: "$"}}}
	}
	at := log.At(f.event)
	data, failed := f.data(), f.failedAt()
	shown := scope{"Data", "locals", false, container{of: data, path: "$", frame: f}}
	switch {
	case failed != nil:
		shown.held = container{of: failed.Before, path: "$"}
		if failed.Stage != engine.NoStage {
			shown.name += " before " + failed.StageName()
		}
	case at.Stage != engine.NoStage && at.Visit == f.visit:
		shown.name += " after " + at.StageName()
	}
	list := []scope{shown}
	if at.Before != nil && at.Visit == f.visit && failed != at {
		list = append(list, scope{"Before", "", false, container{of: at.Before}})
		if at.After != nil && !value.Equal(at.Before, at.After) {
			list = append(list, scope{"Change", "", false,
				container{list: func() []member { return changes(at.Before, at.After) }}})
		}
	}
	context, _ := s.RootsAt(f.event)
	if variables := s.VariablesAt(f.event); len(variables) > 0 {
		list = append(list, scope{"Variables", "", false, container{list: func() []member { return value.Each(variables, variable) }}})
	}
	if request := f.level.requestAt(f.event, f.visit); request != nil {
		list = append(list, scope{"Task", "", false,
			container{list: func() []member { return taskMembers(f, request) }}})
	}
	if context != nil {
		list = append(list, scope{"Context object", "", true, container{of: context, path: "$$"}})
	}
	if watches := s.Watches().All(); len(watches) > 0 {
		list = append(list, scope{"Watches", "", false, container{list: func() []member { return watched(f) }}})
	}
	return list
}

// data returns the data to look at in a frame, nil where there are none.
func (f *frame) data() value.Value {
	log := f.level.session.Log()
	if v := log.At(f.event).After; v != nil {
		return v
	}
	if i := log.DataAt(f.event); i >= 0 {
		return log.At(i).After
	}
	return nil
}

// failedAt returns the event with the data of a frame where a stage failed, and has only those before it; else nil.
func (f *frame) failedAt() *engine.Event {
	log := f.level.session.Log()
	if f.data() != nil {
		return nil
	}
	if i := log.DataAt(f.event); i >= 0 && log.At(i).Before != nil {
		return log.At(i)
	}
	return nil
}

// changes returns a variable for each place at which data have changed.
func changes(before, after value.Value) []member {
	var list []member
	for _, d := range value.List(before, after) {
		m := member{name: cmp.Or(d.Path, "$"), path: d.Path, text: d.Change(preview)}
		if d.Found == nil {
			m.path = ""
		}
		list = append(list, m)
	}
	return list
}

// variable is a variable that has a value.
func variable(m value.Member) member {
	return member{name: "$" + m.Key, path: "$" + m.Key, value: m.Value}
}

// taskMembers returns a request as variables, with its outcome where it came up to the event of the frame.
func taskMembers(f *frame, r *engine.TaskRequest) []member {
	list := []member{
		{name: "Resource", value: value.String(r.Resource)},
		{name: "Payload", value: r.Parameters},
		{name: "Attempt", value: value.Int(int64(r.Attempt))},
		{name: "Invocation", value: value.Int(int64(r.Invocation))},
	}
	if r.Timeout > 0 && r.TimeoutSet {
		list = append(list, member{name: "TimeoutSeconds", text: wording.Duration(r.Timeout)})
	}
	if r.Heartbeat > 0 {
		list = append(list, member{name: "HeartbeatSeconds", text: wording.Duration(r.Heartbeat)})
	}
	log := f.level.session.Log()
	for i := log.Scheduled(r.ID) + 1; i <= f.event && i > 0; i++ {
		e := log.At(i)
		if e.Visit != r.Visit {
			continue
		}
		switch e.Type {
		case engine.TaskSucceeded:
			return append(list, member{name: "Result", value: e.After})
		case engine.TaskFailed, engine.TaskTimedOut:
			if failure := e.Failure(); failure != nil {
				list = append(list, member{name: "Error", value: value.String(failure.Name)},
					member{name: "Cause", value: value.String(failure.Cause)})
			}
			return list
		default:
		}
	}
	return list
}

// watched returns the watches as variables.
func watched(f *frame) []member {
	var list []member
	watches := f.level.session.Watches()
	for _, w := range watches.All() {
		m := member{name: w.Text, path: w.Text}
		v, err := watches.At(w, f.event)
		if err != nil {
			m.text = err.Error()
		}
		m.value = v
		list = append(list, m)
	}
	return list
}
