package pages_test

import (
	"errors"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"asldb/engine/value"
	"asldb/internal/suite"
	"asldb/tui/program"
	"asldb/tui/tuitest"
	"asldb/tui/view/pages"
)

func TestRandomKeysInTheReview(t *testing.T) {
	tuitest.RandomKeys(t, func() tea.Model {
		of := &suite.SuiteOutcome{File: "order.test.yaml"}
		r := &pages.Review{Cases: []*suite.Outcome{
			{Suite: of, Name: "first", Kind: suite.New, Snapshot: value.Must(`{"output": {"items": [1, 2, 3]}}`)},
			{Suite: of, Name: strings.Repeat("long ", 60), Kind: suite.New, Snapshot: value.Must(`["日本語"]`)},
			{Suite: of, Name: "third", Kind: suite.New, Snapshot: value.Must(`{}`)},
		}, Reject: func(*suite.Outcome) {}, Accept: func(c *suite.Outcome) error {
			if c.Name == "third" {
				return errors.New("the file is gone")
			}
			return nil
		}}
		return program.NewSheet(r, program.Options{})
	})
}
