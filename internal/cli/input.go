package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"asldb/engine/value"
	"asldb/internal/visible"
)

// stdinName stands for standard input, as an argument and in messages.
const (
	stdinArgument = "-"
	stdinName     = "<stdin>"
)

// readFile returns what stands in the file called name, or on standard input for "-".
func readFile(s *streams, name string) (shown string, data []byte, err error) {
	if name == stdinArgument {
		data, err = readLimited(s.in)
		return stdinName, data, wrapRead("standard input", err)
	}
	file, err := os.Open(name)
	if err != nil {
		return name, nil, wrapRead(fmt.Sprintf("%q", name), err)
	}
	defer file.Close()
	data, err = readLimited(file)
	return name, data, wrapRead(fmt.Sprintf("%q", name), err)
}

// readLimited stops one byte beyond the limit, so that the parser sees that there is more than it takes.
func readLimited(r io.Reader) ([]byte, error) {
	return io.ReadAll(io.LimitReader(r, value.DefaultBytes+1))
}

func wrapRead(what string, err error) error {
	if err == nil {
		return nil
	}
	var path *fs.PathError
	if errors.As(err, &path) { // it would name the file a second time
		err = path.Err
	}
	return fmt.Errorf("cannot read %s: %w", what, err)
}

// readValue returns the JSON value that a flag was given: as JSON, as the name of a file, or as "-". Of members
// with the same key the last holds, as in Step Functions, which is worth a warning.
func readValue(s *streams, flag, argument string) (value.Value, error) {
	v, repeated, err := readNoting(s, flag, argument)
	for i, r := range repeated {
		if i == maxWarnings {
			fmt.Fprintf(s.err, "--%s: warning: and more such keys\n", flag)
			break
		}
		fmt.Fprintf(s.err, "--%s: warning: %s; the last one holds\n", flag, visible.Line(describeRepeated(r)))
	}
	return v, err
}

// maxWarnings bounds how many repeated keys are told.
const maxWarnings = 10

func describeRepeated(r value.RepeatedKey) string {
	return fmt.Sprintf("line %d, column %d: the key %q stands here a second time", r.Line, r.Col, clip(r.Key, maxQuoted))
}

// readNoting is readValue, and leaves what is to be said about repeated keys to its caller.
func readNoting(s *streams, flag, argument string) (value.Value, []value.RepeatedKey, error) {
	if looksLikeJSON(argument) {
		v, repeated, err := value.ParseNoting([]byte(argument), value.Limits{})
		if err != nil {
			return nil, nil, fmt.Errorf("--%s is not JSON: %w\n(it was read as JSON, not as the name of a file, because of how it begins)", flag, err)
		}
		return v, repeated, nil
	}
	name, data, err := readFile(s, argument)
	if err != nil {
		return nil, nil, fmt.Errorf("--%s: %w\n(it was read as the name of a file: JSON begins with {, [ or \", or is a number, true, false or null)", flag, err)
	}
	v, repeated, err := value.ParseNoting(data, value.Limits{})
	if err != nil {
		var syntax *value.SyntaxError
		if errors.As(err, &syntax) {
			return nil, nil, fmt.Errorf("--%s: %s:%d:%d: not JSON: %s", flag, name, syntax.Line, syntax.Col, syntax.Msg)
		}
		return nil, nil, fmt.Errorf("--%s: %s: %w", flag, name, err)
	}
	return v, repeated, nil
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
