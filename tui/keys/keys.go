// Package keys is the one table of what can be done and with which keys. The dispatch, the line of
// hints and the help page are all made from it, so they cannot disagree.
package keys

import "strings"

// Action is something that a person can do.
type Action uint8

// The actions.
const (
	None Action = iota

	StepStage
	StepState
	StepOver
	StepOut
	Continue
	Pause
	RunTo
	Restart

	ToggleBreak
	AddBreak
	ListBreaks
	BreakOnError
	DeleteBreak

	NextTimer
	AdvanceBy
	ClockMode
	Answer

	DataView
	Unfold
	Look
	Now
	Zoom
	FocusNext
	FocusPrevious
	FocusData
	FocusOutline
	FocusEvents
	FocusSide

	Up
	Down
	Left
	Right
	PageUp
	PageDown
	Top
	Bottom
	Find
	FindNext
	FindPrevious

	Help
	Redraw
	Suspend
	Quit
	Kill
	actionCount
)

// Group is a heading of the help page.
type Group string

// The groups, in the order of the help page.
const (
	GroupRun    Group = "Go forward"
	GroupBreaks Group = "Breakpoints"
	GroupClock  Group = "Time and tasks"
	GroupLook   Group = "Look"
	GroupMove   Group = "Move"
	GroupOther  Group = "Other"
)

// Groups returns the groups in the order of the help page.
func Groups() []Group {
	return []Group{GroupRun, GroupBreaks, GroupClock, GroupLook, GroupMove, GroupOther}
}

// Binding ties an action to its keys.
type Binding struct {
	Action Action
	// Keys are as Bubble Tea names them; the first is the one that the hints show.
	Keys []string
	// Short stands in the line of hints, Help on the help page.
	Short, Help string
	Group       Group
}

// Map is the table with its index.
type Map struct {
	bindings []Binding
	byKey    map[string]Action
	byAction [actionCount]*Binding
}

// Default returns the usual keys.
func Default() *Map { return build(table()) }

func build(bindings []Binding) *Map {
	m := &Map{bindings: bindings, byKey: make(map[string]Action)}
	for i := range bindings {
		b := &m.bindings[i]
		m.byAction[b.Action] = b
		for _, key := range b.Keys {
			m.byKey[key] = b.Action
		}
	}
	return m
}

// Lookup returns the action of a key, or None.
func (m *Map) Lookup(key string) Action { return m.byKey[key] }

// Bindings returns the whole table, in order. It must not be changed.
func (m *Map) Bindings() []Binding { return m.bindings }

// Binding returns the row of an action.
func (m *Map) Binding(a Action) Binding {
	if b := m.byAction[a]; b != nil {
		return *b
	}
	return Binding{}
}

// Key returns the first key of an action, as it is shown to people.
func (m *Map) Key(a Action) string {
	if b := m.byAction[a]; b != nil {
		return Shown(b.Keys[0])
	}
	return ""
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
func (b Binding) AllShown() string {
	shown := make([]string, len(b.Keys))
	for i, key := range b.Keys {
		shown[i] = Shown(key)
	}
	return strings.Join(shown, ", ")
}
