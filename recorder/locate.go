package recorder

import (
	"strconv"
	"strings"

	"asldb/engine/asl"
	"asldb/internal/wording"
)

// located is the place of a state path.
type located struct {
	state *asl.State
	// parent is the path of the Parallel or Map state around it, empty at the top; index is the number
	// of the branch or iteration.
	parent string
	index  int
}

// locate finds the state at a state path ("Order/Branches[1]/Charge") in the definition; ok is false where it has none. Where the
// definition is not known it makes a state that has the name and, of a container, the type.
func (t *Trace) locate(path string) (found located, ok bool) {
	if known, ok := t.read.places.get(path); ok {
		return known, true
	}
	if t.definition == nil {
		found = t.guess(path)
	} else if found, ok = locateIn(t.definition.Top, path, ""); !ok {
		return found, false
	}
	t.read.places.set(path, found)
	return found, true
}

const (
	branchesStep   = "Branches["
	iterationsStep = "Iterations["
)

// locateIn looks for the rest of a path in a scope; before is the path of the scope. Names may have slashes
// and brackets in themselves, so the definition decides.
func locateIn(scope *asl.Scope, path, before string) (located, bool) {
	for _, state := range scope.States {
		rest, ok := strings.CutPrefix(path, state.Name)
		if !ok {
			continue
		}
		if rest == "" {
			return located{state: state}, true
		}
		step, scopes := "/"+branchesStep, state.Branches
		if state.Type == asl.Map {
			step, scopes = "/"+iterationsStep, []*asl.Scope{state.Processor}
		}
		rest, ok = strings.CutPrefix(rest, step)
		digits, inner, closed := strings.Cut(rest, "]/")
		index, err := strconv.Atoi(digits)
		if !ok || !closed || err != nil || index < 0 || len(scopes) == 0 {
			continue
		}
		child := 0
		if state.Type != asl.Map {
			child = index
		}
		if child >= len(scopes) || scopes[child] == nil {
			continue
		}
		container := before + state.Name
		if found, ok := locateIn(scopes[child], inner, container+step+digits+"]/"); ok {
			if found.parent == "" {
				found.parent, found.index = container, index
			}
			return found, true
		}
	}
	return located{}, false
}

// lastStep is the innermost branch or iteration of a path, as far as its text says.
var lastStep = wording.Pattern(`^(?s:(.*))/(Branches|Iterations)\[(\d+)\]/(?s:(.*))$`)

// indexes are the numbers of iterations, which do not tell states apart.
var indexes = wording.Pattern(`/Iterations\[\d+\]/`)

// maxPath is the length of a state path, in bytes, up to which its steps are looked for in its text alone. Names of states have at most
// 80 characters.
const maxPath = 16 << 10

// guess reads a path by its text alone.
func (t *Trace) guess(path string) located {
	name, at := path, located{}
	if parts := lastStep().FindStringSubmatch(path); parts != nil && len(path) <= maxPath {
		at.parent, name = parts[1], parts[4]
		at.index, _ = strconv.Atoi(parts[3])
		parent, _ := t.locate(at.parent)
		container := parent.state
		if container.Node == nil { // it was made here as well
			container.Type = asl.Parallel
			if parts[2] == "Iterations" {
				container.Type = asl.Map
			}
		}
	}
	key := indexes().ReplaceAllString(path, "/Iterations[]/")
	if at.state = t.read.states[key]; at.state == nil {
		at.state = &asl.State{Name: name}
		if t.read.states == nil {
			t.read.states = make(map[string]*asl.State)
		}
		t.read.states[key] = at.state
	}
	return at
}
