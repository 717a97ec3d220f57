package differences_test

import (
	"errors"
	"strings"
	"testing"

	"asldb/engine/value"
	"asldb/internal/testkit/readme"
	"asldb/internal/versions"
	"asldb/tui/differences"
	"asldb/tui/keys"
	"asldb/tui/sheet"
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

type screen struct {
	*testing.T
	page  *differences.List
	sheet *sheet.Sheet
}

func open(t *testing.T, r *versions.Result, pair func(*versions.Judged) (*versions.Pair, error), w, h int, ascii bool) *screen {
	s := &screen{T: t, page: differences.New(r, pair)}
	s.begin(w, h, ascii)
	return s
}

func (s *screen) begin(w, h int, ascii bool) {
	s.sheet = sheet.New(s.page, sheet.Options{ASCII: ascii, NoColor: ascii})
	s.sheet.Resize(w, h)
	s.sheet.Begin()
	s.sheet.Text()
}

func (s *screen) press(names ...string) *screen {
	for _, name := range names {
		s.sheet.Press(keys.Press{Name: name})
		s.sheet.Settle()
		s.sheet.Text()
	}
	return s
}

func (s *screen) sees(texts ...string) *screen {
	s.Helper()
	for _, text := range texts {
		if !strings.Contains(s.sheet.Text(), text) {
			s.Errorf("no %q on the screen:\n%s", text, s.sheet.Text())
		}
	}
	return s
}

// Each group shows its number, its verdict as a word, its first difference, its recordings, and what differs in one of them.
func TestGroups(t *testing.T) {
	for _, size := range []struct{ w, h int }{{80, 24}, {120, 40}, {200, 60}} {
		for _, ascii := range []bool{false, true} {
			s := open(t, result(), nil, size.w, size.h, ascii)
			s.sees("old.json and new.json", "3  ", "outcome", "Charge: payload $.sum", "40  ", "path", "1 of 4 groups", "end-a.json", "end-c.json", "1 of 3",
				"outcome differs", "new.json:9", "- 5", "+ 6", "- SUCCEEDED", "+ FAILED: Card.Declined", "the execution: output $.paid", "+ nothing")
			s.press("n").sees("Waive, rule 2 (before: Charge)", "way-a.json", "path differs", "new.json:27", "1 of 40")
			s.press("n").sees("Tell: it was not recorded", "cannot be judged", "new.json:30").press("n").sees("its input is not there", "1 of 1")
			s.press("n", "N").sees("3 of 4 groups")
			if ascii && strings.IndexFunc(s.sheet.Text(), func(r rune) bool { return r > 126 }) >= 0 {
				t.Errorf("signs beyond ASCII:\n%s", s.sheet.Text())
			}
		}
	}
	open(t, result(), nil, 40, 12, true).sees("outcome", "end-a.json").press("?").sees("Keys")
}

// The keys go from the groups to the recordings and back; another group begins with its first recording.
func TestMoves(t *testing.T) {
	s := open(t, result(), nil, 120, 40, false)
	s.press("down", "tab", "down", "down").sees("3 of 40").press("pgdown").sees("15 of 40").press("end").sees("40 of 40").press("home").sees("1 of 40")
	s.press("h", "j").sees("3 of 4 groups", "1 of 2").press("l", "G").sees("2 of 2").press("tab", "end").sees("4 of 4 groups", "1 of 1")
	s.press("right", "esc")
	if over, _ := s.sheet.Over(); over {
		t.Error("esc in the recordings leaves the screen")
	}
	s.press("esc")
	if over, err := s.sheet.Over(); !over || !errors.Is(err, differences.ErrNone) {
		t.Error(over, err)
	}
	s.begin(80, 24, false)
	s.sees("4 of 4 groups").press("q")
	if _, err := s.sheet.Over(); !errors.Is(err, differences.ErrNone) {
		t.Error(err)
	}
}

func TestOpening(t *testing.T) {
	fault := errors.New("the file is gone")
	s := open(t, result(), func(j *versions.Judged) (*versions.Pair, error) {
		if fault != nil {
			return nil, fault
		}
		return &versions.Pair{OldAt: 7}, nil
	}, 120, 40, false)
	s.press("enter").sees("the file is gone")
	fault = nil
	s.press("down", "right", "down")
	s.sheet.Press(keys.Press{Name: "enter"})
	s.sheet.Press(keys.Press{Name: "enter"})
	s.sees("running both versions").sheet.Settle()
	pair, j := s.page.Chosen()
	if over, err := s.sheet.Over(); !over || err != nil || pair == nil || pair.OldAt != 7 || j.File != "way-b.json" {
		t.Fatal(over, err, pair, j)
	}
	s.page.Warn("It cannot be shown.")
	s.begin(120, 40, false)
	s.sees("It cannot be shown.", "2 of 4 groups", "2 of 40")
}

// mouse clicks at a text on the screen, or turns the wheel there by rows.
func (s *screen) mouse(text string, rows int) *screen {
	s.Helper()
	for y, line := range strings.Split(s.sheet.Text(), "\n") {
		if before, _, ok := strings.Cut(line, text); ok {
			if x := len([]rune(before)); rows != 0 {
				s.sheet.Wheel(x, y, rows)
			} else {
				s.sheet.Click(x, y)
			}
			s.sheet.Settle()
			s.sheet.Text()
			return s
		}
	}
	s.Fatalf("no %q on the screen:\n%s", text, s.sheet.Text())
	return s
}

// A click goes to a group or to a recording, and opens the recording that has the cursor; the wheel moves the cursor of the list below it.
func TestMouse(t *testing.T) {
	for _, w := range []int{80, 120} {
		s := open(t, result(), func(*versions.Judged) (*versions.Pair, error) { return &versions.Pair{}, nil }, w, 40, false)
		s.mouse("Waive, rule 2", 0).sees("2 of 4 groups", "1 of 40").mouse("way-c.json", 0).sees("3 of 40").mouse("way-a.json", 3).sees("6 of 40")
		s.mouse("way-d.json", -3).sees("3 of 40").mouse("Tell: it was", 1).sees("3 of 4 groups", "1 of 2").mouse("Tell: it was", -1).sees("2 of 4 groups", "1 of 40")
		s.mouse("Waive, rule 2", 0).mouse("way-a.json", 0) // from the groups a click only moves the keys
		if over, _ := s.sheet.Over(); over {
			t.Fatal("the first click opens a recording")
		}
		s.mouse("way-a.json", 0)
		if _, j := s.page.Chosen(); j == nil || j.File != "way-a.json" {
			t.Errorf("%+v was opened", j)
		}
		s.begin(w, 40, false)
		s.mouse("esc ", 0).mouse("quit", 0)
		if over, err := s.sheet.Over(); !over || !errors.Is(err, differences.ErrNone) {
			t.Error(over, err)
		}
	}
}

func TestNothingDiffers(t *testing.T) {
	r := &versions.Result{Old: "a", New: "b", Judged: []versions.Judged{{Verdict: versions.Same, Noise: 1}}}
	s := open(t, r, nil, 80, 24, false)
	s.sees("Nothing differs: 1 execution: 1 same.", "the old version differs from itself").press("enter", "down", "tab", "down", "enter", "esc", "esc")
	if over, _ := s.sheet.Over(); !over {
		t.Error("esc does not leave the screen")
	}
}

func TestPicture(t *testing.T) {
	s := open(t, result(), nil, 90, 20, false)
	readme.Shows(t, "../../docs/compare.md", s.press("n").sheet.Text())
}
