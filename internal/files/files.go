package files

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// Stdin means standard input, as the name of a file; StdinName is its name in messages.
const (
	Stdin     = "-"
	StdinName = "<stdin>"
)

// MaxWarnings bounds the warnings of one kind about one file.
const MaxWarnings = 10

// Files reads files by the names that the user gave.
type Files struct {
	Stdin io.Reader
	// Changed has contents of files that are taken in place of those on the disk, by name; standard input's by
	// StdinName.
	Changed map[string][]byte
	// Opened is called with the name of each file that is about to be read; nil: nothing is.
	Opened func(name string)
}

// Read returns the content of the file called name, or of standard input for "-", and the name for messages. It reads
// no more than the parsers take.
func (f Files) Read(name string) (shown string, data []byte, err error) {
	if name == Stdin && f.Changed[StdinName] == nil {
		data, err = Bounded(StdinName, f.Stdin, value.DefaultBytes)
		return StdinName, data, readError("standard input", err)
	}
	return f.read(name, Given)
}

// ReadBeside is Read of a file that the one called from names: a regular file within the root of that.
func (f Files) ReadBeside(from, name string) (shown string, data []byte, err error) {
	return f.read(Beside(from, name), RootOf(from).Read)
}

func (f Files) read(name string, open func(string, int64) ([]byte, error)) (shown string, data []byte, err error) {
	if data, changed := f.changed(name); changed {
		return data.Name, data.Data, nil
	}
	if f.Opened != nil {
		f.Opened(name)
	}
	if data, err = open(name, value.DefaultBytes); err != nil {
		err = ReadError(name, err)
	}
	return name, data, err
}

// changed returns the content of a file in place of the one on the disk.
func (f Files) changed(name string) (file source.File, ok bool) {
	if len(f.Changed) == 0 {
		return file, false
	}
	if name == Stdin {
		name = StdinName
	}
	data, ok := f.Changed[name]
	return source.File{Name: name, Data: data}, ok
}

// ReadError returns the error of reading a file called name; where it is not there, with the one that is meant.
func ReadError(name string, err error) error {
	failed := readError(fmt.Sprintf("%q", name), err)
	if !errors.Is(err, fs.ErrNotExist) {
		return failed
	}
	folder, base := filepath.Split(name)
	entries, _ := os.ReadDir(cmp.Or(folder, ".")) // a folder that is not there has none
	names := slices.Values(value.Each(entries, os.DirEntry.Name))
	if meant := wording.Nearest(base, names); meant != "" {
		return fmt.Errorf("%w; did you mean %q?", failed, folder+meant)
	}
	return failed
}

func readError(file string, err error) error {
	var path *fs.PathError
	switch {
	case err == nil, Refused(err): // it names the file
		return err
	case errors.As(err, &path): // it would name the file a second time
		err = path.Err
	}
	return fmt.Errorf("cannot read %s: %w", file, err)
}

// A JSON is a value as an argument gave it.
type JSON struct {
	Value value.Value
	// Text is the text that the value was read from, byte for byte.
	Text string
	// Repeated are members whose key came before: of those with the same key the last holds, as in Step Functions.
	Repeated []value.RepeatedKey
}

// JSON returns the JSON value of an argument: JSON text, the name of a file, or "-". The error is a *[PartError] about the input.
func (f Files) JSON(argument string) (*JSON, error) {
	if looksLikeJSON(argument) {
		v, repeated, err := value.ParseNoting([]byte(argument), value.Limits{})
		if err != nil {
			return nil, InputError(err, "%[1]s is not JSON: %[2]v\n(it was read as JSON, not as the name of a file, because of how it begins)")
		}
		return &JSON{v, argument, repeated}, nil
	}
	name, data, err := f.Read(argument)
	if err != nil {
		return nil, InputError(err, "%[1]s: %[2]v\n(it was read as the name of a file: JSON begins with {, [ or \", or is a number, true, false or null)")
	}
	data = value.UTF8(data)
	v, repeated, err := value.ParseNoting(data, value.Limits{})
	var syntax *value.SyntaxError
	switch {
	case errors.As(err, &syntax):
		err = fmt.Errorf("%s:%d:%d: not JSON: %s", name, syntax.Line, syntax.Col, syntax.Msg)
		return nil, &PartError{Part: PartInput, Err: err}
	case err != nil:
		return nil, &PartError{Part: PartInput, Err: fmt.Errorf("%s: %w", name, err)}
	}
	return &JSON{v, string(data), repeated}, nil
}

// InputError returns an error about the input, with a message of the name of the part (%[1]s) and the error (%[2]v).
func InputError(err error, format string) *PartError {
	e := ErrorAbout(PartInput, format, err)
	e.Err = err
	return e
}

func looksLikeJSON(text string) bool {
	text = strings.TrimSpace(text)
	if text == "" {
		return false
	}
	switch text {
	case "true", "false", "null":
		return true
	}
	if _, err := value.ParseNumber(text); err == nil {
		return true
	}
	return strings.ContainsRune(`{["`, rune(text[0]))
}

// maxKey bounds a key in a message, in characters.
const maxKey = 200

// Repeated returns warnings about repeated keys.
func Repeated(keys []value.RepeatedKey) []string {
	var lines []string
	for i, r := range keys {
		if i == MaxWarnings {
			return append(lines, "and more such keys")
		}
		lines = append(lines, DescribeRepeated(r)+"; the last one holds")
	}
	return lines
}

// DescribeRepeated returns a description of a repeated key, with its place.
func DescribeRepeated(r value.RepeatedKey) string {
	key := r.Key
	if len(key) > maxKey {
		key = string([]rune(key[:maxKey])) + "…"
	}
	return fmt.Sprintf("line %d, column %d: the key %q is here a second time", r.Line, r.Col, key)
}

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
func (p Part) String() string { return wording.KindName(partNames[:], p) }

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

// With returns the message with another name for the part, such as a flag's.
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
	// Note is set where it isn't a mistake, but a fact to tell the user.
	Note bool
}
