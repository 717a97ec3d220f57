package rerun_test

import (
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/outcome/sourcetest"
	"asldb/fixtures"
)

// The source of a recording keeps to the protocol, alone and before each other source.
func TestTheProtocolOfSources(t *testing.T) {
	r := open(t, "order.history.json", file(t, "order.history.json"))
	machine := compile(t, "order.asl.json", file(t, "order.asl.json"))
	options, source := r.Options()
	session := debug.New(machine, options)
	source.Follow(session.Now)
	if _, err := session.Do(debug.Command{Kind: debug.Continue}); err != nil {
		t.Fatal(err)
	}
	var asks []outcome.Ask
	for event := range session.Log().All() {
		request, ok := event.Detail.(*engine.TaskRequest)
		if !ok || event.Type != engine.TaskScheduled {
			continue
		}
		again := *request // which was not recorded
		again.ID, again.Attempt, again.Invocation = request.ID+100, 2, 2
		visit := *request.Visit
		visit.Number = 2
		elsewhere := *request
		elsewhere.ID, elsewhere.Visit = request.ID+200, &visit
		asks = append(asks, outcome.Task{Request: request}, outcome.Task{Request: &again},
			outcome.Task{Request: &elsewhere},
			outcome.MapRun{Visit: request.Visit, Attempt: 1},
			outcome.Object{Request: &engine.ObjectRequest{ID: request.ID}})
	}
	if len(asks) != 10 {
		t.Fatalf("%d asks", len(asks))
	}
	recorded := func() outcome.Source {
		_, source := r.Options()
		return source
	}
	fromFile := func() outcome.Source {
		f, err := fixtures.Load("f.yaml", []byte("version: 1\ntasks: {LookUp: [{output: 1}], Charge: [{error: E}, {output: 2}]}\n"))
		if err != nil {
			t.Fatal(err)
		}
		bound, err := f.Source(machine.Definition())
		if err != nil {
			t.Fatal(err)
		}
		return bound
	}
	sources := map[string]func() outcome.Source{"recorded": recorded, "fixtures": fromFile}
	for _, missing := range []fixtures.Missing{fixtures.Ask, fixtures.Fail, fixtures.Echo} {
		sources[missing.String()] = func() outcome.Source { return missing }
	}
	for name, create := range sources {
		t.Run(name, func(t *testing.T) { sourcetest.Test(t, create, asks...) })
		for second, behind := range sources {
			t.Run(name+" "+second, func(t *testing.T) {
				sourcetest.Test(t, func() outcome.Source { return outcome.First(create(), behind()) }, asks...)
			})
		}
	}
}
