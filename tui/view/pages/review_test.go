package pages_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"asldb/engine/value"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/tui/program"
	"asldb/tui/tuitest"
	"asldb/tui/view/pages"
)

// review is the page of changes with made-up proposals.
func review(changes ...pages.Change) *pages.Review {
	return &pages.Review{
		Changes: changes, Reject: func(pages.Change) {},
		Propose: func(_ context.Context, c pages.Change) (*suiterun.Proposal, error) {
			if c.Case.Name == "table" {
				return nil, suiterun.ErrRow
			}
			p := &suiterun.Proposal{
				Old: []string{
					"was: 1",
				}, New: []string{"is: 2"}, Diff: []string{"-was: 1", "+is: 2"}, Accept: func() error { return nil },
			}
			switch c.Case.Name {
			case "gone":
				p.Accept = func() error { return errors.New("the file is gone") }
			case "left":
				p.Left = []suite.Finding{{Expectation: "duration"}}
			}
			return p, nil
		},
	}
}

func changesOf(names ...string) (changes []pages.Change) {
	for _, name := range names {
		changes = append(changes, pages.ChangesOf([]*suite.Outcome{{
			Suite: &suite.SuiteOutcome{File: "order.test.yaml"}, Name: name, Kind: suite.OutcomeFailed,
			Findings: []suite.Finding{{Expectation: "output"}},
		}})...)
	}
	return changes
}

func TestRandomKeysInTheReview(t *testing.T) {
	tuitest.RandomKeys(t, func() tea.Model {
		snapshot := &suite.Outcome{
			Suite: &suite.SuiteOutcome{File: "order.test.yaml"}, Name: strings.Repeat("long ", 60), Kind: suite.New,
			Snapshot: value.Must(`["日本語"]`),
		}
		changes := append(changesOf("first", "table", "gone"), pages.ChangesOf([]*suite.Outcome{snapshot})...)
		return program.NewSheet(review(changes...), program.Options{})
	})
}

// The review shows the difference, the old and the new lines; a case is settled where all of it was accepted.
func TestReview(t *testing.T) {
	r := review(changesOf("one", "table", "left", "gone", "two", "three")...)
	s := onPage(t, r, 80, 12, program.Options{})
	press := func(key, want string) {
		t.Helper()
		if frame := s.Press(key).Sheet.Text(); !strings.Contains(frame, want) {
			t.Fatalf("there is no %q:\n%s", want, frame)
		}
	}
	press("?", "accept the change")
	press("esc", "-was: 1")
	press("tab", "expectations: old")
	press("tab", "expectations: new")
	press("tab", "+is: 2")
	press("a", "It cannot be accepted: the case is a row of a table")
	press("a", "Change 2 of 6") // nothing can be written
	press("s", "not accepted: line 0: duration is more than a value")
	press("a", "Change 4 of 6")
	press("a", "the file is gone")
	press("r", "Change 5 of 6")
	press("a", "Change 6 of 6")
	if got, want := r.Summary(), "6 changes: 3 accepted, 1 rejected, 2 left"; got != want || r.Settled() != 2 {
		t.Errorf("%s, %d settled", got, r.Settled())
	}
}
