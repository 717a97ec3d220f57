// Package keys is the one table of actions: each with its keys, its command, the argument that the
// command takes, and its help. Dispatch, hints, the help page, the palette, the prompt and the documentation's list of
// keys are all made from it, so they cannot disagree.
package keys

import (
	"slices"
	"strings"
)

// Group is a heading of the help page.
type Group uint8

// The groups, in the order of the help page.
const (
	GroupRun Group = iota
	GroupBack
	GroupBreaks
	GroupWatches
	GroupEdits
	GroupClock
	GroupGraph
	GroupData
	GroupThreads
	GroupTimeline
	GroupLook
	GroupMove
	GroupOther
	GroupExecutions
	GroupVersions
	GroupProblems
	GroupChoices
	GroupSnapshots
	GroupRepository
)

var groupNames = [...]string{
	GroupRun:      "Go forward",
	GroupBack:     "Go back",
	GroupBreaks:   "Breakpoints",
	GroupWatches:  "Watches and values",
	GroupEdits:    "Change the run",
	GroupClock:    "Time and tasks",
	GroupGraph:    "Graph",
	GroupData:     "Data",
	GroupThreads:  "Branches and iterations",
	GroupTimeline: "Events and runs",
	GroupLook:     "Look",
	GroupMove:     "Move",
	GroupOther:    "Other",

	GroupExecutions: "The list of executions (asldb debug --state-machine, --histories)",
	GroupVersions:   "The list of differences (asldb compare --screen)",
	GroupProblems:   "A definition with errors (asldb debug)",
	GroupChoices:    "A choice: the definitions of a file or folder, the cases of asldb test --watch",
	GroupSnapshots:  "The review of snapshots and expectations (asldb test --review and --watch)",
	GroupRepository: "The machines, suites and recordings of a folder (asldb)",
}

// String returns the words of the heading.
func (g Group) String() string { return groupNames[g] }

// Groups returns the groups in the order of the help page.
func Groups() []Group {
	groups := make([]Group, len(groupNames))
	for i := range groups {
		groups[i] = Group(i)
	}
	return groups
}

// Arg is the kind of a command's argument. It decides the prompt's completions.
type Arg uint8

// The kinds of arguments. Those that begin with Maybe can be left out.
const (
	NoArg        Arg = iota
	Spec             // where to stop: STATE, STATE:STAGE, error, ... if EXPRESSION
	Path             // a path into the data
	Expression       // an expression over the data
	Duration         // a time: 30s, 5m, 1h30m
	Event            // the number of an event
	Text             // any text
	MaybeState       // a state's name or path
	MaybeClock       // skip, real, xN, hand, or + and a duration
	MaybeView        // diff, side, before, after, wanted, definition
	MaybeCopy        // value, path, document
	MaybeFile        // the name of a file
	MaybeDensity     // boxes, chips, rail
	MaybePath        // a path into the data
	MaybeNumber      // the number of an iteration
	MaybeFilter      // failed, state NAME, thread N, a text or an expression
	MaybeNote        // any text
	MaybeSave        // save, and the name of a file
)

// Required reports whether the command cannot do without its argument.
func (a Arg) Required() bool { return a > NoArg && a < MaybeState }

// String is the argument as a usage line shows it: "SPEC", "[STATE]", or "" where there is none.
func (a Arg) String() string {
	return [...]string{
		"", "SPEC", "PATH", "EXPRESSION", "DURATION", "NUMBER", "TEXT", "[STATE]", "[MODE|+DURATION]",
		"[diff|side|before|after|wanted|definition]", "[value|path|document]", "[FILE]", "[boxes|chips|rail]", "[PATH]", "[NUMBER]", "[FILTER]", "[NOTE]", "[save FILE]",
	}[a]
}

// Words returns the words that an argument can be, where they are few and fixed.
func (a Arg) Words() []string {
	switch a {
	case MaybeClock:
		return []string{"skip", "real", "x60", "manual"}
	case MaybeView, MaybeCopy, MaybeDensity:
		return strings.Split(strings.Trim(a.String(), "[]"), "|")
	default:
	}
	return nil
}

// Binding is one row of the table.
type Binding struct {
	Action Action
	// Names are the command's, without the colon; the first is the one that is shown.
	Names []string
	old   []string // names of earlier versions, which still work and are shown nowhere
	// Keys are as Bubble Tea names them; the first is the one that the hints show. Earlier are the keys that the action
	// had before it became a command: they work, and name it when they are pressed.
	Keys, Earlier []string
	Arg           Arg
	// Short is the word in the bottom line of the lists outside of a session, Help the text of the help page.
	Short, Help string
	Group       Group
}

// Map is the table with its index.
type Map struct {
	bindings []Binding
	byKey    map[string]Action
	moved    map[string]Action // the earlier keys
	byName   map[string]Action
	byAction [actionCount]*Binding
}

// Default returns every action with its usual keys.
func Default() *Map { return build(table()) }

func build(bindings []Binding) *Map {
	m := &Map{bindings: bindings, byKey: make(map[string]Action), byName: make(map[string]Action), moved: make(map[string]Action)}
	for i := range bindings {
		b := &m.bindings[i]
		m.byAction[b.Action] = b
		for _, key := range b.Keys {
			m.byKey[key] = b.Action
		}
		for _, name := range b.Names {
			m.byName[name] = b.Action
		}
		for _, name := range b.old {
			m.byName[name] = b.Action
		}
	}
	for i := range bindings {
		for _, key := range bindings[i].Earlier {
			if _, taken := m.byKey[key]; !taken {
				m.byKey[key], m.moved[key] = bindings[i].Action, bindings[i].Action
			}
		}
	}
	return m
}

// Only returns the table with nothing but the given actions: those without a handler are not shown.
func (m *Map) Only(actions []Action) *Map {
	var rows []Binding
	for i := range m.bindings {
		if slices.Contains(actions, m.bindings[i].Action) {
			rows = append(rows, m.bindings[i])
		}
	}
	return build(rows)
}

// Lookup returns the action of a key, or None.
func (m *Map) Lookup(key string) Action { return m.byKey[key] }

// Moved returns the key or command that replaced an earlier key, "" for a key that is not an earlier one.
func (m *Map) Moved(key string) string {
	if a, moved := m.moved[key]; moved {
		return m.Key(a)
	}
	return ""
}

// Bindings returns the whole table, in order. It must not be changed.
func (m *Map) Bindings() []Binding { return m.bindings }

// In returns the rows of a group, in order.
func (m *Map) In(group Group) []Binding {
	var rows []Binding
	for i := range m.bindings {
		if m.bindings[i].Group == group {
			rows = append(rows, m.bindings[i])
		}
	}
	return rows
}

// Binding returns the row of an action; it is empty for one that the table does not have.
func (m *Map) Binding(a Action) Binding {
	if b := m.byAction[a]; b != nil {
		return *b
	}
	return Binding{}
}

// Has reports whether the table has the action.
func (m *Map) Has(a Action) bool { return m.byAction[a] != nil }

// Key returns the first key of an action, as it is shown to people; where it has none, its command.
func (m *Map) Key(a Action) string {
	switch b := m.byAction[a]; {
	case b == nil:
		return ""
	case len(b.Keys) == 0:
		return ":" + b.Names[0]
	default:
		return Shown(b.Keys[0])
	}
}

// Any returns the first key of an action, an earlier one where it has no other; where it has none, its command. The
// bottom lines of lists use it, in which the earlier keys belong to the list.
func (m *Map) Any(a Action) string {
	if b := m.byAction[a]; b != nil && len(b.Keys) == 0 && len(b.Earlier) > 0 {
		return Shown(b.Earlier[0])
	}
	return m.Key(a)
}

// Shown returns a key's name for people.
func Shown(key string) string {
	switch key {
	case " ":
		return "space"
	case "pgup":
		return "PgUp"
	case "pgdown":
		return "PgDn"
	}
	if len(key) > 1 && key[0] == 'f' && key[1] >= '0' && key[1] <= '9' {
		return strings.ToUpper(key)
	}
	return key
}

// AllShown returns every key of the binding for people: "i, F7".
func (b *Binding) AllShown() string { return allShown(b.Keys) }

func allShown(keys []string) string {
	shown := make([]string, len(keys))
	for i, key := range keys {
		shown[i] = Shown(key)
	}
	return strings.Join(shown, ", ")
}

// Usage returns the command with its argument: ":break SPEC".
func (b *Binding) Usage() string {
	usage := ":" + b.Names[0]
	if b.Arg != NoArg {
		usage += " " + b.Arg.String()
	}
	return usage
}
