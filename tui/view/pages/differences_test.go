package pages_test

import (
	"errors"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"asldb/engine/value"
	"asldb/internal/versions"
	"asldb/tui/keys"
	"asldb/tui/program"
	"asldb/tui/tuitest"
	"asldb/tui/view/pages"
)

// result has a group of each verdict, of 40, 3, 2 and 1 recordings.
func result() *versions.Result {
	r := &versions.Result{Old: "old.json", New: "new.json"}
	add := func(n int, name string, j versions.Judged) {
		for i := range n {
			j.File = name + string(rune('a'+i%26)) + ".json"
			r.Judged = append(r.Judged, j)
		}
	}
	add(5, "same-", versions.Judged{Verdict: versions.Same})
	add(40, "way-", versions.Judged{Verdict: versions.Path, First: &versions.Difference{State: "Due", WasTo: "Charge", IsTo: "Waive", Via: "rule 2", Place: "new.json:27"}, Old: "SUCCEEDED", New: "SUCCEEDED"})
	add(3, "end-", versions.Judged{
		Verdict: versions.Outcome, Old: "SUCCEEDED", New: "FAILED: Card.Declined", First: &versions.Difference{State: "Charge", Member: "payload", Path: "$.sum", Was: value.Int(5), Is: value.Int(6), Place: "new.json:9"},
		Output: &versions.Difference{Member: "output", Path: "$.paid", Was: value.Must("true"), Place: ""}, Differs: true,
	})
	add(2, "open-", versions.Judged{Verdict: versions.Unjudged, Task: "Tell", Reason: "it was not recorded", Place: "new.json:30"})
	add(1, "lost-", versions.Judged{Verdict: versions.Unjudged, Reason: "its input is not there"})
	return r
}

type differencesScreen struct {
	*sheetScreen
	page *pages.List
}

func openDifferences(t *testing.T, r *versions.Result, pair func(*versions.Judged) (*versions.Pair, error), w, h int, ascii bool) *differencesScreen {
	s := &differencesScreen{sheetScreen: &sheetScreen{T: t}, page: pages.NewDifferences(r, pair)}
	s.begin(w, h, ascii)
	return s
}

func (s *differencesScreen) begin(w, h int, ascii bool) {
	s.Begin(s.page, w, h, program.Options{ASCII: ascii, NoColor: ascii})
}

// Each group shows its number, its verdict as a word, its first difference, its recordings, and what differs in one of them.
func TestGroups(t *testing.T) {
	for _, size := range []struct{ w, h int }{{80, 24}, {120, 40}, {200, 60}} {
		for _, ascii := range []bool{false, true} {
			s := openDifferences(t, result(), nil, size.w, size.h, ascii)
			s.Sees("old.json and new.json", "3  ", "outcome", "Charge: payload $.sum", "40  ", "path", "1 of 4 groups", "end-a.json", "end-c.json", "1 of 3",
				"outcome differs", "new.json:9", "- 5", "+ 6", "- SUCCEEDED", "+ FAILED: Card.Declined", "the execution: output $.paid", "+ nothing")
			s.Press("n").Sees("Waive, rule 2 (before: Charge)", "way-a.json", "path differs", "new.json:27", "1 of 40")
			s.Press("n").Sees("Tell: it was not recorded", "cannot be judged", "new.json:30").Press("n").Sees("its input is not there", "1 of 1")
			s.Press("n", "N").Sees("3 of 4 groups")
			if ascii && strings.IndexFunc(s.Sheet.Text(), func(r rune) bool { return r > 126 }) >= 0 {
				t.Errorf("signs beyond ASCII:\n%s", s.Sheet.Text())
			}
		}
	}
	openDifferences(t, result(), nil, 40, 12, true).Sees("outcome", "end-a.json").Press("?").Sees("Keys")
}

// The keys go from the groups to the recordings and back; another group begins with its first recording.
func TestMoves(t *testing.T) {
	s := openDifferences(t, result(), nil, 120, 40, false)
	s.Press("down", "tab", "down", "down").Sees("3 of 40").Press("pgdown").Sees("14 of 40").Press("end").Sees("40 of 40").Press("home").Sees("1 of 40")
	s.Press("h", "j").Sees("3 of 4 groups", "1 of 2").Press("l", "G").Sees("2 of 2").Press("tab", "end").Sees("4 of 4 groups", "1 of 1")
	s.Press("right", "esc")
	if over, _ := s.Sheet.Over(); over {
		t.Error("esc in the recordings leaves the screen")
	}
	s.Press("esc")
	if over, err := s.Sheet.Over(); !over || !errors.Is(err, pages.ErrNoDifferences) {
		t.Error(over, err)
	}
	s.begin(80, 24, false)
	s.Sees("4 of 4 groups").Press("q")
	if _, err := s.Sheet.Over(); !errors.Is(err, pages.ErrNoDifferences) {
		t.Error(err)
	}
}

func TestDifferencesOpening(t *testing.T) {
	fault := errors.New("the file is gone")
	s := openDifferences(t, result(), func(j *versions.Judged) (*versions.Pair, error) {
		if fault != nil {
			return nil, fault
		}
		return &versions.Pair{OldAt: 7}, nil
	}, 120, 40, false)
	s.Press("enter").Sees("the file is gone")
	fault = nil
	s.Press("down", "right", "down")
	s.Sheet.Press(keys.Press{Name: "enter"})
	s.Sheet.Press(keys.Press{Name: "enter"})
	_ = s.Sees("running both versions").Sheet.Settle(t.Context())
	pair, j := s.page.Chosen()
	if over, err := s.Sheet.Over(); !over || err != nil || pair == nil || pair.OldAt != 7 || j.File != "way-b.json" {
		t.Fatal(over, err, pair, j)
	}
	s.page.Warn("It cannot be shown.")
	s.begin(120, 40, false)
	s.Sees("It cannot be shown.", "2 of 4 groups", "2 of 40")
}

// A click goes to a group or to a recording, and opens the recording that has the cursor; the wheel moves the cursor of the list below it.
func TestDifferencesMouse(t *testing.T) {
	for _, w := range []int{80, 120} {
		s := openDifferences(t, result(), func(*versions.Judged) (*versions.Pair, error) { return &versions.Pair{}, nil }, w, 40, false)
		s.Mouse("Waive, rule 2", 0).Sees("2 of 4 groups", "1 of 40").Mouse("way-c.json", 0).Sees("3 of 40").Mouse("way-a.json", 3).Sees("6 of 40")
		s.Mouse("way-d.json", -3).Sees("3 of 40").Mouse("Tell: it was", 1).Sees("3 of 4 groups", "1 of 2").Mouse("Tell: it was", -1).Sees("2 of 4 groups", "1 of 40")
		s.Mouse("Waive, rule 2", 0).Mouse("way-a.json", 0) // from the groups a click only moves the keys
		if over, _ := s.Sheet.Over(); over {
			t.Fatal("the first click opens a recording")
		}
		s.Mouse("way-a.json", 0)
		if _, j := s.page.Chosen(); j == nil || j.File != "way-a.json" {
			t.Errorf("%+v was opened", j)
		}
		s.begin(w, 40, false)
		s.Mouse("esc ", 0).Mouse("quit", 0)
		if over, err := s.Sheet.Over(); !over || !errors.Is(err, pages.ErrNoDifferences) {
			t.Error(over, err)
		}
	}
}

func TestNothingDiffers(t *testing.T) {
	r := &versions.Result{Old: "a", New: "b", Judged: []versions.Judged{{Verdict: versions.Same, Noise: 1}}}
	s := openDifferences(t, r, nil, 80, 24, false)
	s.Sees("Nothing differs: 1 execution: 1 same.", "the old version differs from itself").Press("enter", "down", "tab", "down", "enter", "esc", "esc")
	if over, _ := s.Sheet.Over(); !over {
		t.Error("esc does not leave the screen")
	}
}

func TestDifferencesPicture(t *testing.T) {
	s := openDifferences(t, result(), nil, 90, 20, false)
	shows(t, "../../../docs/compare.md", s.Press("n").Sheet.Text())
}

// Behind data that differ the page has where the ways part, and that what follows cannot be judged.
func TestWhatFollows(t *testing.T) {
	turn := &versions.Difference{State: "Due", WasTo: "Charge", WasVia: "rule 1", IsTo: "Waive", Via: "Default", Place: "new.json:27"}
	data := &versions.Difference{State: "Look", Member: "output", Path: "$.n", Was: value.Int(1), Is: value.Int(2), Place: "new.json:5"}
	r := &versions.Result{Old: "a", New: "b", Judged: []versions.Judged{
		{File: "x.json", Verdict: versions.Path, First: data, Turn: turn, Task: "Waive", Reason: "it was not recorded"},
	}}
	openDifferences(t, r, nil, 200, 40, true).Sees(
		"path differs", "Look: output $.n, new.json:5", "Due -> Waive, Default (before: Charge, rule 1), new.json:27",
		"what follows cannot be judged: Waive: it was not recorded",
	)
}

func TestDifferencesRandomKeys(t *testing.T) {
	gone := func(*versions.Judged) (*versions.Pair, error) { return nil, errors.New("the file is gone") }
	tuitest.RandomKeys(t, func() tea.Model { return program.NewSheet(pages.NewDifferences(result(), gone), program.Options{}) })
}
