package command

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"asldb/internal/launch"
	"asldb/internal/report"
	"asldb/internal/wording"
)

// form is a flag whose help shows the words that it takes.
type form struct {
	value *string
	words string
	open  bool
}

// NewForm returns a flag for value, with its initial value and the words that it takes ("text|json"). Others are a [launch.ValueError].
func NewForm(value *string, initial, words string) form {
	*value = initial
	return form{value, words, false}
}

// NewPattern returns a flag for value whose help shows a pattern ("skip|xN"). The value is checked where it is used.
func NewPattern(value *string, initial, shown string) form {
	*value = initial
	return form{value, shown, true}
}

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
		return &launch.ValueError{Is: OrList(words), Given: text}
	}
	*f.value = text
	return nil
}

func (f form) Type() string { return f.words }

// shardFlag is the flag --shard.
type shardFlag struct{ *report.Shard }

// String, Set and Type implement pflag.Value.
func (f shardFlag) String() string {
	if f.Shard == nil {
		return ""
	}
	return f.Shard.String()
}

func (f shardFlag) Set(text string) error {
	shard, ok := report.ParseShard(text)
	if !ok {
		return &launch.ValueError{Is: "K/N with K from 1 to N, such as 2/8", Given: text}
	}
	*f.Shard = shard
	return nil
}

func (f shardFlag) Type() string { return "K/N" }

// AddShardTo adds --shard, the share of the inputs that a command works on.
func AddShardTo(cmd *cobra.Command, shard *report.Shard) {
	cmd.Flags().Var(shardFlag{shard}, "shard",
		"work on the share `K/N` of the inputs; asldb merge puts the JSON of all shards together")
}

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

// CompleteWords offers words for a flag.
func CompleteWords(cmd *cobra.Command, flag string, words ...string) {
	// It fails only for a flag that does not exist.
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// Seen returns the names without a hidden character: a shell writes completions to the terminal unchanged.
func Seen(names []string) []string {
	return slices.DeleteFunc(names, func(name string) bool { return wording.Line(name) != name })
}

// NewOutput are the words of [AddOutputTo] about a file that is not replaced.
const NewOutput = "; it must not exist (default: standard output)"

// AddOutputTo adds --output, the file that a command writes, with further words about it.
func AddOutputTo(cmd *cobra.Command, output *string, rest string) {
	cmd.Flags().VarP(NewFilled(output, ""), "output", "o", "the `FILE` to write"+rest)
}

// AddFormatTo adds --format, the form of what a command prints, with further words about it and the words that it
// takes; the first is the default.
func AddFormatTo(cmd *cobra.Command, format *string, rest string, words ...string) {
	cmd.Flags().Var(NewForm(format, words[0], strings.Join(words, "|")), "format", formatMeaning+rest)
}

const formatMeaning = "the form of the output"
