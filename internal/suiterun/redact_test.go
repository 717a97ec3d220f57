package suiterun_test

import (
	"strings"
	"testing"

	"asldb/engine/value"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/internal/testkit/suites"
	"asldb/recorder"
)

func redactions(t *testing.T, paths ...string) *suiterun.Redactions {
	t.Helper()
	var list []*recorder.Redaction
	for _, text := range paths {
		r, err := recorder.ParseRedaction(text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	return suiterun.NewRedactions(list)
}

// A secret is in no value and no text of an outcome, nor in the snapshot; a short one is replaced where the path leads
// to it.
func TestRedact(t *testing.T) {
	s, m := suites.Load(t, strings.Replace(suites.Head, "include: [order.fixtures.yaml]",
		"include: [order.fixtures.yaml]\n"+
			`input: {order: {id: 7, lines: [{sku: A, quantity: 1}], pin: 12}, customer: {name: Ada Lovelace, card: tok_secret1, mailbox: m}}`, 1)+`cases:
  a:
    snapshot: true
    expect:
      tasks: {ChargeCard: [{payload: {Payload: {card: other}}}]}
      states: {ValidateOrder: {input: {order: {pin: 13}, customer: {card: "x tok_secret1 y"}}}}
  b: {input: {order: {pin: tok_secret1}}, expect: {}}
`)
	hidden := redactions(t, "$..card", "$.order.pin", "$.nowhere")
	got, _ := suiterun.RunCase(s.Cases[0], m, suiterun.CaseOptions{Redact: hidden})
	text := suites.Outcome(got) + value.Compact(got.Snapshot)
	if got.Kind != suite.OutcomeFailed || strings.Contains(text, "tok_secret1") || strings.Contains(text, "13") ||
		strings.Contains(text, "+ 12") {
		t.Error(text)
	}
	if !strings.Contains(text, `$.Payload.card - "[redacted]" + "[redacted]"`) ||
		!strings.Contains(text, `$.order.pin - "[redacted]" + "[redacted]"`) {
		t.Error(text)
	}
	if open, _ := suiterun.RunCase(s.Cases[0], m, suiterun.CaseOptions{}); !strings.Contains(suites.Outcome(open)+
		value.Compact(open.Snapshot), "tok_secret1") {
		t.Error("without redactions there is no secret")
	}
	if unfound := hidden.Unfound(); strings.Join(unfound, " ") != "$.nowhere" {
		t.Errorf("the paths that led to nothing are %v", unfound)
	}

	// A snapshot that was accepted with redactions is compared with them.
	file := got.Snapshot
	if again, _ := suiterun.RunCase(s.Cases[0], m, suiterun.CaseOptions{Redact: hidden}); !value.Equal(again.Snapshot,
		file) {
		t.Errorf("%s\nis not\n%s", value.Compact(again.Snapshot), value.Compact(file))
	}
}

// The files of a suite are the files whose change makes its cases run again.
func TestFiles(t *testing.T) {
	s, m := suites.Load(t, suites.Head+`cases:
  a:
    tasks: {ChargeCard: [{file: charge.json}], NotifyCustomer: [{asldb: {definition: order.asl.json, fixtures: order.fixtures.yaml}}]}
    objects: {"s3://b/k": {file: object.csv}}
    itemReaders: {PackLines: {file: items.json}}
    expect: {}
  b: {history: [h1.json, h2.json]}
  c: {trace: t.trace}
`)
	names := value.Each(suiterun.Files(s, m), func(name string) string {
		return name[strings.LastIndexAny(name, `/\`)+1:]
	})
	want := "charge.json h1.json h2.json items.json object.csv order.asl.json order.fixtures.yaml order.test.snap.yaml order.test.yaml t.trace"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	bare := &suite.Suite{Name: "a.test.yaml"}
	bare.Definition().File, bare.Definition().Substitutions = "d", "s"
	if got := suiterun.Files(bare, nil); strings.Join(got, " ") != "a.test.snap.yaml a.test.yaml d s" {
		t.Error(got)
	}
}
