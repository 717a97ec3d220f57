package watching

import (
	"errors"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"asldb/engine/value"
	"asldb/internal/suite/result"
	"asldb/tui/sheet/sheettest"
)

func TestRandomKeysInTheReview(t *testing.T) {
	sheettest.RandomKeys(t, func() tea.Model {
		of := &result.Suite{File: "order.test.yaml"}
		r := newReview([]*result.Case{
			{Suite: of, Name: "first", Kind: result.New, Snapshot: value.Must(`{"output": {"items": [1, 2, 3]}}`)},
			{Suite: of, Name: strings.Repeat("long ", 60), Kind: result.New, Snapshot: value.Must(`["日本語"]`)},
			{Suite: of, Name: "third", Kind: result.New, Snapshot: value.Must(`{}`)},
		}, &watching{})
		r.accept = func(c *result.Case) error {
			if c.Name == "third" {
				return errors.New("the file is gone")
			}
			return nil
		}
		return r
	})
}
