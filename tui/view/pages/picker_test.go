package pages_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"asldb/internal/executions"
	"asldb/recorder/history"
	"asldb/tui/keys"
	"asldb/tui/program"
	"asldb/tui/tuitest"
	"asldb/tui/view"
	"asldb/tui/view/pages"
)

var noon = time.Date(2026, 1, 10, 12, 0, 0, 0, time.UTC)

// list is a source of pages of five executions; every second has failed.
type list struct {
	length, at int
	local      bool
	fault      error // of the next call
	reads      []string
	others     int
	begun      int
}

func (l *list) Title() string { return "Executions of Order" }
func (l *list) Local() bool   { return l.local }
func (l *list) LeftOut() int  { return l.others }
func (l *list) Again()        { l.at, l.begun = 0, l.begun+1 }

func (l *list) Next(ctx context.Context) (rows []executions.Row, more bool, err error) {
	if l.fault != nil {
		return nil, true, l.fault
	}
	if ctx.Err() != nil {
		return nil, true, ctx.Err()
	}
	for ; l.at < l.length && len(rows) < 5; l.at++ {
		name := fmt.Sprintf("order-%03d", l.at)
		row := executions.Row{ID: name, Name: name, About: "arn:" + name, Status: "SUCCEEDED", Start: noon.Add(-time.Duration(l.at) * time.Minute), Stop: noon.Add(time.Hour)}
		if l.at%2 == 1 {
			row.Status = "FAILED"
		}
		rows = append(rows, row)
	}
	return rows, l.at < l.length, nil
}

func (l *list) Read(_ context.Context, row *executions.Row, progress func(int)) (*executions.Recorded, error) {
	l.reads = append(l.reads, row.Name)
	if l.fault != nil {
		return nil, l.fault
	}
	progress(3)
	text := `{"events":[{"id":1,"type":"ExecutionStarted","timestamp":1,"executionStartedEventDetails":{"input":"{}"}},
{"id":2,"previousEventId":1,"type":"FailStateEntered","timestamp":1,"stateEnteredEventDetails":{"name":"Refuse","input":"{}"}},
{"id":3,"previousEventId":2,"type":"ExecutionFailed","timestamp":2,"executionFailedEventDetails":{"error":"Card.Declined","cause":"no funds"}}]}`
	x, err := history.Read(history.File{Name: "x.json", Data: []byte(text)})
	if err != nil {
		return nil, err
	}
	return &executions.Recorded{Row: *row, History: x[0]}, nil
}

// screen is a picker on a screen without a terminal.
type screen struct {
	*sheetScreen
	list *list
	page *pages.Picker
}

func open(t *testing.T, l *list, w, h int) *screen {
	s := &screen{sheetScreen: &sheetScreen{T: t}, list: l, page: pages.NewPicker(l, time.UTC)}
	s.begin(w, h)
	return s
}

func (s *screen) begin(w, h int) { s.Begin(s.page, w, h, program.Options{}) }

// As many pages are read as the screen shows, and more when the user scrolls on; histories only of failed rows on show,
// once.
func TestReading(t *testing.T) {
	s := open(t, &list{length: 100}, 100, 24)
	if s.list.at >= 50 {
		t.Errorf("%d rows were read for the first frame", s.list.at)
	}
	s.Sees("✓ SUCCEEDED", "2026-01-10", "1h", "order-000", "there are more", "Executions of Order")
	if len(s.list.reads) != 0 {
		t.Errorf("%q were read", s.list.reads)
	}
	s.Press("down").Sees("× FAILED in Refuse: Card.Declined", "no funds", "3 events", "arn:order-001")
	s.Press("up", "down")
	if len(s.list.reads) != 1 {
		t.Errorf("%q were read", s.list.reads)
	}
	for range 30 {
		s.Press("pgdown")
	}
	s.Sees("100 of 100", "order-099").Press("home").Sees("1 of 100").Press("end").Sees("100 of 100")
}

func TestFilter(t *testing.T) {
	s := open(t, &list{length: 8}, 100, 24)
	s.Type("fai").Sees("filter: fai", "1 of 4, 8 in all", "order-001").Hides("order-000", "order-002")
	s.Press("down", "ctrl+u").Sees("1 of 8")
	s.Type("ord3").Sees("order-003").Hides("order-001").Press("backspace", "backspace").Sees("filter: or")
	s.Type("zz").Sees("None fits the filter; esc clears it.").Press("esc").Sees("1 of 8", "Type to filter")
	s.Press("down", "down", "down").Type("Declined").Sees("order-001", "order-003").Hides("order-005") // whose histories are known
	s.Press("ctrl+u").Type("fail refu").Sees("order-001", "order-003").Hides("order-005")
	s.Press("ctrl+u").Type("11:55").Sees("order-005").Hides("order-004")
}

// With a filter the list is read on only where the user asks for it.
func TestFilterReadsOnWhenAsked(t *testing.T) {
	s := open(t, &list{length: 200}, 100, 24)
	before := s.list.at
	s.Type("order-199").Sees("None of those that were read fits the filter; PgDn reads more.")
	if s.list.at != before {
		t.Errorf("%d rows were read by typing", s.list.at-before)
	}
	for range 40 {
		s.Press("pgdown")
	}
	s.Sees("order-199", "1 of 1, 200 in all")
}

func TestOpening(t *testing.T) {
	s := open(t, &list{length: 8}, 100, 24)
	s.Press("enter")
	if over, err := s.Sheet.Over(); !over || err != nil || s.page.Chosen().Row.Name != "order-000" {
		t.Fatal(over, err)
	}
	// It comes back as it was left.
	s.begin(100, 24)
	s.Sees("1 of 8").Press("down", "enter")
	if over, err := s.Sheet.Over(); !over || err != nil || s.page.Chosen().Row.Name != "order-001" || len(s.list.reads) != 2 {
		t.Errorf("%v, %v, %q", over, err, s.list.reads)
	}
	s.page.Warn("It cannot be opened.")
	s.begin(100, 24)
	s.Sees("2 of 8", "It cannot be opened.").Press("esc")
	if over, err := s.Sheet.Over(); !over || !errors.Is(err, pages.ErrNoExecutions) {
		t.Error(over, err)
	}
	s.begin(100, 24)
	s.Press("ctrl+c")
	if _, err := s.Sheet.Over(); !errors.Is(err, program.ErrInterrupted) {
		t.Error(err)
	}
}

// What the service refuses is shown with its remedy, and the list continues from there.
func TestErrors(t *testing.T) {
	for reason, want := range map[executions.Reason][]string{
		executions.Expired:   {"the AWS credentials have expired", "aws sso login", "F4 continues"},
		executions.Denied:    {"is not permitted", "need states:ListExecutions"},
		executions.Throttled: {"was throttled", "F4 continues from here"},
		executions.Express:   {"Express executions have no history", "aws logs filter-log-events"},
	} {
		s := open(t, &list{length: 8, fault: &executions.Error{Reason: reason, Call: "ListExecutions", About: "arn"}}, 100, 30)
		s.Sees(want...).Sees("not all read").Press("down").Sees(want...)
		s.list.fault = nil
		s.Press("f4").Sees("order-000").Hides("not all read")
	}
}

// A history that cannot be read is said at its row; the others are not touched by it.
func TestAHistoryThatCannotBeRead(t *testing.T) {
	s := open(t, &list{length: 8}, 100, 24)
	s.list.fault = &executions.Error{Reason: executions.Missing, About: "arn:order-001"}
	s.Press("down").Sees("there is no execution arn:order-001", "more than 90 days ago")
	s.Press("down").Hides("90 days")
	s.Press("enter").Sees("90 days")
	s.list.fault = nil
	s.Press("up").Sees("90 days").Press("f4").Sees("in Refuse: Card.Declined")
	s.Press("f4")
	if s.list.begun != 1 {
		t.Errorf("the list began %d times anew", s.list.begun)
	}
}

// Escape ends the reading of the list, of a history, and then the screen.
func TestStopping(t *testing.T) {
	l := &list{length: 8}
	s := &screen{sheetScreen: &sheetScreen{T: t}, list: l, page: pages.NewPicker(l, time.UTC)}
	s.Sheet = program.NewSheet(s.page, program.Options{})
	s.Sheet.Begin()
	s.Sheet.Press(keys.Press{Name: "esc"})
	_ = s.Sheet.Settle(s.Context())
	s.Sees("The list was not read: F4 reads it.").Press("f4").Sees("order-000")
	s.Sheet.Press(keys.Press{Name: "enter"})
	s.Sees("reading the history, esc stops")
	s.Sheet.Press(keys.Press{Name: "esc"})
	s.Hides("reading the history, esc stops")
	_ = s.Sheet.Settle(s.Context())
	if over, _ := s.Sheet.Over(); over {
		t.Error("an execution was opened whose reading was stopped")
	}
	s.Sheet.Press(keys.Press{Name: "f4"})
	s.Sheet.Press(keys.Press{Name: "f4"}) // while it reads
	_ = s.Sheet.Settle(s.Context())
	s.Sees("order-000")
}

// An execution that is opened while the list is loading waits for the rows: none is lost.
func TestOpeningWhileTheListIsRead(t *testing.T) {
	s := open(t, &list{length: 300, local: true}, 100, 24)
	s.Sees("1 of 300")
	s = open(t, &list{length: 12}, 100, 24)
	s.Press("down") // its history is there
	s.Sheet.Press(keys.Press{Name: "f4"})
	s.Sheet.Press(keys.Press{Name: "enter"})
	_ = s.Sheet.Settle(s.Context())
	s.begin(100, 24)
	s.Sees("of 12")
}

// A click goes to a row, and opens the one that has the cursor; the wheel moves the cursor, and reads on at the end.
func TestMouse(t *testing.T) {
	s := open(t, &list{length: 100}, 100, 24)
	s.Mouse("order-003", 0).Sees("4 of ", "in Refuse: Card.Declined").Mouse("order-002", 0).Sees("3 of ")
	s.Mouse("order-004", 3).Sees("6 of ").Mouse("order-004", -3).Sees("3 of ")
	for range 40 {
		s.Mouse("FAILED", 3)
	}
	s.Sees("100 of 100")
	s.Mouse("status", 0).Sees("100 of 100").Mouse("order-098", 0).Sees("99 of 100")
	s.Mouse("▸", 0).Mouse("order-098", 0) // the second of them is on the row of the cursor
	if over, err := s.Sheet.Over(); !over || err != nil || s.page.Chosen().Row.Name != "order-098" {
		t.Error(over, err)
	}
	s.begin(100, 24)
	s.Mouse("back", 0)
	if over, err := s.Sheet.Over(); !over || !errors.Is(err, pages.ErrNoExecutions) {
		t.Error(over, err)
	}
	s = open(t, &list{length: 2}, 100, 24) // below the rows is nothing
	s.Sheet.Point(view.Mouse{X: 5, Y: 9})
	if over, _ := s.Sheet.Over(); over || s.list.reads != nil {
		t.Error("a click below the rows opens one")
	}
}

// Files that hold no execution are counted.
func TestFilesLeftOut(t *testing.T) {
	open(t, &list{length: 3, local: true, others: 2}, 100, 24).Sees("1 of 3, 2 other files left out")
	open(t, &list{length: 3, local: true}, 100, 24).Hides("left out")
}

func TestSizes(t *testing.T) {
	for _, size := range []struct{ w, h int }{{40, 10}, {40, 24}, {80, 24}, {120, 40}, {200, 60}} {
		for _, ascii := range []bool{false, true} {
			l := &list{length: 100}
			s := &screen{sheetScreen: &sheetScreen{T: t}, list: l, page: pages.NewPicker(l, time.UTC)}
			s.Sheet = program.NewSheet(s.page, program.Options{ASCII: ascii, NoColor: true})
			s.Sheet.Resize(size.w, size.h)
			s.Sheet.Begin()
			_ = s.Sheet.Settle(s.Context())
			s.Press("down").Sees("FAILED", "Refuse", "Card.Declined")
			for _, line := range strings.Split(s.Sheet.Text(), "\n") {
				if strings.IndexFunc(line, func(r rune) bool { return r > 126 }) >= 0 && ascii {
					t.Errorf("%v: %q", size, line)
				}
			}
			s.Press("?").Sees("Keys").Press("x").Hides("any other key")
			if strings.Contains(s.Sheet.Stack.View(), "\x1b[38") {
				t.Error("colours")
			}
		}
	}
	open(t, &list{length: 1}, 39, 9).Sees("asldb needs 40x10 cells")
}

func TestPicture(t *testing.T) {
	s := open(t, &list{length: 30}, 90, 20)
	shows(t, "../../../docs/fetch.md", s.Press("down").Sheet.Text())
}

func TestRandomKeys(t *testing.T) {
	tuitest.RandomKeys(t, func() tea.Model {
		return program.NewSheet(pages.NewPicker(&list{length: 40}, time.UTC), program.Options{})
	})
}
