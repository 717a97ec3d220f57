package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"asldb/fixtures"
	"asldb/fixtures/livekind"
	"asldb/fixtures/mocks"
	"asldb/internal/consent"
	"asldb/internal/launch"
	"asldb/internal/store"
	"asldb/internal/visible"
)

// subjectOf is a fixtures file as consent is asked for it.
func subjectOf(file *fixtures.File, reach *fixtures.Reach) *consent.Subject {
	subject := &consent.Subject{Name: file.Name, Path: reach.Files[0].Path}
	for _, f := range reach.Files {
		subject.Files = append(subject.Files, consent.File{Path: f.Path, Digest: f.Digest, Argument: f.Argument})
	}
	for _, c := range reach.Calls {
		subject.Calls = append(subject.Calls, consent.Call{Text: c.Text, Place: fmt.Sprintf("%s:%d:%d", c.File, c.Line, c.Col)})
	}
	return subject
}

// gate returns the gate for the calls of fixtures in this run.
func (f *sessionFlags) gate(s *streams) *consent.Gate {
	g := &consent.Gate{Always: f.allowLive, Never: f.noLive}
	if !f.noState {
		g.Store = consent.In(store.Dir(os.Getenv))
	}
	if terminal := f.questionsTo(s); terminal != nil {
		if in, err := keyboard(s); err == nil {
			g.Ask = func(q *consent.Question) (bool, error) { return askConsent(terminal, in, q, g.Store != nil) }
		}
	}
	return g
}

// questionsTo returns the terminal for questions before the run: standard error, or standard
// output where the screen will be. It is nil where there is none.
func (f *sessionFlags) questionsTo(s *streams) io.Writer {
	outputs := []io.Writer{s.err}
	if f.hasScreen {
		outputs = append(outputs, s.out)
	}
	for _, out := range outputs {
		if file, ok := out.(*os.File); ok && term.IsTerminal(file.Fd()) {
			return file
		}
	}
	return nil
}

// maxAsked bounds how many calls a question lists.
const maxAsked = 40

// askConsent asks whether calls may be made. Anything but y or yes is a no.
func askConsent(out io.Writer, in io.Reader, q *consent.Question, remembers bool) (bool, error) {
	var text strings.Builder
	fmt.Fprintf(&text, "%s calls:\n", visible.Line(q.Name))
	for _, line := range callLines(q.Calls) {
		text.WriteString("  " + line + "\n")
	}
	if changed := q.ChangedWords(); changed != "" {
		fmt.Fprintf(&text, "You have allowed this before; since then, %s.\n", visible.Line(changed))
	}
	if remembers {
		text.WriteString("Allow this until one of its files changes? [y/N] ")
	} else {
		text.WriteString("Allow this for this run? [y/N] ")
	}
	if _, err := io.WriteString(out, text.String()); err != nil {
		return false, err
	}
	answer, err := readLine(in)
	if err != nil {
		return false, fmt.Errorf("cannot read whether the calls are allowed: %w", err)
	}
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes", nil
}

// callLines lists calls with their places, those of the same text together.
func callLines(calls []consent.Call) []string {
	var lines []string
	at, places := make(map[string]int), make(map[string]int)
	for _, call := range calls {
		places[call.Text]++
		if _, known := at[call.Text]; !known {
			at[call.Text] = len(lines)
			lines = append(lines, visible.Line(call.Text+"  ("+call.Place))
		}
	}
	for text, i := range at {
		if more := places[text] - 1; more > 0 {
			lines[i] += " and " + counted(more, "place") + " more"
		}
		lines[i] += ")"
	}
	if more := len(lines) - maxAsked; more > 0 {
		lines = append(lines[:maxAsked], fmt.Sprintf("and %d more", more))
	}
	return lines
}

// readLine reads up to a line feed or the end, and not a byte more.
func readLine(in io.Reader) (string, error) {
	var line []byte
	for one := make([]byte, 1); ; {
		n, err := in.Read(one)
		switch {
		case n == 1 && one[0] == '\n', errors.Is(err, io.EOF):
			return string(line), nil
		case err != nil:
			return "", err
		}
		line = append(line, one[:n]...)
	}
}

// permitted returns the permission by the flags, the user or an earlier consent.
func (b *begun) permitted(s *streams, f *sessionFlags, file *fixtures.File, bound *fixtures.Source) (fixtures.Permission, error) {
	switch {
	case f.allowLive && f.noLive:
		return fixtures.Permission{}, errors.New("--allow-live and --no-live exclude each other: give one of them")
	case f.allowLive:
		return fixtures.AnyCall(), nil
	case f.noLive || !bound.WouldCall():
		return fixtures.Permission{}, nil
	}
	reach := file.Reach()
	subject, gate := subjectOf(file, reach), f.gate(s)
	allowed := false
	if !file.AllowLive() { // its author does not ask for it
		allowed = gate.Remembered(subject)
	} else {
		var unsaved, err error
		if allowed, unsaved, err = gate.Allows(subject); err != nil {
			return fixtures.Permission{}, err
		}
		if unsaved != nil {
			b.notes = append(b.notes, "the calls are allowed for this run only: "+unsaved.Error())
		}
	}
	if !allowed {
		return fixtures.Permission{}, nil
	}
	return reach.Permission(), nil
}

func areNot(n int) string {
	if n == 1 {
		return "1 result is"
	}
	return fmt.Sprintf("%d results are", n)
}

var allowLong = `Allows fixtures files to get results from outside:
to ` + livekind.Actions() + `.
The calls of each file are printed. Without it, a run in a terminal asks for consent.

It holds for the file with all that it includes and names, as they are now: when one of them changes,
asldb asks again. Remembered are paths and digests, in $ASLDB_STATE, else in asldb in $XDG_STATE_HOME
or ~/.local/state.`

const allowExample = `  asldb allow order.yaml
  asldb allow --list
  asldb allow --revoke order.yaml`

func newAllow(s *streams) *cobra.Command {
	var list, revoke bool
	cmd := &cobra.Command{
		Use:     "allow FILE...",
		Short:   "Allow fixtures to call " + livekind.Objects(),
		Long:    allowLong,
		Example: allowExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			known := consent.In(store.Dir(os.Getenv))
			switch {
			case list && (revoke || len(args) > 0):
				return errors.New("--list stands alone: it takes neither files nor --revoke")
			case list:
				return listAllowed(s, known)
			case len(args) == 0:
				return fmt.Errorf("which file? usage: %s", cmd.UseLine())
			case revoke:
				return revokeAll(s, known, args)
			}
			return allowAll(s, known, args)
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().BoolVar(&list, "list", false, "list the allowed files and their calls")
	cmd.Flags().BoolVar(&revoke, "revoke", false, "revoke the consent for the files")
	return cmd
}

func allowAll(s *streams, known *consent.Store, names []string) error {
	subjects := make([]*consent.Subject, len(names))
	for i, name := range names { // all of them, or none
		if name == launch.Stdin {
			return errors.New("allow takes names of files: standard input cannot be recognised again")
		}
		name, data, err := s.files().Read(name)
		if err != nil {
			return err
		}
		read, err := mocks.Load(name, data)
		if err != nil {
			return fmt.Errorf("the fixtures are wrong:\n%w", err)
		}
		subjects[i] = subjectOf(read.File, read.File.Reach())
	}
	for _, subject := range subjects {
		if len(subject.Calls) == 0 {
			if err := s.print(visible.Line(subject.Name) + " calls nothing outside: there is nothing to allow\n"); err != nil {
				return err
			}
			continue
		}
		if err := known.Allow(subject); err != nil {
			return fmt.Errorf("cannot remember that %s is allowed: %w", subject.Name, err)
		}
		text := visible.Line(subject.Name) + " may call:\n"
		for _, line := range callLines(subject.Calls) {
			text += "  " + line + "\n"
		}
		if err := s.print(text); err != nil {
			return err
		}
	}
	return nil
}

func listAllowed(s *streams, known *consent.Store) error {
	grants, unread := known.Grants()
	var text strings.Builder
	for _, grant := range grants {
		text.WriteString(visible.Line(grant.Path))
		if changed := grant.Changed(fixtures.DigestFile); len(changed) > 0 {
			text.WriteString("  (no longer: " + visible.Line(changed[0]) + " has changed)")
		}
		text.WriteString("\n")
		for _, call := range grant.Calls {
			text.WriteString("  " + visible.Line(call) + "\n")
		}
	}
	if err := s.print(text.String()); err != nil {
		return err
	}
	return unread
}

func revokeAll(s *streams, known *consent.Store, names []string) error {
	for _, name := range names {
		if err := known.Revoke(fixtures.PathOf(name)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := s.print(visible.Line(name) + " is allowed no longer\n"); err != nil {
			return err
		}
	}
	return nil
}
