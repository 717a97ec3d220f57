package runlog_test

import (
	"testing"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/runlog"
	"asldb/engine/source"
	"asldb/engine/value"
)

func TestNamed(t *testing.T) {
	const definition = `{"StartAt":"P","States":{"P":{"Type":"Pass","Next":"M"},
		"M":{"Type":"Map","ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}},"End":true}}}`
	log := namedLog(t, definition, `[1,2]`, engine.AWS)
	at := func(text string, within engine.ThreadID) *engine.Event {
		t.Helper()
		i, err := log.Named(text, within)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return log.At(i)
	}
	if e := at("3", 0); e.Seq != 3 {
		t.Errorf("3 is event %d", e.Seq)
	}
	if e := at(" #2 ", 0); e.Type != engine.StateEntered || e.Visit.State.Name != "P" {
		t.Errorf("#2 is %v", e.Type)
	}
	inner := at("the state 'I' (entered at the event id #2)", 0)
	if inner.Visit.State.Name != "I" || inner.HistoryThread() == 0 {
		t.Errorf("the entry of I is %v of %s", inner.Type, inner.Visit.Path())
	}
	if e := at("#2", 2); e.Visit.State.Name != "I" || e.Thread != 2 {
		t.Errorf("within thread 2 it is %v of %s in %d", e.Type, e.Visit.Path(), e.Thread)
	}
	for text, want := range map[string]string{
		"#77": "no event is #77: the history goes to #",
		"the state 'Q' (entered at the event id #2)": `the state "Q" was not entered at #2`,
		"0": "an event is a number from 1 to ",
		"":  "an event is a number from 1 to ",
	} {
		if _, err := log.Named(text, 0); err == nil || len(err.Error()) < len(want) || err.Error()[:len(want)] != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, err := namedLog(t, definition, `[1,2]`, engine.Spec).Named("#2", 0); err == nil ||
		err.(*runlog.NameError).Greatest != 0 {
		t.Errorf("in the dialect spec: %v", err)
	}
}

func namedLog(t *testing.T, definition, input string, dialect engine.Dialect) *runlog.Log {
	t.Helper()
	parsed, _ := asl.Parse(&source.File{Name: "named", Data: []byte(definition)})
	machine, err := engine.Compile(parsed, dialect)
	if err != nil {
		t.Fatal(err)
	}
	e := machine.Start(value.Must(input), engine.StartOptions{})
	log := &runlog.Log{}
	for !e.Status().Done() {
		events := append([]engine.Event(nil), e.Step()...)
		if len(events) == 0 && e.Status() != engine.Runnable {
			t.Fatalf("it has stopped: %v", e.Status())
		}
		log.Append(events)
	}
	return log
}
