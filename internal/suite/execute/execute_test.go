package execute_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/value"
	"asldb/internal/demo"
	"asldb/internal/suite"
	"asldb/internal/suite/execute"
	"asldb/internal/suite/result"
)

const head = `version: 1
definition: order.asl.json
include: [order.fixtures.yaml]
`

// load writes the demo and a suite about it, and reads them.
func load(t *testing.T, text string) (*suite.Suite, *execute.Machine) {
	t.Helper()
	dir := t.TempDir()
	for file, content := range map[string]string{
		demo.DefinitionName: string(demo.Definition), demo.FixturesName: string(demo.Fixtures), "order.test.yaml": text,
	} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := suite.Load(filepath.Join(dir, "order.test.yaml"), []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	m, err := execute.Open(execute.DefinitionOf(s), execute.Settings{Limits: engine.ServiceLimits()})
	if err != nil {
		t.Fatal(err)
	}
	return s, m
}

// outcome writes the outcome of a case in lines.
func outcome(c *result.Case) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", c.Name, c.Kind)
	if c.Reason != "" {
		fmt.Fprintf(&b, ": %s", c.Reason)
	}
	b.WriteString("\n")
	for _, f := range c.Findings {
		fmt.Fprintf(&b, "  %d: %s (%s)\n", f.At.Line, f.Expectation, f.Place)
		for _, d := range f.Differences {
			fmt.Fprintf(&b, "    %s - %s + %s", d.Path, shown(d.Wanted), shown(d.Found))
			if d.Reason != "" {
				fmt.Fprintf(&b, " (%s)", d.Reason)
			}
			if d.From != "" {
				fmt.Fprintf(&b, " %s", d.From)
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

func shown(v value.Value) string {
	if v == nil {
		return "nothing"
	}
	return value.Preview(v, 60)
}

// The worked example of the format passes.
func TestExample(t *testing.T) {
	s, m := load(t, head+`defaults: {timeout: 2h, maxEvents: 500}
startTime: "2026-01-01T09:00:00Z"
cases:
  pays and ships:
    expect:
      output: {orderId: o-1042, paid: captured}
      path: [ValidateOrder, PaymentDue, ChargeCard, ..., OrderCompleted]
      duration: < 2h
      unused: none
  declined card:
    inject: {ChargeCard: Card.Declined}
    expect:
      status: FAILED
      error: Order.Rejected
      never: [Fulfil/**, AwaitSettlement]
      states:
        ChargeCard: {attempts: 1, caught: Card.Declined, by: 0, next: OrderRejected}
  "retries {{n}} times":
    table: [{n: 3, s: 14}]
    inject: {ChargeCard: {error: Card.Timeout, times: 1}}
    expect: {states: {ChargeCard: {attempts: "{{n}} + 1", retryDelay: "{{s}}s", retryDelays: [2s, 4s, 8s]}}}
  asks for the right amount:
    expect:
      tasks:
        ChargeCard:
          - payload: {Payload: {amount: 129.90, card: "$any(string)"}}
        PackLines/Iterations[*]/PickLine: {count: 3, each: {payload: $.number < 4}}
      states: {PaymentDue: {rule: 1, after: {Choices: $.validation.total > 0}}}
      assert: ["$sum($states.output.parcels.grams) = 2530", $.paid != null]
`)
	if err := execute.Check(s, m); err != nil {
		t.Fatal(err)
	}
	for _, c := range s.Cases {
		got, run := execute.Run(c, m, execute.Options{})
		if got.Kind != result.Passed || run == nil {
			t.Error(outcome(got))
		}
	}
}
