package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"asldb/engine/value"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/report"
	"asldb/internal/wording"
)

// Reports are the flags of every command that reports: --format FORM, -o FILE, --report FORM=FILE and --json, with --ascii and --no-color for
// its text.
type Reports struct {
	// Format is the form of the report on standard output or in Output.
	Format, Output string
	// Files are the reports of --report: FORM=FILE, or FORM.
	Files []string
	JSON  bool
	// Width is the text's width in columns; 0: the width of the terminal.
	Width int

	forms []string // that the command has
	flags *pflag.FlagSet
	given launch.Given // --ascii and --no-color
}

// formFlag is the flag --format.
type formFlag struct{ *Reports }

// String, Set and Type implement pflag.Value.
func (f formFlag) String() string {
	if f.Reports == nil {
		return ""
	}
	return f.Format
}

func (f formFlag) Set(word string) error {
	name, ok := report.FormNamed(word, f.forms)
	if !ok {
		return &launch.ValueError{Is: OrList(f.forms), Given: word}
	}
	f.Format = name
	return nil
}

func (f formFlag) Type() string { return strings.Join(f.forms, "|") }

// AddTo adds the flags to a command whose report has these forms; the first is the default.
func (r *Reports) AddTo(cmd *cobra.Command, forms []string) {
	flags := cmd.Flags()
	r.forms, r.Format, r.flags = forms, forms[0], flags
	flags.Var(formFlag{r}, "format", formatMeaning)
	AddOutputTo(cmd, &r.Output, " (default: standard output)")
	flags.StringArrayVar(&r.Files, "report", nil, "write a report: `FORM[=FILE]`, with a form of --format (without FILE or with -\non standard output); repeatable")
	if slices.Contains(forms, report.JSONForm) {
		flags.BoolVar(&r.JSON, "json", false, "short for --format json")
	}
	if isDoc := slices.Contains(forms, "html"); isDoc && flags.Lookup("ascii") == nil {
		RowsOf(cmd, &r.given).Row("ascii").Row("no-color")
	}
	CompleteWords(cmd, "format", forms...)
	_ = cmd.RegisterFlagCompletionFunc("report", func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		return begin(forms, begun), cobra.ShellCompDirectiveNoFileComp // a file behind the form would replace it
	})
}

// Given reports whether one of the flags says where a report goes, or in which form.
func (r *Reports) Given() bool {
	return slices.ContainsFunc([]string{"format", "output", "report", "json"}, r.flags.Changed)
}

// Target is a report that the flags ask for.
type Target struct {
	Form string
	// File is where it goes; empty: to standard output.
	File string
	// To receives the report.
	To   io.Writer
	Look report.Look
}

// Sinks are the reports that the flags ask for. Their files are begun before the work; each is replaced when it is complete.
type Sinks struct {
	Targets []Target
	pending []*files.Pending
	answer  func(*report.Answer) // takes the answer in place of the targets; nil: nothing does
}

// targets returns the reports that the flags ask for. The error is about the flags.
func (r *Reports) targets() ([]Target, error) {
	if r.JSON {
		if r.flags.Changed("format") && r.Format != report.JSONForm {
			return nil, errors.New("--json and --format exclude each other")
		}
		r.Format = report.JSONForm
	}
	var list []Target
	if len(r.Files) == 0 || r.JSON || r.flags.Changed("format") || r.Output != "" {
		list = append(list, Target{Form: r.Format, File: r.Output})
	}
	for _, text := range r.Files {
		word, file, _ := strings.Cut(text, "=")
		name, ok := report.FormNamed(word, r.forms)
		if !ok {
			return nil, fmt.Errorf("--report is %s, not %q", OrList(r.forms), Clip(word, MaxQuoted))
		}
		list = append(list, Target{Form: name, File: file})
	}
	for i := range list {
		t := &list[i]
		if t.File == files.Stdin {
			t.File = ""
		}
		for _, other := range list[:i] {
			if t.File != "" && filepath.Clean(t.File) == filepath.Clean(other.File) {
				return nil, fmt.Errorf("--report: two reports go to %s", wording.Line(t.File))
			}
		}
	}
	return list, nil
}

// Has reports whether the flags ask for one of some forms.
func (r *Reports) Has(forms ...string) bool {
	format := r.Format
	if r.JSON {
		format = report.JSONForm
	}
	if (len(r.Files) == 0 || r.JSON || r.flags.Changed("format") || r.Output != "") && slices.Contains(forms, format) {
		return true
	}
	return slices.ContainsFunc(r.Files, func(text string) bool {
		word, _, _ := strings.Cut(text, "=")
		name, ok := report.FormNamed(word, r.forms)
		return ok && slices.Contains(forms, name)
	})
}

// HaveOther reports whether one of the reports is in a form that is not made of these kinds.
func (s *Sinks) HaveOther(kinds report.Kind) bool {
	of := report.FormsOf(kinds)
	return slices.ContainsFunc(s.Targets, func(t Target) bool { return !slices.Contains(of, t.Form) })
}

// Open begins the reports: it tries every file before the work. Drop must be called at the end.
func (r *Reports) Open(s *Streams) (*Sinks, error) {
	list, err := r.targets()
	if err != nil {
		return nil, err
	}
	sinks := &Sinks{Targets: list, answer: s.Answer}
	for i := range list {
		t := &list[i]
		t.To, t.Look = s.Out, r.Look(s)
		if t.File == "" {
			continue
		}
		t.Look.Colour, t.Look.Width = false, r.Width
		file, err := files.Begin(t.File, 0o666)
		if err != nil {
			sinks.Drop()
			flag := "report"
			if t.File == r.Output {
				flag = "output"
			}
			return nil, fmt.Errorf("--%s: %w", flag, err)
		}
		t.To = file
		sinks.pending = append(sinks.pending, file)
	}
	return sinks, nil
}

// ASCII and NoColor are flags of the command, which may be ones of its screen.
func (r *Reports) ASCII() bool { return r.on("ascii") }

// NoColor is --no-color.
func (r *Reports) NoColor() bool { return r.on("no-color") }

func (r *Reports) on(flag string) bool {
	if r.flags == nil {
		return false
	}
	set, _ := r.flags.GetBool(flag)
	return set
}

// Look is the look of a report on standard output.
func (r *Reports) Look(s *Streams) report.Look {
	look := report.Look{
		Width: r.Width, ASCII: r.ASCII(), Colour: Painter(s.Out, r.NoColor()) != nil, Version: Version(),
		Home: func(file string) string { return files.Relative(SourceRoot(), file) },
	}
	look.Links = look.Colour && os.Getenv("TERM") != "linux" // whose console shows the addresses
	if look.Width == 0 {
		look.Width = WidthOf(s.Out)
	}
	return look
}

// Write writes an answer in all forms, and ends.
func (s *Sinks) Write(a *report.Answer) error {
	defer s.Drop()
	if s.answer != nil {
		s.answer(a)
		return nil
	}
	for i := range s.Targets {
		if err := a.Write(s.Targets[i].To, s.Targets[i].Form, s.Targets[i].Look); err != nil {
			return fmt.Errorf("cannot write the report: %w", err)
		}
	}
	return s.Commit()
}

// Commit gives all files their names.
func (s *Sinks) Commit() (err error) {
	for _, file := range s.pending {
		err = errors.Join(err, file.Commit())
	}
	return err
}

// Drop leaves the files as they were; after Commit it does nothing.
func (s *Sinks) Drop() {
	for _, file := range s.pending {
		file.Drop()
	}
}

// Answered writes the report of a command whose work needs no file of a report before it.
func (r *Reports) Answered(s *Streams, a *report.Answer) error {
	sinks, err := r.Open(s)
	if err != nil {
		return err
	}
	return sinks.Write(a)
}

// SourceRoot returns the folder from which reports for code hosts name files: the root of the repository, else the working folder.
func SourceRoot() string {
	if root := os.Getenv("GITHUB_WORKSPACE"); root != "" {
		return root
	}
	folder, err := os.Getwd()
	if err != nil {
		return "" // names stay as they were given
	}
	if root, ok := files.Repository(folder); ok {
		return root
	}
	return folder
}

// WrapWrite returns the error of a write to standard output, nil for nil.
func WrapWrite(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("cannot write the output: %w", err)
}

// PrintValue writes a value as JSON, in one line.
func PrintValue(s *Streams, v value.Value) error {
	if _, err := s.Out.Write(wording.JSON(append(value.Append(nil, v), '\n'))); err != nil {
		return fmt.Errorf("cannot write the output: %w", err)
	}
	return nil
}

// WriteNew writes a file that is not there yet, or to standard output.
func WriteNew(s *Streams, name string, data []byte) error {
	if name == "" || name == files.Stdin {
		if _, err := s.Out.Write(data); err != nil {
			return fmt.Errorf("cannot write the file: %w", err)
		}
		return nil
	}
	return files.Create(name, 0o666, data)
}
