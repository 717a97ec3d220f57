package tui

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"asldb/engine/debug"
	"asldb/tui/program"
	"asldb/tui/tuitest"
)

// lines plays lines over a session and returns what is written.
func plainly(t *testing.T, session *debug.Session, lines ...string) string {
	t.Helper()
	var out bytes.Buffer
	in := strings.NewReader(strings.Join(lines, "\n") + "\n")
	if err := RunPlain(t.Context(), session, Options{}, program.NewLines(in, &out, true)); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestListsInLines: what the screen has in columns is told a thing a line, its name before a colon: no line has
// columns, rules or the signs of the screen.
func TestListsInLines(t *testing.T) {
	for command, want := range map[string][]string{
		"events":      {"event 2, ValidateOrder: at t+0s, done, took 0.35s, +1", "ChargeCard: at t+0.35s, done, took 4.8s, 1 retry"},
		"timeline":    {"ValidateOrder: from t+0s to t+0.35s, done", "ChargeCard: from t+0.35s to t+5.15s, 1 retry, done"},
		"breakpoints": {"breakpoint 1, Fulfil, selected: on, 1 hit", "space switches on and off"},
		"what-ifs":    {"what-if 1, here: the first run, not over, "},
		"watches":     {`$.payment.id: "ch_3PqL"`, "1 change, the last at event "},
		"threads":     {"thread 0: Fulfil"},
		"timers":      {"now: "},
		"x":           {"e, selected: inject an error into the next step", "h: send a heartbeat, not now: no task is"},
		"coverage":    {"Coverage ", "PaymentDue, Default: never, line 32", "retriers 1/1"},
		"edit":        {"The data of Fulfil after ", "editor opens your editor"},
		"source":      {`83, here:     "Fulfil": {`},
	} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			all := plainly(t, tuitest.Order(t), "break Fulfil", "watch $.payment.id", "c", command, "esc")
			_, told, _ := strings.Cut(all, "> "+command+"\n")
			told, _, _ = strings.Cut(told, "> esc\n")
			for _, text := range want {
				if !strings.Contains(told, text) {
					t.Errorf("%q is not in\n%s", text, told)
				}
			}
			for line := range strings.Lines(told) {
				if _, text, numbered := strings.Cut(line, ": "); numbered &&
					(command == "source" || command == "edit") {
					line = strings.TrimLeft(text, " ")
				}
				if regexp.MustCompile(`\S  +\S|[│─┃━╭▸✓×]|-{5}`).MatchString(line) {
					t.Errorf("%q has columns, rules or signs", line)
				}
			}
		})
	}
}

// TestComparedInLines: two runs are told by the pairs of events that differ.
func TestComparedInLines(t *testing.T) {
	got := plainly(t, tuitest.Invoice(t), "c", "x", `{"email":"a@example.com"}`, "compare")
	for _, text := range []string{
		"what-if 1 is compared with what-if 2.", "Enrich TaskFailed; nothing in what-if 2",
		"nothing in what-if 1; event 6 of what-if 2, Enrich TaskSucceeded",
	} {
		if !strings.Contains(got, text) {
			t.Errorf("%q is not in\n%s", text, got)
		}
	}
}
