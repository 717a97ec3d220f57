package keys

import (
	"fmt"
	"strings"

	"asldb/internal/wording"
)

// CommandError is the error of an invalid command line.
type CommandError struct {
	Name string // the command's name as entered
	Near string // a command that was perhaps meant, or ""
	// Usage is the usage of a command that was given an argument although it takes none, or "".
	Usage string
}

// Error implements error.
func (e *CommandError) Error() string {
	switch {
	case e.Usage != "":
		return fmt.Sprintf(":%s takes nothing after its name", e.Name)
	case e.Near != "":
		return fmt.Sprintf("there is no command %q; did you mean :%s?", e.Name, e.Near)
	}
	return fmt.Sprintf("there is no command %q", e.Name)
}

// Command reads a command line without its colon: the name, and after a blank the argument. A number alone is the
// number of an event to go to; so is an id of Step Functions' history (#9), and a cause that quotes one. The error is a
// *CommandError.
func (m *Map) Command(line string) (a Action, argument string, err error) {
	name, argument, _ := strings.Cut(strings.TrimLeft(line, " :"), " ")
	if strings.TrimSpace(argument) == "" {
		argument = "" // otherwise blanks stay: a state's name may have them at its ends
	}
	if namesEvent(name, argument) && m.Has(GoTo) {
		return GoTo, strings.TrimSpace(strings.TrimLeft(line, " :")), nil
	}
	a, ok := m.byName[name]
	switch {
	case !ok:
		return None, "", &CommandError{Name: name, Near: wording.Nearest(name, m.names)}
	case argument != "" && m.byAction[a].Arg == NoArg:
		return None, "", &CommandError{Name: name, Usage: m.byAction[a].Usage()}
	}
	return a, argument, nil
}

// namesEvent reports whether a command line names an event: a number, an id as #9, or a cause that quotes
// one.
func namesEvent(name, argument string) bool {
	if name != "" && argument == "" && strings.Trim(strings.TrimPrefix(name, "#"), "0123456789") == "" && name != "#" {
		return true
	}
	return strings.Contains(argument, "entered at the event id #")
}

// names yields every name of a command, in the order of the table.
func (m *Map) names(yield func(string) bool) {
	for i := range m.bindings {
		for _, name := range m.bindings[i].Names {
			if !yield(name) {
				return
			}
		}
	}
}
