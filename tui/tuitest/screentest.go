// Package tuitest drives the screen, one view alone, and pages outside of a session in tests, without a terminal.
package tuitest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/definitions"
	"asldb/internal/testkit/runs"
	"asldb/tui/keys"
)

// Script answers tasks in their order, by state.
type Script = runs.ByState

// Machine compiles a definition.
func Machine(t testing.TB, name string, definition []byte) *engine.Machine {
	t.Helper()
	def, problems := asl.Parse(&source.File{Name: name, Data: definition})
	if def == nil {
		t.Fatalf("the definition does not parse: %+v", problems)
	}
	m, err := engine.Compile(def, engine.AWS)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Start is the virtual time at which the sessions begin.
var Start = time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)

// Session returns a session of a definition.
func Session(t testing.TB, definition, input string, answers runs.ByState) *debug.Session {
	t.Helper()
	return debug.New(Machine(t, "test.asl.json", []byte(definition)), debug.Options{
		Input: value.Must(input), Start: Start, Seed: 7, Source: answers.Source(),
	})
}

// OrderInput is the input of the demo.
const OrderInput = `{"order":{"id":"o-1042","lines":[{"sku":"TEA-500","name":"Earl Grey 500 g","quantity":2},
	{"sku":"POT-1","name":"Teapot","quantity":1},{"sku":"CUP-4","name":"Set of four cups","quantity":1}]},
	"customer":{"name":"Ada","card":"tok_visa_4242","mailbox":"mail-ada"}}`

// Order is a session of the demo's definition with results for some of its tasks: the card service fails once, and
// ReserveStock has no result.
func Order(t testing.TB) *debug.Session {
	t.Helper()
	return debug.New(Machine(t, definitions.DefinitionName, definitions.DemoDefinition), debug.Options{
		Input: value.Must(OrderInput), Start: Start, Seed: 7,
		Source: runs.ByState{
			"ValidateOrder": {{Output: value.Must(`{"valid":true,"currency":"EUR","total":129.90}`), After: 350 * time.Millisecond}},
			"ChargeCard": {
				{Error: "Card.Timeout", Cause: "no answer from the card service in 2 s", After: 2 * time.Second},
				{Output: value.Must(`{"StatusCode":200,"ExecutedVersion":"$LATEST","Payload":{"chargeId":"ch_3PqL","amount":129.90,"status":"captured"}}`), After: 800 * time.Millisecond},
			},
		}.Source(),
	})
}

// Loop is a definition that never ends.
const Loop = `{"StartAt":"A","States":{"A":{"Type":"Pass","Result":1,"ResultPath":"$.n","Next":"B"},
	"B":{"Type":"Choice","Choices":[{"Variable":"$.stop","IsPresent":true,"Next":"C"}],"Default":"A"},"C":{"Type":"Succeed"}}}`

// Key returns the key with a name of the table, without its action.
func Key(name string) keys.Press {
	k := keys.Press{Name: name}
	if WritesText(name) {
		k.Text = name
	}
	return k
}

// WritesText reports whether the key with a name is a character.
func WritesText(name string) bool { return len([]rune(name)) == 1 }

// Updating reports whether the files are to be rewritten: the flag -update, which teatest brings with it.
func Updating() bool {
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}

// Golden compares a frame with the file name.golden of the folder testdata.
func Golden(t testing.TB, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	rows := strings.Split(got, "\n")
	for i := range rows {
		rows[i] = strings.TrimRight(rows[i], " ")
	}
	got = strings.Join(rows, "\n") + "\n"
	if Updating() {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", file, got, want)
	}
}
