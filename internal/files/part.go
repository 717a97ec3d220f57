package files

import "fmt"

// Part is the part of a run that an argument describes.
type Part uint8

// The parts that a [PartError] names.
const (
	PartInput Part = iota + 1
	PartBreakpoint
	PartTrace
	PartDefinition
	PartResource
	PartSubstitute
	PartSubstitutions
	PartFixtures
	PartMockConfig
	PartCase
	PartExecution
	PartAttempt
	PartFork
)

var partNames = [...]string{
	PartInput: "the input", PartBreakpoint: "the breakpoint", PartTrace: "the trace", PartDefinition: "the definition",
	PartResource: "the resource", PartSubstitute: "the substitution", PartSubstitutions: "the file of substitutions",
	PartFixtures: "the fixtures file", PartMockConfig: "the mock configuration", PartCase: "the case",
	PartExecution: "the execution", PartAttempt: "the attempt", PartFork: "the fork",
}

// String returns the name of the part.
func (p Part) String() string {
	if p > 0 && int(p) < len(partNames) {
		return partNames[p]
	}
	return fmt.Sprintf("Part(%d)", uint8(p))
}

// PartError says that a part of a Spec is wrong.
type PartError struct {
	Part Part
	Err  error
	// say returns the message with a name for the part; nil: the name, a colon and Err.
	say func(part string) string
}

// ErrorAbout returns an error whose message is a sentence around the name of the part, which replaces %[1]s in the format.
func ErrorAbout(part Part, format string, args ...any) *PartError {
	return &PartError{Part: part, say: func(name string) string { return fmt.Sprintf(format, append([]any{name}, args...)...) }}
}

// With returns the message with another name for the part, such as that of a flag.
func (e *PartError) With(name string) string {
	if e.say != nil {
		return e.say(name)
	}
	return name + ": " + e.Err.Error()
}

// Error implements error.
func (e *PartError) Error() string { return e.With(e.Part.String()) }

// Unwrap returns Err.
func (e *PartError) Unwrap() error { return e.Err }

// Warning is a possible mistake in a file or text that an argument names, or a note about it.
type Warning struct {
	Part  Part
	Where string // the name of the file, with line and column where they are known; empty: the part itself
	Text  string
	// Note is set where it is no mistake, but a fact to tell the user.
	Note bool
}
