package events

import (
	"strconv"
	"strings"
	"testing"

	"asldb/engine/console"
	"asldb/engine/debug"
	"asldb/tui/keys"
)

// numbers are the numbers of the events that are shown.
func numbers(frame string) string {
	var all []string
	for _, line := range strings.Split(frame, "\n")[1:] {
		if words := strings.Fields(strings.Trim(line, "┃│▸ ")); len(words) > 1 && strings.Trim(words[0], "0123456789") == "" {
			all = append(all, words[0])
		}
	}
	return strings.Join(all, " ")
}

// numbered are the numbers of the events for which a condition holds, by the run itself.
func numbered(s *debug.Session, holds func(i int) bool) string {
	var all []string
	for i := range s.Log().Len() {
		if holds(i) {
			all = append(all, itoa(s.Log().At(i).Seq))
		}
	}
	return strings.Join(all, " ")
}

func TestFilterOfEvents(t *testing.T) {
	screen, p := shown(t, definition, `{"items":[1,2]}`, true)
	screen.Resize(120, 60)
	s := screen.Session()
	log := s.Log()
	inState := func(i int, name string) bool {
		for v := log.At(i).Visit; v != nil; v = v.Parent {
			if v.State.Name == name {
				return true
			}
		}
		return false
	}
	for text, holds := range map[string]func(i int) bool{
		"failed":           func(i int) bool { return log.At(i).Failure() != nil },
		"state Each":       func(i int) bool { return inState(i, "Each") },
		"state First":      func(i int) bool { return inState(i, "First") },
		`state == "Item"`:  func(i int) bool { return log.At(i).Visit != nil && log.At(i).Visit.State.Name == "Item" },
		"thread 2":         func(i int) bool { return log.At(i).Thread == 2 },
		"waitstarted":      func(i int) bool { return log.At(i).Type.String() == "WaitStarted" },
		"seq == 3":         func(i int) bool { return i == 2 },
		"no such anything": func(int) bool { return false },
	} {
		screen.Do(keys.Filter, text)
		if got, want := numbers(screen.Frame()), numbered(s, holds); got != want {
			t.Errorf("%s: the events are %q, want %q:\n%s", text, got, want, screen.Frame())
		}
		screen.Sees("filter: "+text, "esc clears the filter")
	}
	screen.Do(keys.Filter, "nowhere")
	screen.Sees("No event passes the filter.")
	screen.Press("esc")
	if p.filtering() || strings.Contains(screen.Frame(), "filter") {
		t.Error("esc keeps the filter")
	}
	screen.Do(keys.Filter, "$ ==")
	screen.Said("where an operand should stand")
}

// TestFilterWhileTyping: the list is filtered at every key, and the cursor goes from one of its events to the next.
func TestFilterWhileTyping(t *testing.T) {
	screen, p := shown(t, definition, `{"items":[1,2]}`, true)
	screen.Resize(120, 40)
	all := screen.Log().Len()
	screen.Press("&")
	before := all
	for _, r := range "waitst" {
		screen.Type(string(r))
		n := strings.Count(numbers(screen.Frame()), " ") + 1
		if n > before || n == 0 {
			t.Errorf("with %q there are %d events, before %d", string(r), n, before)
		}
		before = n
	}
	screen.Press("enter")
	screen.Sees("filter: waitst", "3 of ")
	want := strings.Fields(numbers(screen.Frame()))
	screen.Press("home")
	for k, number := range want {
		if got := itoa(screen.Selection().Event.Seq); got != number {
			t.Errorf("row %d is event %s, want %s", k, got, number)
		}
		screen.Press("down")
	}
	if wrapped, ok := p.Find("[0] item", 1); !ok || !wrapped || itoa(screen.Selection().Event.Seq) != want[1] {
		t.Errorf("found %v, beyond the end %v, event %d", ok, wrapped, screen.Selection().Event.Seq)
	}
	screen.Press("up", "up")
	if got := itoa(screen.Selection().Event.Seq); got != want[0] {
		t.Errorf("the first row is event %s, want %s", got, want[0])
	}
	screen.ClickAt(10, 3)
	if got := itoa(screen.Selection().Event.Seq); got != want[2] {
		t.Errorf("a click selects event %s, want %s", got, want[2])
	}
	screen.Press("&")
	screen.Type(`arted && "`)
	if !p.filtered.on() {
		t.Error("what is not an expression yet clears the filter")
	}
	screen.Press("esc")
	if p.filtering() {
		t.Error("esc keeps the filter")
	}
}

// TestFilterFollowsTheRun: events that come up later pass the filter as well.
func TestFilterFollowsTheRun(t *testing.T) {
	screen, _ := shown(t, definition, `{"items":[1,2]}`, false)
	screen.Step(debug.StepStage)
	screen.Do(keys.Filter, "waitstarted")
	screen.Sees("No event passes the filter.")
	screen.Step(debug.Continue)
	screen.Sees("3 of ")
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// A filter looks at the events in slices, so that keys are heard meanwhile.
func TestFilterInSlices(t *testing.T) {
	screen, p := shown(t, definition, `{"items":[`+strings.Repeat("1,", 400)+`1]}`, true)
	n, work := screen.Log().Len(), 0
	condition, err := screen.Session().Watches().Condition(`type == "StateExited"`)
	if err != nil {
		t.Fatal(err)
	}
	f, _ := console.Read(`type == "StateExited"`)
	p.filtered.set(f, condition, &p.list)
	for before := -1; p.filtered.extend(&p.list); work++ {
		if p.filtered.read <= before || p.filtered.read-max(before, 0) > p.filtered.slice() {
			t.Fatalf("a slice goes from event %d to %d", before, p.filtered.read)
		}
		before = p.filtered.read
		screen.Sees("so far, ", "% of ")
	}
	if work < n/p.filtered.slice() || len(p.filtered.events) != 404 {
		t.Errorf("%d slices of %d events have found %d", work, n, len(p.filtered.events))
	}
	screen.Sees("404 of ")
}
