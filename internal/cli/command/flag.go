package command

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/spf13/pflag"

	"asldb/engine"
	"asldb/internal/wording"
)

// form is a flag whose help shows the words that it takes.
type form struct {
	value *string
	words string
	open  bool
}

// NewForm returns a flag for value, with its initial value and the words that it takes ("text|json"). Others are a [WordError].
func NewForm(value *string, initial, words string) form {
	*value = initial
	return form{value, words, false}
}

// AddDialect adds the flag for the name of a dialect, in which runs behave.
func AddDialect(flags *pflag.FlagSet, value *string) {
	flags.Var(NewDialect(value), "dialect",
		"behave as Step Functions or as an edition of the specification: see asldb rules --dialects")
}

// NewDialect returns a flag for the name of a dialect.
func NewDialect(value *string) form {
	return NewForm(value, engine.AWS.String(), strings.Join(engine.DialectNames(), "|"))
}

// NewPattern returns a flag for value whose help shows a pattern ("skip|xN"). The value is checked where it is used.
func NewPattern(value *string, initial, shown string) form {
	*value = initial
	return form{value, shown, true}
}

// WordError says that a flag is given another word than those that it takes.
type WordError struct{ Words []string }

// Error implements error.
func (e *WordError) Error() string { return "it is " + OrList(e.Words) }

// OrList writes a list of words: "a, b or c".
func OrList(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// String, Set and Type implement pflag.Value.
func (f form) String() string {
	if f.value == nil {
		return ""
	}
	return *f.value
}

func (f form) Set(text string) error {
	if words := strings.Split(f.words, "|"); !f.open && !slices.Contains(words, text) {
		return &WordError{words}
	}
	*f.value = text
	return nil
}

func (f form) Type() string { return f.words }

// filled is a flag that takes any text but the empty one, which is most often a variable of the shell that is
// not set.
type filled struct{ value *string }

// NewFilled returns a flag for value, with its initial value. It rejects the empty text.
func NewFilled(value *string, initial string) filled {
	*value = initial
	return filled{value}
}

// String, Set and Type implement pflag.Value.
func (f filled) String() string {
	if f.value == nil {
		return ""
	}
	return *f.value
}

func (f filled) Set(text string) error {
	if text == "" {
		return ErrEmpty
	}
	*f.value = text
	return nil
}

func (f filled) Type() string { return "TEXT" }

// ErrEmpty is the error of a flag or an argument that is given an empty text.
var ErrEmpty = errors.New("an empty text")

// The forms of output that several commands have.
const (
	FormatText = "text"
	FormatJSON = "json"
)

// DefaultSeed is the seed of random choices where neither the flag nor the fixtures have one.
const DefaultSeed = 1

// CompleteWords offers words for a flag.
func CompleteWords(cmd *cobra.Command, flag string, words ...string) {
	// It fails only for a flag that does not exist.
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// Seen returns the names without a hidden character: a shell writes completions to the terminal unchanged.
func Seen(names []string) []string {
	return slices.DeleteFunc(names, func(name string) bool { return wording.Line(name) != name })
}

// ParseTime reads the time of a flag; where it is not given the time is zero.
func ParseTime(flag, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return at, fmt.Errorf("--%s is a time like 2026-01-01T00:00:00Z (RFC 3339), not %q", flag, text)
	}
	return at.UTC(), nil
}

// AddOutputTo adds --output, the file that a command writes.
func AddOutputTo(cmd *cobra.Command, output *string) {
	cmd.Flags().VarP(NewFilled(output, ""), "output", "o", "the `FILE` to write; it must not exist (default: standard output)")
}
