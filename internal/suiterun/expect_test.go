package suiterun_test

import (
	"path/filepath"
	"strings"
	"testing"

	"asldb/engine/value"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/internal/testkit/suites"
)

// The worked example of the format passes.
func TestExample(t *testing.T) {
	s, m := suites.Load(t, suites.Head+`defaults: {timeout: 2h, maxEvents: 500}
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
	if err := suiterun.CheckCase(s, m); err != nil {
		t.Fatal(err)
	}
	for _, c := range s.Cases {
		got, run := suiterun.RunCase(c, m, suiterun.CaseOptions{})
		if got.Kind != suite.Passed || run == nil {
			t.Error(suites.Outcome(got))
		}
	}
}

// Each expectation that is not met has the wanted value, the found one, both places and where the value came from.
func TestFindings(t *testing.T) {
	s, m := suites.Load(t, suites.Head+`cases:
  status:
    expect: {status: FAILED, output: {never: compared}}
  failed instead:
    inject: {ValidateOrder: {error: Oops, cause: broken}}
    expect: {}
  wrong error:
    inject: {ValidateOrder: {error: Oops, cause: broken}}
    expect: {status: FAILED, error: Other, cause: "$regex(^x)"}
  output:
    expect:
      output: {orderId: other, paid: "$any(number)", extra: 1, parcels: [1]}
  exact:
    expect:
      output!: {orderId: o-1042, paid: captured, parcels: "$any"}
  path:
    expect: {path: [ValidateOrder, ChargeCard, ...]}
  path ends:
    expect: {path: [ValidateOrder, ..., WaivePayment]}
  path continues:
    expect: {path: [ValidateOrder, PaymentDue]}
  order:
    expect: {order: [ChargeCard, ValidateOrder]}
  never:
    expect: {never: ["Fulfil/**"]}
  bounds:
    expect: {duration: < 1s, events: 3, size: < 10 B, unused: none}
    tasks: {PickLine: [{output: {sku: A, shelf: B, grams: 1}, repeat: 9}]}
  states:
    expect:
      states:
        ChargeCard: {visits: 2, attempts: 1, retries: < 2, retryDelay: 5s, retryDelays: [1s, 4s], duration: 1s, caught: Card.Declined, failed: X, next: OrderRejected}
        WaivePayment: {rule: 0}
        PaymentDue: {rule: default, input: {validation: {total: 1}}, output: {a: 1}, before: {Choices: {b: 1}}}
        Fulfil/Branches[1]/NotifyCustomer: {caught: Mail.Lost, by: 1, next: Nowhere}
        Fulfil/Branches[1]: {path: [NotifyCustomer]}
        PackLines: {path: [PickLine, Backorder]}
        ReserveStock: {after: {ResultSelector: {reservation: r-78}}, caught: E}
  tasks:
    expect:
      tasks:
        ChargeCard: [{payload: {Payload: {amount: 139.90}}, resource: other}, {}, {}, {payload: 1}]
        PickLine: {count: 2, each: {payload: $.number < 0}}
        WaivePayment: {each: {}}
  assert:
    expect: {assert: [$.paid == null, "$states.output.paid = 'no'", "{% $nosuch.x %}"]}
`)
	var b strings.Builder
	for _, c := range s.Cases {
		got, _ := suiterun.RunCase(c, m, suiterun.CaseOptions{})
		b.WriteString(strings.ReplaceAll(suites.Outcome(got), filepath.Dir(s.Name)+"/", ""))
	}
	suites.Same(t, b.String(), wantFindings)
}

const wantFindings = `
status failed
  6: status ()
     - "FAILED" + "SUCCEEDED"
failed instead failed
  7: status (order.asl.json:5 ValidateOrder)
     - "SUCCEEDED" + "FAILED" (Oops: broken)
wrong error failed
  12: error (order.asl.json:5 ValidateOrder)
    $ - "Other" + "Oops"
  12: cause (order.asl.json:5 ValidateOrder)
    $ - "$regex(^x)" + "broken" (does not match)
output failed
  15: output ()
    $.orderId - "other" + "o-1042" from $.order.id; the execution's input
    $.paid - "$any(number)" + "captured" (is not a number) from $.payment.status; $.Payload.status of the result of ChargeCard (order.fixtures.yaml:24)
    $.extra - 1 + nothing
    $.parcels - [1] + [{"sku":"TEA-500","shelf":"A3","grams":1080},{"sku":"POT-1"… (has 3 items instead of 1 item) from $.parcels; an expression in PackLines (order.asl.json:138)
exact failed
  18: output ()
    $.backordered - nothing + ["POT-1"] from $.parcels[?(@.backordered == true)].sku in Summarize (order.asl.json:179)
path failed
  20: path (order.asl.json:16 PaymentDue)
     - "ChargeCard" + "PaymentDue" (state 2 of the path)
path ends failed
  22: path ()
     - "WaivePayment" + nothing (no such state follows)
path continues failed
  24: path (order.asl.json:40 ChargeCard)
     - nothing + "ChargeCard" (the path continues)
order failed
  26: path ()
     - "ValidateOrder" + nothing (no such state follows)
never failed
  28: never (order.asl.json:89 ReserveStock)
     - nothing + "Fulfil/Branches[0]/ReserveStock" (Fulfil/** was entered)
bounds failed
  30: duration ()
     - "< 1s" + "1h00m12s"
  30: events ()
     - 3 + 97
  30: size ()
     - "< 10 B" + "169 B"
  30: unused ()
     - nothing + nothing (order.test.yaml:31:24: result 1 of "PickLine" was not given more than 3 of 9 times)
     - nothing + nothing (order.fixtures.yaml:35:3: no invocation came to "PackLines/Iterations[1]/PickLine")
     - nothing + nothing (order.fixtures.yaml:37:3: no invocation came to "PickLine")
states failed
  35: ChargeCard, visits (order.asl.json:40 ChargeCard)
     - 2 + 1
  35: ChargeCard, attempts (order.asl.json:40 ChargeCard)
     - 1 + 3
  35: ChargeCard, retries (order.asl.json:40 ChargeCard)
     - "< 2" + 2
  35: ChargeCard, retryDelay (order.asl.json:40 ChargeCard)
     - "5s" + "6s"
  35: ChargeCard, retryDelays (order.asl.json:40 ChargeCard)
     - ["1s","4s"] + ["2s","4s"]
  35: ChargeCard, duration (order.asl.json:40 ChargeCard)
     - "1s" + "10.8s"
  35: ChargeCard, caught (order.asl.json:40 ChargeCard)
     - "Card.Declined" + nothing (its catchers took no error)
  35: ChargeCard, failed (order.asl.json:40 ChargeCard)
     - "X" + nothing (it did not fail)
  36: WaivePayment (order.asl.json:34 WaivePayment)
     - "WaivePayment" + nothing (it was not entered)
  37: PaymentDue, rule (order.asl.json:16 PaymentDue)
     - "default" + 1
  37: PaymentDue, input (order.asl.json:16 PaymentDue)
    $.validation.total - 1 + 129.90 from $.total of the result of ValidateOrder (order.fixtures.yaml:19)
  37: PaymentDue, output (order.asl.json:16 PaymentDue)
    $.a - 1 + nothing
  37: PaymentDue, before Choices (order.asl.json:18 Choices)
    $.b - 1 + nothing
  38: Fulfil/Branches[1]/NotifyCustomer, caught (order.asl.json:111 Catch[0])
    caught - "Mail.Lost" + "Mail.Bounced" (the mailbox does not exist)
    by - "1" + 0
    next - "Nowhere" + "PrintLetter"
  39: Fulfil/Branches[1], path (order.asl.json:119 PrintLetter)
     - nothing + "PrintLetter" (the path continues)
  40: PackLines/Iterations[0], path ()
     - "Backorder" + nothing (the path ends before that)
  40: PackLines/Iterations[2], path ()
     - "Backorder" + nothing (the path ends before that)
  41: ReserveStock, after ResultSelector (order.asl.json:93 ResultSelector)
    $.reservation - "r-78" + "r-77" from $.reservationId; $.reservationId of the result of ReserveStock (order.fixtures.yaml:30)
  41: ReserveStock, caught (order.asl.json:89 ReserveStock)
     - "E" + nothing (its catchers took no error)
tasks failed
  45: ChargeCard, invocation 1, payload (order.asl.json:44 Parameters)
    $.Payload.amount - 139.90 + 129.90 from $.validation.total; $.total of the result of ValidateOrder (order.fixtures.yaml:19)
  45: ChargeCard, invocation 1, resource (order.asl.json:43 Resource)
    $ - "other" + "arn:aws:states:::lambda:invoke"
  45: ChargeCard, invocation 4 (order.asl.json:40 ChargeCard)
     - nothing + nothing (it was invoked 3 times)
  46: PickLine, count (order.asl.json:151 PickLine)
     - 2 + 3
  46: PickLine, invocation 1, payload (order.asl.json:151 Parameters)
    $ - "$.number < 0" + {"orderId":"o-1042","number":0,"line":{"sku":"TEA-500","nam… (is false) from an expression in PackLines (order.asl.json:138)
  47: WaivePayment, each (order.asl.json:34 WaivePayment)
     - nothing + nothing (it was not invoked)
assert failed
  49: assert ()
    $ - "$.paid == null" + nothing (is false)
  49: assert ()
    $ - "$states.output.paid = 'no'" + nothing (is false)
  49: assert ()
    $ - "{% $nosuch.x %}" + nothing (The JSONata expression '$nosuch.x' specified for the field 'expression' returned nothing (undefined).)
`

// The rules of a suite hold for every case.
func TestInvariants(t *testing.T) {
	s, m := suites.Load(t, suites.Head+`cases:
  a: {expect: {}}
invariants:
  - {never: ChargeCard, without: Fulfil}
  - {never: ChargeCard, without: ValidateOrder}
  - {when: SUCCEEDED, assert: $.paid == "never"}
  - {when: FAILED, assert: $.paid == "never"}
  - {after: ValidateOrder, not: SUCCEEDED, unless: WaivePayment}
  - {after: ValidateOrder, not: SUCCEEDED, unless: ChargeCard}
  - {after: "Fulfil/Branches[1]/NotifyCustomer", not: SUCCEEDED}
`)
	got, _ := suiterun.RunCase(s.Cases[0], m, suiterun.CaseOptions{})
	suites.Same(t, suites.Outcome(got), `a failed
  7: invariant: never ChargeCard without Fulfil (order.asl.json:40 ChargeCard)
     - nothing + "ChargeCard" (it was entered at event 11, and Fulfil had not succeeded before)
  9: invariant: when SUCCEEDED, $.paid == "never" ()
    $ - "$.paid == \"never\"" + nothing (is false)
  11: invariant: after ValidateOrder not SUCCEEDED unless WaivePayment (order.asl.json:5 ValidateOrder)
     - nothing + "SUCCEEDED" (ValidateOrder succeeded at event 7, and the run ended at event 100; WaivePayment did not succeed between them)`)
}

// The bounds of the suite are checked for every case, and the ends of an execution have their words.
func TestBounds(t *testing.T) {
	s, m := suites.Load(t, suites.Head+`defaults: {timeout: 30m}
cases:
  a: {expect: {output: {paid: captured}}}
  b: {expect: {status: TIMED_OUT, states: {PackLines: {after: {ItemSelector: {number: 1}}, input: {order: {id: 1}}}, ChargeCard: {next: Fulfil, after: {ItemsPath: 1}}}}}
  c: {expect: {states: {Fulfil: {after: {Result: 1}}, OrderRejected: {visits: 0}, WaivePayment: {path: [A]}}, tasks: {ReserveStock: {count: 0, each: {payload!: {id: 1}}}}}}
`)
	var b strings.Builder
	for _, c := range s.Cases {
		got, _ := suiterun.RunCase(c, m, suiterun.CaseOptions{})
		b.WriteString(suites.Outcome(got))
	}
	suites.Same(t, b.String(), `a failed
  6: timeout ()
     - "<= 30m00s" + "1h01m02s"
b failed
  7: timeout ()
     - "<= 30m00s" + "1h01m02s"
  7: status ()
     - "TIMED_OUT" + "SUCCEEDED"
  7: PackLines, after ItemSelector (order.asl.json:138 PackLines)
     - nothing + nothing (the stage did not run)
  7: PackLines, input (order.asl.json:138 PackLines)
    $.order.id - 1 + "o-1042" from the execution's input
  7: ChargeCard, next (order.asl.json:40 ChargeCard)
     - "Fulfil" + "AwaitSettlement"
  7: ChargeCard, after ItemsPath (order.asl.json:40 ChargeCard)
     - nothing + nothing (the stage did not run)
c failed
  8: timeout ()
     - "<= 30m00s" + "1h01m02s"
  8: Fulfil, after Result (order.asl.json:83 Result)
    $ - 1 + [{"reservation":"r-77","until":"2026-01-03T09:00:00Z"},{"by… from an expression in Fulfil (order.asl.json:83)
  8: WaivePayment, path ()
     - nothing + nothing (no branch or iteration of it ran)
  8: ReserveStock, count (order.asl.json:89 ReserveStock)
     - 0 + 1
  8: ReserveStock, invocation 1, payload (order.asl.json:89 Parameters)
    $.id - 1 + "o-1042" from $.order.id; the execution's input
    $.lines - nothing + [{"sku":"TEA-500","name":"Earl Grey 500 g","quantity":2},{"… from $.order.lines; the execution's input`)
}

// A path and an output that are not as wanted have both as a whole, the wanted one in the form of the found one.
func TestWholeValues(t *testing.T) {
	s, m := suites.Load(t, suites.Head+`cases:
  whole:
    inject: {ChargeCard: Card.Declined}
    expect:
      status: FAILED
      path: [ValidateOrder, PaymentDue, AwaitSettlement, ..., OrderCompleted]
      states: {PaymentDue: {rule: 2}}
      tasks: {ChargeCard: [{payload!: {FunctionName: charge-card, Payload: {amount: 1, card: $any}}}]}
`)
	got, _ := suiterun.RunCase(s.Cases[0], m, suiterun.CaseOptions{})
	var lines []string
	for _, f := range got.Findings {
		if f.Wanted == nil || f.Found == nil {
			lines = append(lines, f.Expectation)
			continue
		}
		lines = append(lines, f.Expectation+" "+value.Compact(f.Wanted)+" "+value.Compact(f.Found))
	}
	suites.Same(t, strings.Join(lines, "\n"), `path ["ValidateOrder","PaymentDue","AwaitSettlement","...","OrderCompleted"] ["ValidateOrder","PaymentDue","ChargeCard","OrderRejected"]
PaymentDue, rule
ChargeCard, invocation 1, payload {"FunctionName":"charge-card","Payload":{"card":"tok_visa_4242","amount":1}} {"FunctionName":"charge-card","Payload":{"card":"tok_visa_4242","amount":129.90,"currency":"EUR","idempotencyKey":"demo-order"}}`)
}
