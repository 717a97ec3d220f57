package checks

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/internal/cli/command"
	"asldb/internal/files"
	"asldb/internal/project"
	"asldb/internal/report"
	"asldb/internal/wording"
)

// maxRounds bounds the rounds of corrections: one may show the next mistake, such as the target of a transition whose
// field was misspelt.
const maxRounds = 10

// correction is a change that --fix made, with its problem.
type correction struct {
	problem *source.Diagnostic
	edit    source.Edit
}

// String returns the correction as a line: the place, the old and the new word, the rule.
func (c *correction) String() string {
	at, old := c.edit.Span, string(c.edit.File.Data[c.edit.Span.Start.Offset:c.edit.Span.End.Offset])
	fixed := fmt.Sprintf("%q is now %q", old, c.edit.Text)
	if f := c.problem.Fix; f.Into != nil {
		fixed = f.String()
	}
	name := wording.Line(c.edit.File.Name)
	return fmt.Sprintf("%s:%d:%d: fixed: %s [%s]", name, at.Start.Line, at.Start.Col, fixed, c.problem.Rule)
}

// correct checks the definitions and makes the certain suggestions in memory, until there are no more. Files are read with these
// changes from then on.
func (f *validateFlags) correct(s *command.Streams, names []string) (changes *files.Changes, applied []correction, err error) {
	if err := f.rereadable(s, names); err != nil {
		return nil, nil, err
	}
	changes = &files.Changes{}
	quiet := *s
	quiet.Err = io.Discard // the check that is reported has the same warnings
	damage := -1
	var before map[string][]byte
	var last int
	for range maxRounds {
		quiet.Changed = s.Changed
		if reader, ok := s.In.(*bytes.Reader); ok {
			reader.Reset(f.stdin)
		}
		machines, _ := f.check(&quiet, names)
		machines = f.withoutHints(machines)
		if now := damaged(machines); damage >= 0 && now > damage {
			changes.Restore(before)
			s.Changed, applied = before, applied[:last]
			break
		} else {
			damage = now
		}
		round := certain(machines)
		if len(round) == 0 {
			break
		}
		before, last = s.Changed, len(applied)
		list := make([]source.Edit, len(round))
		for i := range round {
			list[i] = round[i].edit
		}
		for _, e := range changes.Add(list) {
			for i := range round {
				if round[i].edit == e {
					applied = append(applied, round[i])
					break
				}
			}
		}
		s.Changed = changes.Contents()
	}
	if reader, ok := s.In.(*bytes.Reader); ok {
		reader.Reset(f.stdin)
	}
	return changes, applied, nil
}

// rereadable keeps standard input for several rounds, where it is read.
func (f *validateFlags) rereadable(s *command.Streams, names []string) error {
	read := f.Spec.Input.Text == files.Stdin
	for _, name := range names {
		if name == files.Stdin && f.fix {
			return errors.New("--fix changes files, and - is standard input: --diff shows the changes")
		}
		read = read || name == files.Stdin
	}
	if !read {
		return nil
	}
	_, data, err := s.Files().Read(files.Stdin)
	f.stdin, s.In = data, bytes.NewReader(data)
	return err
}

// damaged counts the definitions that cannot be read, and the repeated keys.
func damaged(machines []project.Checked) (n int) {
	for i := range machines {
		if machines[i].Root == nil {
			n++
		}
		for j := range machines[i].Problems {
			if machines[i].Problems[j].Rule == rules.DuplicateKey {
				n++
			}
		}
	}
	return n
}

// certain returns the changes that the problems suggest with certainty.
func certain(machines []project.Checked) (list []correction) {
	for i := range machines {
		for j := range machines[i].Problems {
			d := &machines[i].Problems[j]
			if e, ok := d.Edit(); ok && d.Fix.Certain {
				list = append(list, correction{d, e})
			}
		}
	}
	return list
}

// showDiff writes the certain suggestions as a unified diff.
func (f *validateFlags) showDiff(s *command.Streams, names []string) error {
	changes, applied, err := f.correct(s, names)
	if err != nil {
		return err
	}
	folder, err := os.Getwd()
	if err != nil {
		return err
	}
	machines, unread := f.check(s, names)
	if machines, err = f.steered(s, machines, unread); err != nil {
		return err
	}
	if err := s.Print(string(changes.Diff(folder))); err != nil {
		return err
	}
	left := 0
	for i := range machines {
		left += len(machines[i].Problems)
	}
	if left > 0 {
		fmt.Fprintf(s.Err, "%s without a certain correction: validate shows them\n", wording.Count(left, "problem"))
	}
	switch {
	case unread != nil:
		return unread
	case len(applied) > 0 || f.fails(machines):
		return command.Exit(command.StatusFailed, nil)
	}
	return nil
}

// writeFixes makes the certain suggestions in the files, and says which they were.
func (f *validateFlags) writeFixes(s *command.Streams, names []string) error {
	changes, applied, err := f.correct(s, names)
	if err != nil {
		return err
	}
	folders := []string{"."}
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && !info.IsDir() {
			name = filepath.Dir(name)
		}
		folders = append(folders, name)
	}
	if err := changes.Write(folders...); err != nil {
		return err
	}
	var out strings.Builder
	for i := range applied {
		out.WriteString(applied[i].String() + "\n")
	}
	if !f.reports.Has(report.TextForm) { // the report is for a program
		_, err = io.WriteString(s.Err, out.String())
		return err
	}
	return s.Print(out.String())
}
