// Package view is the contract between the panes and the screen around them.
package view

import (
	"asldb/engine/value"
	"asldb/tui/keys"
)

// Binding ties an action to the function that carries it out. Several bindings may have the same action, such as Fold
// in the graph and in the events; the first one that applies is used.
type Binding struct {
	Action keys.Action
	// Applies reports whether the binding is in effect now; nil means that it always is.
	Applies func() bool
	// Bare reports that the binding takes no argument: a command with one is for another binding of the action.
	Bare bool
	// Run carries out the action. The argument is the rest of the command line, and empty when a key was pressed.
	Run func(argument string)
	// Disabled returns the reason why the action cannot be done now, or ""; nil means that there never is one.
	Disabled func() string
}

// Bindings are the bindings of a screen, the focused pane's before the others.
type Bindings []Binding

// Actions returns the actions that have a binding, each as often as it has one.
func (list Bindings) Actions() []keys.Action {
	return value.Each(list, func(each Binding) keys.Action { return each.Action })
}

// Find returns the first binding of an action that applies, or nil.
func (list Bindings) Find(a keys.Action) *Binding { return list.For(a, "") }

// For returns the first binding of an action that applies and takes the argument, or nil.
func (list Bindings) For(a keys.Action, argument string) *Binding {
	for i := range list {
		if b := &list[i]; b.Action == a && (b.Applies == nil || b.Applies()) && (argument == "" || !b.Bare) {
			return b
		}
	}
	return nil
}

// Run returns a function without an argument as the Run of a [Binding].
func Run(f func()) func(argument string) { return func(string) { f() } }

// Reason returns why the action of the binding cannot be done now, or "".
func (b *Binding) Reason() string {
	if b == nil || b.Disabled == nil {
		return ""
	}
	return b.Disabled()
}
