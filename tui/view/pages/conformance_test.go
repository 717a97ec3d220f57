package pages_test

import (
	"testing"
	"time"

	"asldb/engine/value"
	"asldb/internal/suite"
	"asldb/tui/program"
	"asldb/tui/tuitest"
	"asldb/tui/view/pages"
)

// Each page keeps the contract of views on its sheet.
func TestPagesConform(t *testing.T) {
	for name, page := range map[string]program.Page{
		"executions":  pages.NewPicker(&list{length: 40}, time.UTC),
		"differences": pages.NewDifferences(result(), nil),
		"problems":    pages.NewProblems(faulty(t, broken), nil, nil),
		"choice":      program.NewChoice("choose", []string{"orders about", "refunds about"}),
		"review": review(pages.ChangesOf([]*suite.Outcome{{
			Suite: &suite.SuiteOutcome{File: "order.test.yaml"}, Name: "first", Kind: suite.New,
			Snapshot: value.Must(`{"a": 1}`),
		}})...),
	} {
		t.Run(name, func(t *testing.T) {
			s := program.NewSheet(page, program.Options{})
			s.Begin()
			_ = s.Settle(t.Context())
			tuitest.Conforms(t, s)
		})
	}
}
