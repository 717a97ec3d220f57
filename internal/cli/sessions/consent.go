package sessions

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/x/term"

	"asldb/fixtures"
	"asldb/internal/cli/command"
	"asldb/internal/launch"
	"asldb/internal/store"
	"asldb/internal/wording"
	"asldb/tui/program"
)

// gate returns the gate for the calls of fixtures in this run.
func (f *Flags) gate(s *command.Streams) *store.Gate {
	g := &store.Gate{Always: f.AllowLive, Never: f.NoLive}
	if !f.NoState {
		g.Store = store.In(store.Dir(os.Getenv))
	}
	if asks := f.questions(s); asks != nil {
		g.Ask = func(q *store.Question) (allowed bool, err error) {
			err = asks(func(in, out *os.File) error {
				allowed, err = askConsent(out, in, q, g.Store != nil)
				return err
			})
			return allowed, err
		}
	}
	return g
}

// questions returns the way to ask on the terminal before the run: by standard error, or by standard output where the
// screen will be. It is nil where there is none.
func (f *Flags) questions(s *command.Streams) program.Lending {
	if desk, isOpen := s.Screen.(*program.Desk); isOpen {
		return desk.Lend
	}
	outputs := []io.Writer{s.Err}
	if f.hasScreen {
		outputs = append(outputs, s.Out)
	}
	for _, out := range outputs {
		if file, ok := out.(*os.File); ok && term.IsTerminal(file.Fd()) {
			in, err := keyboard(s)
			if err != nil {
				return nil
			}
			return func(ask func(in, out *os.File) error) error { return ask(in, file) }
		}
	}
	return nil
}

// maxAsked bounds how many calls a question lists.
const maxAsked = 40

// askConsent asks whether calls may be made. Anything but y or yes is a no.
func askConsent(out io.Writer, in io.Reader, q *store.Question, remembers bool) (bool, error) {
	var text strings.Builder
	fmt.Fprintf(&text, "%s calls:\n", wording.Line(q.Name))
	for _, line := range CallLines(q.Calls) {
		text.WriteString("  " + line + "\n")
	}
	if changed := q.ChangedWords(); changed != "" {
		fmt.Fprintf(&text, "You have allowed this before; since then, %s.\n", wording.Line(changed))
	}
	if remembers {
		text.WriteString(WatchedLine(q.Subject) + "\nAllow this until one of its files changes? [y/N] ")
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

// CallLines lists calls with their places, calls with the same text together.
func CallLines(calls []store.Call) []string {
	var lines []string
	at, places := make(map[string]int), make(map[string]int)
	for _, call := range calls {
		places[call.Text]++
		if _, known := at[call.Text]; !known {
			at[call.Text] = len(lines)
			lines = append(lines, wording.Line(call.Text+"  ("+call.Place))
		}
	}
	for text, i := range at {
		if more := places[text] - 1; more > 0 {
			lines[i] += " and " + wording.Count(more, "place") + " more"
		}
		lines[i] += ")"
	}
	return atMost(lines)
}

// atMost bounds a list of a question.
func atMost(list []string) []string {
	if more := len(list) - maxAsked; more > 0 {
		list = append(list[:maxAsked], fmt.Sprintf("and %d more", more))
	}
	return list
}

// WatchedLine names the files whose change ends a consent.
func WatchedLine(s *store.Subject) string {
	return wording.Line("A change of one of these asks again: " + strings.Join(atMost(s.Watched()), ", "))
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
func (b *Run) permitted(
	s *command.Streams,
	f *Flags,
	file *fixtures.File,
	bound *fixtures.Source,
) (fixtures.Permission, error) {
	switch {
	case f.AllowLive && f.NoLive:
		return fixtures.Permission{}, errors.New("--allow-live and --no-live exclude each other: give one of them")
	case f.AllowLive:
		return fixtures.AnyCall(), nil
	case f.NoLive || !bound.WouldCall():
		return fixtures.Permission{}, nil
	}
	reach := file.Reach()
	subject, gate := launch.Subject(file, reach), f.gate(s)
	allowed := false
	if !file.AllowLive() { // its author does not ask for it
		allowed = gate.Remembered(subject)
	} else {
		var unsaved, err error
		if allowed, unsaved, err = gate.Allows(subject); err != nil {
			return fixtures.Permission{}, err
		}
		if unsaved != nil {
			b.Messages = append(b.Messages, "the calls are allowed for this run only: "+unsaved.Error())
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
