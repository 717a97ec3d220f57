package asl

import (
	"iter"
	"sort"
	"strconv"
	"strings"
)

// Path returns the definition path of the state: its name, after the names of the states it is inside of and of which
// branch or processor: "Order/Branches[1]/Charge", "Each/Iterations[*]/Validate".
func (s *State) Path() string { return s.path }

// All iterates over every state, depth first, in the order of the text: a Parallel or Map state comes before what is
// inside of it.
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
// definition path; nil when there is none. In a path, the number of an iteration may take the place of *.
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

// Span returns where the value that a JSON Pointer (RFC 6901) names stands in the text, and where its key
// does; the key is the zero Span for an item of an array and for the whole definition.
func (m *StateMachine) Span(pointer string) (key, node Span, ok bool) {
	key, found := findPointer(m.Root, pointer)
	if found == nil {
		return Span{}, Span{}, false
	}
	return key, found.Span, true
}

var unescapePointer = strings.NewReplacer("~1", "/", "~0", "~")

// findPointer follows a JSON Pointer from n. It returns nil when there is nothing.
func findPointer(n *Node, pointer string) (key Span, found *Node) {
	if pointer == "" {
		return Span{}, n
	}
	if pointer[0] != '/' {
		return Span{}, nil
	}
	for segment := range strings.SplitSeq(pointer[1:], "/") {
		key, n = n.child(unescapePointer.Replace(segment))
		if n == nil {
			return Span{}, nil
		}
	}
	return key, n
}

// child returns the member called segment, or the item of that number.
func (n *Node) child(segment string) (key Span, child *Node) {
	for i := len(n.Members) - 1; i >= 0; i-- {
		if n.Members[i].Key == segment {
			return n.Members[i].KeySpan, n.Members[i].Node
		}
	}
	if i, err := strconv.Atoi(segment); err == nil && i >= 0 && i < len(n.Items) && strconv.Itoa(i) == segment {
		return Span{}, n.Items[i]
	}
	return Span{}, nil
}

// pointerAt returns the JSON Pointer and the node of the value that begins at offset, or whose key does.
func pointerAt(root *Node, offset int) (string, *Node) {
	var pointer strings.Builder
	n := root
	for n.Span.Start.Offset != offset {
		switch {
		case len(n.Members) > 0:
			i := sort.Search(len(n.Members), func(i int) bool { return n.Members[i].KeySpan.Start.Offset > offset }) - 1
			if i < 0 {
				return pointer.String(), n
			}
			pointer.WriteString("/" + escapePointer(n.Members[i].Key))
			if n = n.Members[i].Node; n.Span.Start.Offset > offset {
				return pointer.String(), n
			}
		case len(n.Items) > 0:
			i := sort.Search(len(n.Items), func(i int) bool { return n.Items[i].Span.Start.Offset > offset }) - 1
			if i < 0 {
				return pointer.String(), n
			}
			pointer.WriteString("/" + strconv.Itoa(i))
			n = n.Items[i]
		default:
			return pointer.String(), n
		}
	}
	return pointer.String(), n
}
