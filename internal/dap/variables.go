package dap

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/google/go-dap"

	"asldb/engine"
	"asldb/engine/console"
	"asldb/engine/explain"
	"asldb/engine/value"
)

// handles are the numbers by which the editor asks for frames and for the members of values. They hold until the session moves.
type handles struct {
	frames []frame
	values []held
}

// held is a container whose members the editor may ask for.
type held struct {
	members func() []member
	// path is the expression of the container; empty: its members have none.
	path string
	// data is set of the data of a stage, whose members can be set.
	data bool
}

// member is a variable: a value with its name, and an expression for it.
type member struct {
	name, path string
	value      value.Value
	text       string // in place of value
}

// reset forgets all handles.
func (h *handles) reset() { *h = handles{} }

// frame returns the number of a frame.
func (h *handles) frame(f frame) int {
	h.frames = append(h.frames, f)
	return len(h.frames)
}

// container returns the number of a container.
func (h *handles) container(c held) int {
	h.values = append(h.values, c)
	return len(h.values)
}

// errNoFrame says that a frame is not of this stop.
var errNoFrame = errors.New("there is no such frame at this stop")

// errNoVariables says that a reference is not of this stop.
var errNoVariables = errors.New("there are no such variables at this stop")

// frameOf returns the frame of a number; that of the newest event for 0.
func (a *adapter) frameOf(id int) (frame, error) {
	if id == 0 {
		f := frame{event: a.run.Session.Position() - 1, top: true}
		if f.event >= 0 {
			f.visit = a.run.Session.Log().At(f.event).Visit
		}
		return f, nil
	}
	if id < 1 || id > len(a.handles.frames) {
		return frame{}, errNoFrame
	}
	return a.handles.frames[id-1], nil
}

// scopes answers with the data of a frame.
func (a *adapter) scopes(r *dap.ScopesRequest) error {
	f, err := a.frameOf(r.Arguments.FrameId)
	if err != nil {
		return err
	}
	var list []dap.Scope
	add := func(name, hint string, expensive bool, c held) {
		list = append(list, dap.Scope{Name: name, PresentationHint: hint, Expensive: expensive, VariablesReference: a.handles.container(c)})
	}
	s := a.run.Session
	log := s.Log()
	if f.event < 0 {
		add("Input", "locals", false, whole("$", s.Options().Input, false))
		a.out.respond(r, &dap.ScopesResponse{Body: dap.ScopesResponseBody{Scopes: list}})
		return nil
	}
	event := f.event
	if !f.top && f.visit != nil { // the data with which the state around was entered
		event = log.DataAt(int(f.visit.Entered) - 1)
	}
	at := log.At(event)
	name := "Data"
	if at.Stage != engine.NoStage {
		name += " after " + at.StageName()
	}
	data := at.After
	if data == nil {
		if i := log.DataAt(event); i >= 0 {
			data = log.At(i).After
		}
	}
	add(name, "locals", false, whole("$", data, f.top))
	if at.Before != nil {
		add("Before", "", false, whole("", at.Before, false))
	}
	context, variables := s.RootsAt(event)
	if variables != nil {
		add("Variables", "", false, held{members: func() []member { return assigned(s.Machine(), variables) }})
	}
	if request := log.RequestBefore(event); request != nil && f.visit != nil && request.Visit == f.visit {
		add("Task", "", false, held{members: func() []member { return taskMembers(request) }})
	}
	if context != nil {
		add("Context object", "", true, whole("$$", context, false))
	}
	if watches := s.Watches().All(); len(watches) > 0 {
		add("Watches", "", false, held{members: func() []member { return a.watched(event) }})
	}
	a.out.respond(r, &dap.ScopesResponse{Body: dap.ScopesResponseBody{Scopes: list}})
	return nil
}

// whole returns a value as a container: its members, or itself where it has none.
func whole(path string, v value.Value, data bool) held {
	return held{path: path, data: data, members: func() []member {
		if !container(v) {
			return []member{{name: or(path, "value"), path: path, value: v}}
		}
		return membersOf(path, v)
	}}
}

// assigned returns the variables that have a value.
func assigned(machine *engine.Machine, variables func(name string) value.Value) []member {
	var list []member
	for _, name := range console.VariableNames(machine.Definition()) {
		if v := variables(name); v != nil {
			list = append(list, member{name: "$" + name, path: "$" + name, value: v})
		}
	}
	return list
}

// taskMembers returns a request as variables.
func taskMembers(r *engine.TaskRequest) []member {
	list := []member{
		{name: "Resource", value: value.String(r.Resource)},
		{name: "Payload", value: r.Parameters},
		{name: "Attempt", value: value.Int(int64(r.Attempt))},
		{name: "Invocation", value: value.Int(int64(r.Invocation))},
	}
	if r.Timeout > 0 {
		list = append(list, member{name: "TimeoutSeconds", text: explain.Duration(r.Timeout)})
	}
	if r.Heartbeat > 0 {
		list = append(list, member{name: "HeartbeatSeconds", text: explain.Duration(r.Heartbeat)})
	}
	return list
}

// watched returns the watches as variables.
func (a *adapter) watched(event int) []member {
	var list []member
	watches := a.run.Session.Watches()
	for _, w := range watches.All() {
		m := member{name: w.Text, path: w.Text}
		v, err := watches.At(w, event)
		if err != nil {
			m.text = err.Error()
		}
		m.value = v
		list = append(list, m)
	}
	return list
}

func container(v value.Value) bool {
	switch v := v.(type) {
	case *value.Object:
		return v.Len() > 0
	case *value.Array:
		return v.Len() > 0
	}
	return false
}

// membersOf returns the members of an object, or the items of an array.
func membersOf(path string, v value.Value) []member {
	var list []member
	switch v := v.(type) {
	case *value.Object:
		for key, of := range v.All() {
			list = append(list, member{name: key, path: memberPath(path, key), value: of})
		}
	case *value.Array:
		for i := range v.Len() {
			m := member{name: strconv.Itoa(i), value: v.At(i)}
			if path != "" {
				m.path = fmt.Sprintf("%s[%d]", path, i)
			}
			list = append(list, m)
		}
	}
	return list
}

// memberPath returns the path of a member, empty where the container has none.
func memberPath(path, key string) string {
	if path == "" {
		return ""
	}
	for i, c := range key {
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return path + "[" + value.Compact(value.String(key)) + "]"
		}
	}
	if key == "" {
		return path + `[""]`
	}
	return path + "." + key
}

// preview is the most characters of a value in a list of variables.
const preview = 120

// shown returns a value as the editor shows it, with the number by which its members are asked for.
func (a *adapter) shown(m member, data bool) dap.Variable {
	v := dap.Variable{Name: m.name, EvaluateName: m.path, Value: m.text}
	if m.text != "" {
		return v
	}
	if m.value == nil {
		v.Value = "nothing"
		return v
	}
	v.Value, v.Type = value.Preview(m.value, preview), value.KindOf(m.value)
	if !container(m.value) {
		return v
	}
	v.VariablesReference = a.handles.container(held{path: m.path, data: data, members: func() []member { return membersOf(m.path, m.value) }})
	switch of := m.value.(type) {
	case *value.Object:
		v.NamedVariables = of.Len()
	case *value.Array:
		v.IndexedVariables = of.Len()
	}
	return v
}

// variables answers with the members of a container, or a page of them.
func (a *adapter) variables(r *dap.VariablesRequest) error {
	if r.Arguments.VariablesReference < 1 || r.Arguments.VariablesReference > len(a.handles.values) {
		return errNoVariables
	}
	of := a.handles.values[r.Arguments.VariablesReference-1]
	members := of.members()
	from := min(max(r.Arguments.Start, 0), len(members))
	to := len(members)
	if n := r.Arguments.Count; n > 0 {
		to = min(from+n, to)
	}
	list := make([]dap.Variable, 0, to-from)
	for _, m := range members[from:to] {
		list = append(list, a.shown(m, of.data))
	}
	a.out.respond(r, &dap.VariablesResponse{Body: dap.VariablesResponseBody{Variables: list}})
	return nil
}
