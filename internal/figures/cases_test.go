package figures_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"asldb/engine/value"
	"asldb/internal/figures"
	"asldb/internal/testkit"
	"asldb/internal/testkit/runs"
	"asldb/recorder/history"
)

// numbers are the numbers of events that figures must have, too.
type numbers struct{ entries, scheduled, failed int64 }

func (n numbers) String() string {
	return fmt.Sprintf("%d entries, %d attempts, %d failures", n.entries, n.scheduled, n.failed)
}

// countedBy counts the events.
func countedBy(events []history.Event) (n numbers) {
	for i := range events {
		kind := events[i].Kind()
		work := kind.Family == history.OfTask || kind.Family == history.OfLambda || kind.Family == history.OfActivity
		switch {
		case kind.Family == history.OfState && kind.Phase == history.Entered:
			n.entries++
		case work && kind.Phase == history.Scheduled:
			n.scheduled++
		case work && (kind.Phase == history.Failed || kind.Phase == history.TimedOut),
			kind.Family == history.OfEvaluation, kind.Family == history.OfMapRun && kind.Phase == history.Failed:
			n.failed++
		}
	}
	return n
}

// inFigures are the same numbers of a state machine.
func inFigures(m *figures.Machine) (n numbers) {
	for _, s := range m.States() {
		n.entries += s.Visits
		n.scheduled += s.Attempts
		n.failed += s.Failures()
	}
	return n
}

// Every kind of history counts as its events do: nothing is counted twice, and nothing is lost.
func TestEveryKindOfHistory(t *testing.T) {
	for _, c := range runs.Cases() {
		f := gather(t, testkit.New(t, map[string]string{"a.json": string(c.Document())}),
			figures.Options{Definition: parse(t, c.Definition)})
		m := f.Machines[0]
		if got, want := inFigures(m), countedBy(c.Run()); got != want {
			t.Errorf("%s: got %s, want %s", c.Name, got, want)
		}
		if unknown := f.Unknown(); unknown != nil {
			t.Errorf("%s: %v are not in the definition", c.Name, unknown)
		}
		if got := fmt.Sprint(m.Statuses()); got != fmt.Sprintf("[{%s 1}]", c.Status) {
			t.Errorf("%s: %s", c.Name, got)
		}
		for _, s := range m.States() {
			if s.Time.Count+s.NotLeft > s.Visits || s.Wait.Count > s.Attempts || s.Work.Count > s.Attempts {
				t.Errorf("%s: %s: %d visits, %d times, %d not left", c.Name, s.Path, s.Visits, s.Time.Count, s.NotLeft)
			}
		}
	}
}

// A history that lacks any of its events has figures, and is named as damaged or unfinished.
func TestAnyEventMissing(t *testing.T) {
	for n, c := range runs.Cases() {
		document := history.Document(c.Run()).Get("events").(*value.Array)
		for left := range document.Len() {
			if (left+n)%4 != 0 { // some of each
				continue
			}
			var kept []string
			for i, event := range document.All() {
				if i != left {
					kept = append(kept, value.Compact(event))
				}
			}
			if len(kept) == 0 {
				continue
			}
			dir := testkit.New(t, map[string]string{"a.json": `{"events":[` + strings.Join(kept, ",") + `]}`})
			m := gather(t, dir, figures.Options{Definition: parse(t, c.Definition)}).Machines[0]
			if len(m.Damaged)+len(m.Unfinished) == 0 {
				t.Errorf("%s: event %d is missing, and nothing is said", c.Name, left+1)
			}
		}
	}
}

// The histories that were recorded in AWS.
func TestRecordedHistories(t *testing.T) {
	dir := testkit.Dir(t, "histories")
	f, err := figures.Gather(context.Background(), []string{dir}, figures.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := f.Machines[0]
	if m.Executions < 6 || m.Time.Count < 5 || len(m.Unfinished) < 1 || m.Largest.Size == 0 {
		t.Errorf("%d executions, %d with a time, %d unfinished", m.Executions, m.Time.Count, len(m.Unfinished))
	}
}
