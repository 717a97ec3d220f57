package dap

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"

	"github.com/google/go-dap"

	"asldb/engine/path"
	"asldb/engine/value"
)

// handles are the numbers by which the editor asks for frames and for the members of values. They hold until the session moves.
type handles struct {
	frames []frame
	values []container
}

// container is a container whose members the editor may ask for: a value, or a list of members.
type container struct {
	of   value.Value
	list func() []member
	// path is the expression of the value; empty: its members have none.
	path string
	// frame is that whose data the value is a part of, so that it can be changed; nil: it cannot.
	frame *frame
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
func (h *handles) container(c container) int {
	h.values = append(h.values, c)
	return len(h.values)
}

// errNoVariables says that a reference is not of this stop.
var errNoVariables = errors.New("there are no such variables at this stop")

// heldOf returns the container of a number.
func (a viewer) heldOf(reference int) (*container, error) {
	if reference < 1 || reference > len(a.handles.values) {
		return nil, errNoVariables
	}
	return &a.handles.values[reference-1], nil
}

// counts returns the numbers of named and of indexed members, where they are known without a look at them.
func (h *container) counts() (named, indexed int) {
	switch of := h.of.(type) {
	case *value.Object:
		return of.Len(), 0
	case *value.Array:
		return 0, of.Len()
	}
	return 0, 0
}

// members returns the members of a range, which is cut to the range of the members; to 0 is the end.
func (h *container) members(from, to int) []member {
	window := func(n int) (int, int) {
		from := min(max(from, 0), n)
		if to < 1 {
			return from, n
		}
		return from, max(min(to, n), from)
	}
	switch of := h.of.(type) {
	case nil:
		if h.list == nil {
			return nil
		}
		list := h.list()
		from, to := window(len(list))
		return list[from:to]
	case *value.Object:
		from, to := window(of.Len())
		list := make([]member, 0, to-from)
		for i := from; i < to; i++ {
			m := of.At(i)
			list = append(list, member{name: m.Key, path: h.memberPath(m.Key), value: m.Value})
		}
		return list
	case *value.Array:
		from, to := window(of.Len())
		list := make([]member, 0, to-from)
		for i := from; i < to; i++ {
			list = append(list, member{name: strconv.Itoa(i), path: h.itemPath(i), value: of.At(i)})
		}
		return list
	default:
		return []member{{name: cmp.Or(h.path, "value"), path: h.path, value: h.of}}
	}
}

// memberPath returns the path of a member, empty where the container has none.
func (h *container) memberPath(key string) string {
	if h.path == "" {
		return ""
	}
	return h.path + path.Member(key)
}

// itemPath returns the path of an item, empty where the container has none.
func (h *container) itemPath(i int) string {
	if h.path == "" {
		return ""
	}
	return fmt.Sprintf("%s[%d]", h.path, i)
}

// named returns the member of a name, as it is shown.
func (h *container) named(name string) (member, bool) {
	switch of := h.of.(type) {
	case *value.Object:
		if v := of.Get(name); v != nil {
			return member{name: name, path: h.memberPath(name), value: v}, true
		}
	case *value.Array:
		if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < of.Len() {
			return member{name: name, path: h.itemPath(i), value: of.At(i)}, true
		}
	default:
		for _, m := range h.members(0, 0) {
			if m.name == name {
				return m, true
			}
		}
	}
	return member{}, false
}

// preview is the most characters of a value in a list of variables.
const preview = 120

// shown returns a value as the editor shows it, with the number by which its members are asked for. frame is the frame
// of the data that it is a part of, nil where it is none or cannot be changed.
func (a viewer) shown(m member, f *frame) dap.Variable {
	v := dap.Variable{Name: m.name, EvaluateName: m.path, Value: m.text}
	if f == nil {
		v.PresentationHint = &dap.VariablePresentationHint{Attributes: []string{"readOnly"}}
	}
	if m.text != "" {
		return v
	}
	if m.value == nil {
		v.Value = "nothing"
		return v
	}
	v.Value, v.Type = value.Preview(m.value, preview), value.KindOf(m.value)
	of := container{of: m.value, path: m.path, frame: f}
	if v.NamedVariables, v.IndexedVariables = of.counts(); v.NamedVariables+v.IndexedVariables > 0 {
		v.VariablesReference = a.handles.container(of)
	}
	return v
}

// variables answers with the members of a container, or a page of them.
func (a viewer) variables(r *dap.VariablesRequest) error {
	of, err := a.heldOf(r.Arguments.VariablesReference)
	if err != nil {
		return err
	}
	list := []dap.Variable{}
	_, indexed := of.counts()
	if filter := r.Arguments.Filter; filter == "" || (filter == "indexed") == (indexed > 0) {
		from, to := max(r.Arguments.Start, 0), 0
		if n := r.Arguments.Count; n > 0 {
			to = from + n
		}
		f := of.frame
		if f != nil && (!f.isNewest() || f.level != a.top() || f.level.over || f.level.session.ReadOnly()) {
			f = nil
		}
		for _, m := range of.members(from, to) {
			list = append(list, a.shown(m, f))
		}
	}
	a.out.respond(r, &dap.VariablesResponse{Body: dap.VariablesResponseBody{Variables: list}})
	return nil
}
