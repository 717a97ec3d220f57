package tui

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/teatest"
	"github.com/muesli/termenv"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/lint"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/definitions"
	"asldb/internal/executions"
	"asldb/internal/explore"
	"asldb/internal/suiterun"
	"asldb/internal/testkit/runs"
	"asldb/recorder/history"
	"asldb/tui/program"
	"asldb/tui/screen"
	"asldb/tui/tuitest"
	"asldb/tui/view/pages"
)

// situations are places in a run, and the keys that lead to them; a key of several characters that names none is a
// command.
var situations = []struct {
	name    string
	session func(t testing.TB) *debug.Session
	keys    []string
	look    Options
	// colours: the View is expected with its sequences as well, by this profile.
	colours *termenv.Profile
	// given completes the options by what belongs to the session.
	given func(t testing.TB, s *debug.Session, o *Options)
}{
	{name: "opened", session: tuitest.Demo},
	{name: "help", session: tuitest.Demo, keys: []string{"?"}},
	{name: "stage", session: tuitest.Demo, keys: atPayment},
	{name: "ascii", session: tuitest.Demo, keys: atPayment, look: Options{Options: screen.Options{ASCII: true}}},
	{name: "choice", session: tuitest.Demo, keys: []string{":break PaymentDue:Choices", "c"}},
	{name: "question", session: order, keys: []string{"c"}},
	{name: "branches", session: order, keys: []string{"c", "esc"}},
	{name: "wait", session: tuitest.Demo, keys: []string{":clock manual", "c", "a", "c", "a", "c", "a", "c"}},
	{name: "failed", session: tuitest.Invoice, keys: []string{"c"}},
	{name: "succeeded", session: tuitest.Demo, keys: []string{"c"}},
	{name: "not-here", session: tuitest.Demo, keys: append(atPayment[:2:2], "1", "up", "up")},
	{name: "what-if", session: tuitest.Invoice, keys: []string{"c", "x", "tab", "enter"}},
	{name: "time", session: tuitest.Demo, keys: []string{"c", ":timeline"}},
	{name: "iterations", session: tuitest.Demo, keys: []string{":break Summarize", "c", "1", "up", ":iterations"}},
	{name: "breakpoints", session: tuitest.Demo, keys: []string{"b", ":break ChargeCard if $.order", ":breakpoints"}},
	{
		name:    "watches",
		session: tuitest.Demo,
		keys:    append(atPayment[:2:2], ":watch $.payment", "3", "3", "3", "3", "3"),
	},
	{name: "lens", session: tuitest.Demo, keys: []string{"c", ":lens $.paid"}},
	{name: "lost", session: tuitest.Invoice, keys: []string{"c", "H"}},
	{name: "coverage", session: tuitest.Demo, keys: []string{"c", ":coverage"}},
	{name: "waiter", session: polled, keys: []string{"i", "i"}},
	{name: "edited", session: tuitest.Invoice, keys: []string{"c", "r"}, given: mended},
	{name: "edited-wrongly", session: tuitest.Invoice, keys: []string{"c", "r"}, given: spoiled},
	{name: "warnings", session: tuitest.Invoice, given: warned},
	{name: "map", session: tuitest.Demo, keys: []string{":break Backorder", "c", ":story PackLines"}},
	{name: "jsonata", session: priced, keys: []string{":break Price:Output", "c", "i"}},
	{name: "palette", session: tuitest.Demo, keys: append(atPayment[:2:2], ":", `"brea`)},
	{name: "faults", session: tuitest.Demo, keys: []string{":explore"}, given: explored},
	{name: "dark", session: tuitest.Demo, keys: atPayment, colours: profile(termenv.TrueColor)},
	{
		name:    "light",
		session: tuitest.Demo,
		keys:    atPayment,
		look:    Options{Theme: "light"},
		colours: profile(termenv.TrueColor),
	},
	{
		name:    "no-colour",
		session: tuitest.Demo,
		keys:    atPayment,
		look:    Options{NoColor: true},
		colours: profile(termenv.TrueColor),
	},
	{name: "16-colours", session: tuitest.Demo, keys: atPayment, colours: profile(termenv.ANSI)},
}

func profile(p termenv.Profile) *termenv.Profile { return &p }

// mended lets the definition of the invoice be read again, with the retrier's error spelt as the service does.
func mended(t testing.TB, s *debug.Session, o *Options) {
	before := s.Machine().Definition().Source
	text := strings.Replace(string(before.Data), "ServiceExecption", "ServiceException", 1)
	o.Reload = &screen.Reload{
		Changed: func() string { return before.Name },
		Read: func() (screen.Reread, error) {
			return rereadText{s, tuitest.Machine(t, before.Name, []byte(text))}, nil
		},
	}
}

// spoiled lets the definition be read again with a comma too much: the run before stays.
func spoiled(_ testing.TB, s *debug.Session, o *Options) {
	before := s.Machine().Definition().Source
	text := strings.Replace(string(before.Data), `"MaxAttempts": 2}`, `"MaxAttempts": 2,}`, 1)
	_, problems := asl.Parse(&source.File{Name: before.Name, Data: []byte(text)})
	o.Reload = &screen.Reload{
		Changed:  func() string { return before.Name },
		Read:     func() (screen.Reread, error) { return nil, errors.New("the definition has an error") },
		Problems: func(error) []source.Diagnostic { return problems },
	}
}

// warned shows the warnings about the definition: the first timer, which looks for them, is over at once.
func warned(_ testing.TB, s *debug.Session, o *Options) {
	o.Check = func() []source.Diagnostic { return lint.Check(s.Machine().Definition(), lint.Options{}) }
	looked := false
	o.later = func(_ time.Duration, over func(time.Time) tea.Msg) tea.Cmd {
		if looked {
			return nil
		}
		looked = true
		return func() tea.Msg { return over(tuitest.Start) }
	}
}

// priced is a run of JSONata states.
func priced(t testing.TB) *debug.Session {
	const definition = `{"QueryLanguage":"JSONata","StartAt":"Price","States":{
  "Price":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke",
    "Arguments":{"FunctionName":"price","Payload":"{% $states.input.order %}"},
    "Assign":{"total":"{% $states.result.Payload.total %}"},
    "Output":"{% $merge([$states.input, {'price': $states.result.Payload}]) %}","Next":"Large"},
  "Large":{"Type":"Choice","Choices":[{"Condition":"{% $total > 100 %}","Next":"Paid"}],"Default":"Paid"},
  "Paid":{"Type":"Succeed","Output":"{% {'paid': $total} %}"}}}`
	return tuitest.Session(t, definition, `{"order":{"id":7}}`, runs.ByState{
		"Price": {{Output: value.Must(`{"StatusCode":200,"Payload":{"total":129}}`), After: time.Second}},
	})
}

// rereadText is a text that was read again.
type rereadText struct {
	of      *debug.Session
	machine *engine.Machine
}

// Apply implements [screen.Reread].
func (r rereadText) Apply(atStart bool) (*debug.Reloaded, error) {
	return r.of.Reload(debug.Reloading{Machine: r.machine, Cause: "edited definition", AtStart: atStart})
}

// Problems implements [screen.Reread].
func (rereadText) Problems() []source.Diagnostic { return nil }

// explored lets the demo be explored with its fixtures.
func explored(t testing.TB, s *debug.Session, o *Options) {
	file, err := fixtures.Load(definitions.FixturesName, definitions.Fixtures)
	if err != nil {
		t.Fatal(err)
	}
	m := &suiterun.Machine{
		Definition: definitions.Definition{
			File:     "order.asl.json",
			Machine:  s.Machine().Definition(),
			Compiled: s.Machine(),
		},
		Limits: engine.ServiceLimits(),
	}
	o.Explore = func(ctx context.Context, progress func(done, planned int)) (*explore.Result, error) {
		return explore.Explore(ctx, explore.Options{
			Machine: m, Given: []explore.Given{{File: file}}, Progress: progress,
			Announce: func(p explore.Plan) { progress(0, p.Runs) },
		})
	}
}

// atPayment goes to a stage of the demo in which a task is over.
var atPayment = []string{":break ChargeCard:ResultPath", "c"}

// polled is a session of a waiter that comes to its end in three polls.
func polled(t testing.TB) *debug.Session {
	runs := tuitest.Output(`{"S":"RUNS"}`)
	return tuitest.Jobs(t, runs, runs, tuitest.Output(`{"S":"DONE"}`))
}

// situationSizes are the sizes of the terminals.
var situationSizes = [][2]int{{80, 24}, {120, 40}, {200, 60}}

// Keys go through Bubble Tea to the real model. The View at the end, and its layer of styles, are the expected files.
func TestSituations(t *testing.T) {
	for _, situation := range situations {
		for _, size := range situationSizes {
			name := fmt.Sprintf("%s-%dx%d", situation.name, size[0], size[1])
			t.Run(name, func(t *testing.T) {
				o := situation.look
				o.Title, o.later, o.profile = "order", timeless, situation.colours
				if o.profile == nil {
					o.profile = profile(termenv.TrueColor)
				}
				session := situation.session(t)
				if situation.given != nil {
					situation.given(t, session, &o)
				}
				model := final(t, New(session, o).Stack, situation.keys, size)
				if situation.colours != nil {
					tuitest.Golden(t, name+"-colours", model.View())
				}
				tuitest.Golden(t, name, ansi.Strip(model.View()))
				tuitest.Golden(t, name+"-styles", model.Styles())
			})
		}
	}
}

// final plays keys in Bubble Tea on a model that has not begun, and returns it at its end.
func final(t *testing.T, stack *program.Stack, keys []string, size [2]int) *settling {
	t.Helper()
	return playedBy(t, stack, sent(keys), size)
}

// sent are the messages of keys.
func sent(keys []string) (list []tea.Msg) {
	for _, key := range keys {
		list = append(list, typed(key)...)
	}
	return list
}

// playedBy sends messages through Bubble Tea to a model that has not begun, and returns it at its end.
func playedBy(t *testing.T, stack *program.Stack, msgs []tea.Msg, size [2]int) *settling {
	t.Helper()
	stack.Start()
	p := teatest.NewTestModel(t, &settling{Stack: stack}, teatest.WithInitialTermSize(size[0], size[1]))
	for _, msg := range append(msgs, endMsg{}) {
		p.Send(msg)
	}
	model, ok := p.FinalModel(t, teatest.WithFinalTimeout(patience)).(*settling)
	if !ok {
		t.Fatal("the program ended with another model")
	}
	return model
}

// TestSituationInLines: without a screen the same run is sentences.
func TestSituationInLines(t *testing.T) {
	lines := []string{"c", "stages", "H", "esc", "events", "what-ifs", "q"}
	tuitest.Golden(t, "plain", plainly(t, tuitest.Invoice(t), lines...))
}

// TestSituationOfAList: the executions of a state machine in production.
func TestSituationOfAList(t *testing.T) {
	for _, size := range situationSizes {
		page := pages.NewPicker(&produced{}, time.UTC)
		o := program.Options{Profile: profile(termenv.TrueColor), Later: timeless}
		model := final(t, program.NewSheet(page, o).Stack, []string{"down"}, size)
		name := fmt.Sprintf("executions-%dx%d", size[0], size[1])
		tuitest.Golden(t, name, ansi.Strip(model.View()))
		tuitest.Golden(t, name+"-styles", model.Styles())
	}
}

// produced are executions of a state machine: one has failed, one runs, and one has succeeded.
type produced struct{ read bool }

// Title implements [executions.Source], as the methods below do.
func (*produced) Title() string { return "Executions of Order" }

// Local reports that they are of a service.
func (*produced) Local() bool { return false }

// LeftOut counts none.
func (*produced) LeftOut() int { return 0 }

// Again begins anew.
func (p *produced) Again() { p.read = false }

// Next returns all of them.
func (p *produced) Next(context.Context) (rows []executions.Row, more bool, err error) {
	for i, status := range []string{"SUCCEEDED", "FAILED", "RUNNING"} {
		row := executions.Row{
			ID:     status,
			Name:   "order-" + strconv.Itoa(1040+i),
			About:  "arn:aws:states:" + status,
			Status: status,
			Start:  tuitest.Start.Add(-time.Duration(i) * time.Hour),
		}
		if status != "RUNNING" {
			row.Stop = row.Start.Add(62 * time.Second)
		}
		rows = append(rows, row)
	}
	return rows, false, nil
}

// Read returns a history that fails.
func (*produced) Read(_ context.Context, row *executions.Row, _ func(int)) (*executions.Recorded, error) {
	const text = `{"events":[
{"id":1,"type":"ExecutionStarted","timestamp":1,"executionStartedEventDetails":{"input":"{}"}},
{"id":2,"previousEventId":1,"type":"FailStateEntered","timestamp":1,
 "stateEnteredEventDetails":{"name":"Refuse","input":"{}"}},
{"id":3,"previousEventId":2,"type":"ExecutionFailed","timestamp":2,
 "executionFailedEventDetails":{"error":"Card.Declined","cause":"no funds"}}]}`
	read, err := history.Read(history.File{Name: "order.json", Data: []byte(text)})
	if err != nil {
		return nil, err
	}
	return &executions.Recorded{Row: *row, History: read[0]}, nil
}

// TestColourIsNotAlone: with 16 colours what has not run is grey, and what has run is not; without colours the frame
// has the same characters.
func TestColourIsNotAlone(t *testing.T) {
	shown := func(o Options, p termenv.Profile) string {
		o.Title, o.later, o.profile = "order", timeless, &p
		return final(t, New(tuitest.Demo(t), o).Stack, atPayment, [2]int{120, 40}).View()
	}
	few := shown(Options{}, termenv.ANSI)
	const grey = "\x1b[90m"
	for name, dimmed := range map[string]bool{
		"ValidateOrder": false, "PaymentDue": false, "WaivePayment": true, "OrderCompleted": true,
	} {
		before, _, found := strings.Cut(few, name)
		if !found {
			t.Fatalf("%s is not in\n%s", name, few)
		}
		if got := strings.HasPrefix(before[strings.LastIndex(before, "\x1b["):], grey); got != dimmed {
			t.Errorf("%s is grey: %v, want %v", name, got, dimmed)
		}
	}
	whole := ansi.Strip(shown(Options{}, termenv.TrueColor))
	for name, other := range map[string]string{
		"16 colours": few, "no colour": shown(Options{NoColor: true}, termenv.TrueColor),
		"light": shown(Options{Theme: "light"}, termenv.TrueColor),
	} {
		if ansi.Strip(other) != whole {
			t.Errorf("%s has other characters:\n%s", name, ansi.Strip(other))
		}
	}
}

// typed are the messages of a key: a command is typed, and so is a text behind a quotation mark.
func typed(key string) (list []tea.Msg) {
	if text, isText := strings.CutPrefix(key, `"`); isText {
		for _, r := range text {
			list = append(list, textMsg{keyMsg(string(r))})
		}
		return list
	}
	if !strings.HasPrefix(key, ":") || key == ":" {
		return []tea.Msg{keyMsg(key)}
	}
	for _, r := range key {
		list = append(list, keyMsg(string(r)))
	}
	return append(list, keyMsg("enter"))
}

// settling is a program that takes a key only when all that the one before has brought about is done.
type settling struct {
	*program.Stack
	sized   bool
	waiting []tea.Msg
	pending int // commands whose messages have not come

	// counted are the keys since a countMsg, without typed text; needed are those after which the frame first had all
	// that the message wants.
	counted, needed int
	wanted          []string
	reached         bool
}

type (
	// settledMsg is the message of a command.
	settledMsg struct{ of tea.Msg }
	// textMsg is a key that belongs to a typed text.
	textMsg struct{ key tea.KeyMsg }
	// countMsg begins to count keys, until the frame has all of wanted.
	countMsg struct{ wanted []string }
	// endMsg ends the program after all keys.
	endMsg struct{}
)

// Init implements tea.Model. It leaves the title of the window out: Bubble Tea writes it beside the renderer,
// without its lock.
func (*settling) Init() tea.Cmd { return nil }

// Update implements tea.Model.
func (s *settling) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case settledMsg:
		s.pending--
		return s, tea.Batch(s.settled(msg.of), s.next())
	case tea.KeyMsg, textMsg, countMsg, endMsg:
		s.waiting = append(s.waiting, msg)
		return s, s.next()
	case tea.WindowSizeMsg:
		s.sized = true
		return s, tea.Batch(s.passed(msg), s.next())
	}
	return s, s.passed(msg)
}

func (s *settling) passed(msg tea.Msg) tea.Cmd {
	_, cmd := s.Stack.Update(msg)
	return s.watched(cmd)
}

// settled passes on what a command gave: the program's own messages to it, others to Bubble Tea.
func (s *settling) settled(msg tea.Msg) tea.Cmd {
	if batch, ok := msg.(tea.BatchMsg); ok {
		list := value.Each(batch, s.watched)
		return tea.Batch(list...)
	}
	if msg == nil {
		return nil
	}
	if reflect.TypeOf(msg).PkgPath() == reflect.TypeFor[program.Stack]().PkgPath() {
		return s.passed(msg)
	}
	return func() tea.Msg { return msg }
}

// next takes the key that waits, where nothing else is to be done.
func (s *settling) next() tea.Cmd {
	if s.pending > 0 || !s.sized || len(s.waiting) == 0 {
		return nil
	}
	msg := s.waiting[0]
	s.waiting = s.waiting[1:]
	if s.wanted != nil && !s.reached && s.shows() {
		s.reached, s.needed = true, s.counted
	}
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case endMsg:
		return tea.Quit
	case countMsg:
		s.wanted = msg.wanted
	case textMsg:
		cmd = s.passed(msg.key)
	default:
		if s.wanted != nil {
			s.counted++
		}
		cmd = s.passed(msg)
	}
	s.pending++ // so that the next key is looked at
	return tea.Batch(cmd, func() tea.Msg { return settledMsg{} })
}

// shows reports whether the frame has all that is wanted.
func (s *settling) shows() bool {
	text := strings.Join(strings.Fields(ansi.Strip(s.View())), " ")
	return !slices.ContainsFunc(s.wanted, func(want string) bool { return !strings.Contains(text, want) })
}

// watched counts a command until its message comes.
func (s *settling) watched(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	s.pending++
	return func() tea.Msg { return settledMsg{cmd()} }
}
