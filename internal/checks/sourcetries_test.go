package checks

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/lint"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/engine/waiter"
	"asldb/fixtures"
	"asldb/internal/definitions"
)

// sourcesStart is the virtual time at which the executions of the matrix start.
var sourcesStart = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// waiterModel is a model of one operation, GetThing, around the trait with its waiters.
const waiterModel = `$version: "2"
%s
namespace ex
use smithy.waiters#waitable
%s
%s
structure In { groups: Strs, n: String, arns: Strs }
structure Out {
    status: String, ok: Boolean, count: Integer, at: Timestamp, b: Blob, groups: Strs, items: Items, u: U
    @jsonName("wire") named: String
    big: Long, d: Double, m: Mp, by: Byte, sh: Short, fl: Float, bi: BigInteger, bd: BigDecimal, doc: Document
}
list Strs { member: String }
list Items { member: Item }
structure Item { state: String }
map Mp { key: String, value: String }
union U { a: String, b: String }
@error("client") structure NotFound {}
@error("client") structure Throttled {}
`

const waiterOperation = `operation GetThing { input: In, output: Out, errors: [NotFound] }`

// run does what the try says, and returns what came of it: of a definition or model, whether it is valid, the rules of
// its errors (refused) and of all problems (reports), and whether there is a warning; where an expectation asks for
// more, also of its run.
func (a *try) run(dialect string, expectation *value.Object) *value.Object {
	var seen value.ObjectBuilder
	runs := false
	for key := range expectation.All() {
		runs = runs || !slices.Contains([]string{"valid", "refused", "warned", "reports"}, key)
	}
	var input value.Value = value.ObjectOf()
	if text := cmp.Or(a.Text, string(a.Input)); text != "" {
		var err error
		if input, err = value.ParseString(text); err != nil {
			seen.Set("input", value.String("refused"))
			return seen.Object()
		}
	}
	switch {
	case a.Waiter != "":
		a.wait(&seen, input, runs)
	default:
		chosen, _ := engine.ParseDialect(dialect) // which is known
		file := &source.File{Name: "definition.json", Data: a.Definition}
		root, problem := source.Read(file, nil)
		if problem != nil {
			judged(&seen, []source.Diagnostic{*problem})
			return seen.Object()
		}
		judged(&seen, definitions.InDialect(lint.All(file, root, lint.Options{Hints: true, Dialect: chosen}), chosen))
		if runs {
			a.execute(&seen, file, chosen, input)
		}
	}
	return seen.Object()
}

// judged notes the problems of a definition or model.
func judged(seen *value.ObjectBuilder, problems []source.Diagnostic) {
	var refused, reports []value.Value
	warned := false
	for _, p := range problems {
		if p.Severity.Fails() {
			refused = append(refused, value.String(p.Rule))
		}
		warned = warned || p.Severity == source.Warning
		reports = append(reports, value.String(p.Rule))
	}
	seen.Set("valid", value.Bool(len(refused) == 0))
	seen.Set("refused", value.NewArray(refused))
	seen.Set("warned", value.Bool(warned))
	seen.Set("reports", value.NewArray(reports))
}

// execute runs a definition to its end.
func (a *try) execute(seen *value.ObjectBuilder, file *source.File, dialect engine.Dialect, input value.Value) {
	definition, _ := asl.Parse(file)
	var machine *engine.Machine
	if definition != nil {
		machine, _ = engine.Compile(definition, dialect)
	}
	if machine == nil {
		seen.Set("succeeds", value.Bool(false))
		return
	}
	s, err := a.play(machine, debug.Options{Input: input, Seed: 1, Limits: engine.ServiceLimits()})
	if err != nil {
		seen.Set("wrong", value.String(err.Error()))
		return
	}
	seen.Set("succeeds", value.Bool(s.Status() == engine.Succeeded))
	seen.Set("seconds", seconds(s.Now().Sub(sourcesStart)))
	if s.Output() != nil {
		seen.Set("output", s.Output())
	}
	if f := s.Failure(); f != nil {
		seen.Set("error", value.String(f.Name))
		seen.Set("cause", value.String(f.Cause))
	}
	var path, delays, payloads []value.Value
	for e := range s.Log().All() {
		switch detail := e.Detail.(type) {
		case *engine.RetryDetail:
			delays = append(delays, seconds(detail.Delay))
		case *engine.TaskRequest:
			payloads = append(payloads, detail.Parameters)
		}
		if e.Type == engine.StateEntered && !strings.Contains(e.Visit.Path(), "/") {
			path = append(path, value.String(e.Visit.State.Name))
		}
	}
	seen.Set("path", value.NewArray(path))
	seen.Set("delays", value.NewArray(delays))
	seen.Set("payloads", value.NewArray(payloads))
}

// play runs a machine to its end with the fixtures of the try.
func (a *try) play(machine *engine.Machine, options debug.Options) (*debug.Session, error) {
	options.Start = sourcesStart
	if a.Fixtures != nil {
		text := append([]byte(`{"version":1,`), bytes.TrimPrefix(a.Fixtures, []byte("{"))...)
		file, err := fixtures.Load("fixtures.json", text)
		if err != nil {
			return nil, err
		}
		given, err := file.Source(machine.Definition())
		if err != nil {
			return nil, err
		}
		given.Begin(options.Start, options.Seed)
		options.Context, options.Source = file.Context, given
	}
	s := debug.New(machine, options)
	_, err := s.Do(debug.Command{Kind: debug.Continue})
	return s, err
}

// wait checks a model and, where a waiter is to run, waits with its first one, once for each seed.
func (a *try) wait(seen *value.ObjectBuilder, input value.Value, runs bool) {
	operation := cmp.Or(a.Operation, waiterOperation)
	text := fmt.Sprintf(waiterModel, a.Metadata, a.Waiter, operation)
	model, problems := waiter.Read(&source.File{Name: "model.smithy", Data: []byte(text)})
	if model != nil {
		problems = append(problems, model.Hints()...)
	}
	judged(seen, problems)
	if !runs || model == nil || len(model.Waiters) == 0 {
		return
	}
	w, limit := model.Waiters[0], time.Duration(a.MaxWait)*time.Second
	if a.Draws != nil {
		a.draw(seen, w, limit)
		return
	}
	definition, err := model.Program(w, limit)
	var machine *engine.Machine
	if err == nil {
		machine, err = engine.Compile(definition, engine.AWS)
	}
	all := &polled{lawful: true}
	for seed := int64(1); err == nil && seed <= max(a.Seeds, 1); seed++ {
		var s *debug.Session
		if s, err = a.play(machine, debug.Options{Input: waiter.Input(input), Seed: seed}); err == nil {
			all.add(w, limit, s)
		}
	}
	if err != nil {
		seen.Set("succeeds", value.Bool(false))
		return
	}
	seen.Set("ends", value.NewArray(all.ends))
	seen.Set("calls", value.NewArray(all.calls))
	seen.Set("seconds", value.NewArray(all.seconds))
	seen.Set("drawn", value.NewArray(all.drawn))
	seen.Set("delays", value.NewArray(all.delays))
	seen.Set("lawful", value.Bool(all.lawful))
}

// polled is what came of the runs of a waiter: each end, number of calls, number of seconds and number drawn once, and
// the delays of the last run. They are lawful where the algorithm of the document could have made all of them.
type polled struct {
	ends, calls, seconds, drawn, delays []value.Value
	lawful                              bool
}

// add reads the polls of a run.
func (p *polled) add(w *waiter.Waiter, limit time.Duration, s *debug.Session) {
	polls, end, calls := w.Polls(limit), "", int64(0)
	p.delays = nil
	for e := range s.Log().All() {
		poll := polls.Add(e)
		if poll == nil {
			continue
		}
		calls++
		end = poll.State.String()
		if poll.TimedOut {
			end = "timeout"
		}
		if d := poll.Delay; d != nil {
			p.delays = append(p.delays, seconds(d.Sleep))
			p.lawful = p.lawful && isLawful(w, d)
			if !d.Last {
				p.drawn = once(p.drawn, value.Int(d.Drawn))
			}
		}
	}
	p.ends, p.calls = once(p.ends, value.String(end)), once(p.calls, value.Int(calls))
	p.seconds = once(p.seconds, seconds(s.Now().Sub(sourcesStart)))
}

// once adds a value to a sorted list, if it is not in it.
func once(list []value.Value, v value.Value) []value.Value {
	at, found := slices.BinarySearchFunc(list, v, func(a, b value.Value) int {
		return strings.Compare(value.Compact(a), value.Compact(b))
	})
	if found {
		return list
	}
	return slices.Insert(list, at, v)
}

// isLawful holds a delay against the algorithm of the document.
func isLawful(w *waiter.Waiter, d *waiter.Delay) bool {
	if d.Last {
		return d.Sleep == d.Remaining
	}
	low, high := float64(w.MinDelay), float64(w.MaxDelay)
	if float64(d.Attempt) <= math.Log(high/low)/math.Ln2+1 {
		high = low * math.Pow(2, float64(d.Attempt-1))
	}
	drawn, left := float64(d.Drawn), d.Remaining-d.Sleep
	return low <= drawn && drawn <= high && d.Sleep.Seconds() == drawn && left.Seconds() > low
}

// draw notes the delays of a waiter that draws the numbers of the try, with calls that take no time.
func (a *try) draw(seen *value.ObjectBuilder, w *waiter.Waiter, remaining time.Duration) {
	var delays []value.Value
	lawful := true
	for i, n := range a.Draws {
		d := w.NextDelay(i+1, remaining, func(int64) int64 { return n - w.MinDelay })
		lawful = lawful && isLawful(w, &d)
		remaining -= d.Sleep
		delays = append(delays, seconds(d.Sleep))
	}
	seen.Set("delays", value.NewArray(delays))
	seen.Set("lawful", value.Bool(lawful))
	seen.Set("left", seconds(remaining))
}

func seconds(d time.Duration) value.Value { return value.Float(d.Seconds()) }
