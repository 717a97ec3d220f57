package keys

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// KeyError is the error of a change of keys that is not possible.
type KeyError struct {
	Action Action
	Key    string
	// Other is the action that has the key already, or None.
	Other  Action
	reason string
}

// Error implements error.
func (e *KeyError) Error() string { return e.reason }

// With returns the table with other keys for some actions; an empty list leaves an action to its command. The error
// is a *KeyError: a key that does not exist, that two actions would have, or that cannot be taken away.
func (m *Map) With(changes map[Action][]string) (*Map, error) {
	rows := slices.Clone(m.bindings)
	for i := range rows {
		if list, changed := changes[rows[i].Action]; changed {
			rows[i].Keys, rows[i].Earlier = list, nil
		}
	}
	for i := range rows { // a key that the user has chosen says nothing of its past
		rows[i].Earlier = slices.DeleteFunc(slices.Clone(rows[i].Earlier), func(key string) bool {
			for _, list := range changes {
				if slices.Contains(list, key) {
					return true
				}
			}
			return false
		})
	}
	taken := make(map[string]*Binding)
	for i := range rows {
		b := &rows[i]
		for _, key := range b.Keys {
			other := taken[key]
			switch {
			case !ValidKey(key):
				return nil, &KeyError{Action: b.Action, Key: key, reason: fmt.Sprintf("there is no key %q", key)}
			case other == nil:
				taken[key] = b
			default:
				if _, changed := changes[b.Action]; !changed {
					b, other = other, b // the one that was changed is the one to blame
				}
				return nil, &KeyError{Action: b.Action, Key: key, Other: other.Action, reason: fmt.Sprintf(
					"the key %s belongs to %s already; give that another one as well", Shown(key), other.Names[0])}
			}
		}
	}
	if stop := m.byAction[Kill]; stop != nil {
		if b := taken["ctrl+c"]; b == nil || b.Action != Kill {
			return nil, &KeyError{Action: Kill, Key: "ctrl+c", reason: "ctrl+c always ends the program; " + stop.Names[0] + " must keep it"}
		}
	}
	return build(rows), nil
}

// Named returns the action of a command's name, or None.
func (m *Map) Named(name string) Action { return m.byName[name] }

// Names yields the first name of every action, in the order of the table.
func (m *Map) Names(yield func(string) bool) {
	for i := range m.bindings {
		if !yield(m.bindings[i].Names[0]) {
			return
		}
	}
}

// Special returns the keys with a name that terminals can send, besides letters, ctrl+letter and f1 to f20.
func Special() []string {
	return []string{
		"up", "down", "left", "right", "home", "end", "pgup", "pgdown", "insert", "delete", "backspace", "enter", "tab", "esc",
		"shift+tab", "shift+up", "shift+down", "shift+left", "shift+right", "shift+home", "shift+end",
		"ctrl+up", "ctrl+down", "ctrl+left", "ctrl+right", "ctrl+home", "ctrl+end", "ctrl+pgup", "ctrl+pgdown",
		"ctrl+\\", "ctrl+]", "ctrl+^", "ctrl+_", "ctrl+@", " ",
	}
}

// ValidKey reports whether key names a key as the table does: a character, ctrl+ or alt+ with one, a function key, or
// a word such as pgup.
func ValidKey(key string) bool {
	if rest, ok := strings.CutPrefix(key, "alt+"); ok {
		key = rest
	}
	if utf8.RuneCountInString(key) == 1 {
		r, _ := utf8.DecodeRuneInString(key)
		return r >= ' ' && r != utf8.RuneError && r != 0x7f
	}
	if letter, ok := strings.CutPrefix(key, "ctrl+"); ok && len(letter) == 1 && letter[0] >= 'a' && letter[0] <= 'z' {
		return letter != "i" && letter != "m" // terminals send tab and enter for these
	}
	if number, ok := strings.CutPrefix(key, "f"); ok {
		for n := 1; n <= 20; n++ {
			if number == fmt.Sprint(n) {
				return true
			}
		}
	}
	return slices.Contains(Special(), key)
}
