package asl

import (
	"asldb/engine/value"
	"iter"
	"strconv"
	"strings"
)

// Path returns the definition path of the state: its name, after the names of the states around it and of the
// branch or processor: "Order/Branches[1]/Charge", "Each/Iterations[*]/Validate".
func (s *State) Path() string { return s.path }

// All iterates over every state, depth first, in the order of the text: a Parallel or Map state comes before the
// states inside of it.
func (m *StateMachine) All() iter.Seq[*State] {
	return func(yield func(*State) bool) { m.Top.all(yield) }
}

func (s *Scope) all(yield func(*State) bool) bool {
	for _, state := range s.States {
		if !yield(state) {
			return false
		}
		for _, branch := range state.Branches {
			if !branch.all(yield) {
				return false
			}
		}
		if state.Processor != nil && !state.Processor.all(yield) {
			return false
		}
	}
	return true
}

// Lookup returns the state of that name, wherever it is (names are unique in the whole machine), or of that
// definition path; nil when there is none. In a path, the number of an iteration may replace *.
func (m *StateMachine) Lookup(nameOrPath string) *State {
	if s := m.byName[nameOrPath]; s != nil {
		return s
	}
	if !strings.Contains(nameOrPath, "/") {
		return nil
	}
	wanted := anyIteration(nameOrPath)
	for s := range m.All() {
		if s.path == wanted {
			return s
		}
	}
	return nil
}

// anyIteration replaces Iterations[4] in a path by Iterations[*].
func anyIteration(path string) string {
	const open = "/Iterations["
	var out strings.Builder
	for {
		at := strings.Index(path, open)
		if at < 0 {
			break
		}
		at += len(open)
		out.WriteString(path[:at])
		path = path[at:]
		end := strings.IndexByte(path, ']')
		if end < 0 {
			break
		}
		if _, err := strconv.ParseUint(path[:end], 10, 63); err == nil {
			out.WriteByte('*')
			path = path[end:]
		}
	}
	out.WriteString(path)
	return out.String()
}

// Span returns where the value that a JSON Pointer (RFC 6901) names is in the text, and where its key is; the key is
// the zero Span for an item of an array and for the whole definition.
func (m *StateMachine) Span(pointer string) (key, node Span, ok bool) {
	key, found := m.Root.Find(pointer)
	if found == nil {
		return Span{}, Span{}, false
	}
	return key, found.Span, true
}

// StateAt returns the definition path and the name of the innermost state that a JSON Pointer into a definition leads to
// or into; both are empty for a pointer into none.
func StateAt(pointer string) (path, name string) {
	segments := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	prefix := ""
	for len(segments) >= 2 && segments[0] == "States" {
		name = value.UnescapePointer(segments[1])
		path = prefix + name
		segments = segments[2:]
		switch {
		case len(segments) >= 2 && segments[0] == "Branches":
			prefix = path + "/Branches[" + segments[1] + "]/"
			segments = segments[2:]
		case len(segments) >= 1 && (segments[0] == "ItemProcessor" || segments[0] == "Iterator"):
			prefix = path + "/Iterations[*]/"
			segments = segments[1:]
		}
	}
	return path, name
}
