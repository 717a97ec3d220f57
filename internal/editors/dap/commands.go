package dap

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/go-dap"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// command is a command of the repl.
type command struct {
	name, argument, about string
	// run carries it out and returns a line about it. goesOn is set where the run continues then.
	run func(a *adapter, f *frame, argument string) (said string, goesOn bool, err error)
	// changes is set of a command that changes the run.
	changes bool
}

// commands are the commands of the repl, in the order of the help.
var commands []command

func init() {
	commands = []command{
		{"answer", "JSON", "give the waiting task its result, and continue", answerCommand, true},
		{"fail", "NAME [CAUSE]", "let the waiting task fail, and continue", failCommand, true},
		{"heartbeat", "", "send a heartbeat of the task", heartbeatCommand, true},
		{"time-out", "", "let the task time out", timeOutCommand, true},
		{"inject", "NAME [CAUSE]", "let the next step fail", injectCommand, true},
		{"edit", "JSON", "replace the data that the next stage reads", editCommand, true},
		{"clock", "skip|real|manual|x60|+5m", "change the clock's mode, or let time pass", clockCommand, false},
		{"break", "SPEC", "set a breakpoint: STATE, STATE:STAGE, error NAME, at +5m, change $.total", breakCommand, false},
		{"delete", "NUMBER", "delete a breakpoint that was set by :break", deleteCommand, false},
		{"breakpoints", "", "list the breakpoints", breakpointsCommand, false},
		{"watch", "EXPRESSION", "add a watch, which the scope Watches shows", watchCommand, false},
		{"why", "", "explain the event at the execution's position", whyCommand, false},
		{"open", "", "open the execution that the task of the frame has started, as it ended", openCommand, false},
		{"leave", "", "go back from it to the execution around it", leaveCommand, false},
		{"undo", "", "take back the last edit, answer or injected error", undoCommand, true},
		{"help", "", "list the commands", helpCommand, false},
	}
}

// execute carries out a command of the repl.
func (a changer) execute(r *dap.EvaluateRequest, f *frame, line string) error {
	name, argument, _ := strings.Cut(strings.TrimSpace(line), " ")
	for _, c := range commands {
		if c.name != name {
			continue
		}
		if c.changes && f.level.over {
			return errOver
		}
		said, goesOn, err := c.run(a.adapter, f, strings.TrimSpace(argument))
		if err != nil {
			return err
		}
		a.out.respond(r, &dap.EvaluateResponse{Body: dap.EvaluateResponseBody{Result: said}})
		if goesOn {
			a.goOn()
		} else {
			a.invalidate()
		}
		return nil
	}
	names := slices.Values(value.Each(commands, func(c command) string { return c.name }))
	if meant := wording.Nearest(name, names); meant != "" {
		return fmt.Errorf("there is no command %q; did you mean :%s?", name, meant)
	}
	return fmt.Errorf("there is no command %q: :help lists them", name)
}

func answerCommand(a *adapter, _ *frame, argument string) (string, bool, error) {
	if argument == "" {
		return "", false, errors.New("usage: :answer JSON")
	}
	v, err := value.ParseString(argument)
	if err != nil {
		return "", false, fmt.Errorf("the result is JSON: write a text in quotes: %w", err)
	}
	return "answered", true, a.changes.give(0, engine.Outcome{Output: v})
}

func failCommand(a *adapter, _ *frame, argument string) (string, bool, error) {
	name, cause, err := errorOf(argument, ":fail NAME [CAUSE]")
	if err != nil {
		return "", false, err
	}
	return "failed with " + name, true, a.changes.give(0, engine.Outcome{Error: name, Cause: cause})
}

// errorOf takes an Error Name from the Cause behind it.
func errorOf(argument, usage string) (name, cause string, err error) {
	name, cause, _ = strings.Cut(argument, " ")
	if name == "" {
		return "", "", errors.New("usage: " + usage)
	}
	return name, strings.TrimSpace(cause), nil
}

// request returns the request of the task in a frame that has no outcome yet, or of the oldest that waits.
func (a changer) request(f *frame) (*engine.TaskRequest, error) {
	requests := f.level.session.Requests()
	for _, r := range requests {
		if r.Visit == f.visit {
			return r, nil
		}
	}
	if r := f.level.requestAt(f.event, f.visit); r != nil {
		return r, nil
	}
	if len(requests) > 0 {
		return requests[0], nil
	}
	return nil, errors.New("no task is under way here")
}

func heartbeatCommand(a *adapter, f *frame, _ string) (string, bool, error) {
	r, err := a.changes.request(f)
	if err != nil {
		return "", false, err
	}
	return "heartbeat sent for " + explain.PlaceName(r.Visit), false, f.level.session.Interventions().Heartbeat(r.ID)
}

func timeOutCommand(a *adapter, f *frame, _ string) (string, bool, error) {
	r, err := a.changes.request(f)
	if err != nil {
		return "", false, err
	}
	return explain.PlaceName(r.Visit) + " times out; step to see the effect", false, f.level.session.Interventions().TimeOut(r.ID)
}

// thread returns the thread of a frame.
func (f *frame) thread() engine.ThreadID {
	if log := f.level.session.Log(); f.event >= log.First() && f.event < log.Len() {
		return log.At(f.event).Thread
	}
	return 0
}

func injectCommand(_ *adapter, f *frame, argument string) (string, bool, error) {
	name, cause, err := errorOf(argument, ":inject NAME [CAUSE]")
	if err != nil {
		return "", false, err
	}
	return "the next step fails with " + name, false, f.level.session.Interventions().Inject(f.thread(), name, cause)
}

func editCommand(a *adapter, f *frame, argument string) (string, bool, error) {
	if argument == "" {
		return "", false, errors.New("usage: :edit JSON")
	}
	_, err := a.changes.edit(f, "$", argument)
	return "the next stage reads this", false, err
}

func clockCommand(a *adapter, f *frame, argument string) (string, bool, error) {
	s := f.level.session
	if after, is := strings.CutPrefix(argument, "+"); is {
		d, err := time.ParseDuration(after)
		if err != nil || d <= 0 {
			return "", false, fmt.Errorf("a time is a number with a unit, such as +30s or +5m, not %q", argument)
		}
		if err := a.begin(debug.Command{Kind: debug.RunUntil, Until: s.Now().Add(d)}); err != nil {
			return "", false, err
		}
		return "the clock moves to " + wording.Instant(s.Now().Add(d)), true, nil
	}
	clock := s.Clock()
	if argument != "" {
		var err error
		if clock, err = debug.ParseClock(argument); err != nil {
			return "", false, err
		}
	}
	for _, l := range a.levels {
		l.session.SetClock(clock)
	}
	return "clock: " + explain.Clock(clock) + ". " + explain.ClockEffect(clock), false, nil
}

func breakCommand(a *adapter, f *frame, argument string) (string, bool, error) {
	b, err := f.level.session.Breakpoints().Add(argument)
	if err != nil {
		return "", false, err
	}
	return fmt.Sprintf("breakpoint %d: %s", b.ID, b), false, nil
}

func deleteCommand(a *adapter, f *frame, argument string) (string, bool, error) {
	list := f.level.session.Breakpoints()
	for _, b := range list.All() {
		if fmt.Sprint(b.ID) != argument || b.Standing {
			continue
		}
		if _, is := a.points.numberOf(f.level.session, b); is {
			return "", false, errors.New("the editor has set this breakpoint: delete it there")
		}
		list.Remove(b.ID)
		return "deleted: " + b.String(), false, nil
	}
	return "", false, errors.New("usage: :delete NUMBER, which :breakpoints lists")
}

func breakpointsCommand(_ *adapter, f *frame, _ string) (string, bool, error) {
	var lines []string
	for _, b := range f.level.session.Breakpoints().All() {
		line := fmt.Sprintf("%d  %s", b.ID, b)
		if !b.Enabled {
			line += "  (off)"
		}
		lines = append(lines, line)
	}
	return cmp.Or(joined(lines), "no breakpoints"), false, nil
}

func watchCommand(_ *adapter, f *frame, argument string) (string, bool, error) {
	w, err := f.level.session.Watches().Add(argument)
	if err != nil {
		return "", false, err
	}
	return "watch: " + w.Text, false, nil
}

func whyCommand(_ *adapter, f *frame, _ string) (string, bool, error) {
	if f.event < f.level.session.Log().First() {
		return "nothing has run yet", false, nil
	}
	return joined(explain.Plain(maxPayload).Labelled(explain.At(f.level.session, f.event, f.level.nested()))), false, nil
}

func undoCommand(_ *adapter, f *frame, _ string) (string, bool, error) {
	undone, err := f.level.session.Forks().Undo()
	if err != nil {
		return "", false, err
	}
	return "taken back: " + undone.String(), false, nil
}

func helpCommand(*adapter, *frame, string) (string, bool, error) {
	lines := value.Each(commands, func(c command) string {
		return fmt.Sprintf("%-36s %s", ":"+strings.TrimSpace(c.name+" "+c.argument), c.about)
	})
	return joined(append(lines, "Other texts are expressions: $.order.total, {% $sum($states.input.prices) %}, States.Format('{}', $.id)")), false, nil
}

func joined(lines []string) string { return strings.Join(lines, "\n") }

// sortedKeys returns the keys of a map in their order.
func sortedKeys[K int | string, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
