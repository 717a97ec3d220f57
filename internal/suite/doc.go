// Package suite reads suites: files that put a definition under test.
//
// A suite is a fixtures file (see package fixtures) with a definition and, in its cases, expectations:
//
//	version: 1
//	definition: order.asl.json          # beside the suite; or template.yaml with resource: Orders and substitutions: dev.yaml
//	include: [order.fixtures.yaml]      # the results of tasks where a case has none
//	defaults: {timeout: 2h, maxEvents: 500}
//	skip: {reason: "see #12", cases: [declined card]}
//	cases:
//	  pays and ships:
//	    expect: {output: {paid: captured}}
//	  declined card:
//	    inject: {ChargeCard: Card.Declined}
//	    expect: {status: FAILED, error: Order.Rejected}
//
// A case has, besides the keys of a case of fixtures (input, startTime, seed, context, tasks, resources, objects, itemReaders):
//
//	expect:    what the run has to be: see [Expect]
//	inject:    errors of tasks before the results of the fixtures: {State: Error.Name}, or {error, cause, after, times}, or a list
//	extends:   a case whose keys this one has, too; objects are merged
//	table:     a list of rows, or a file with one; each makes a case, with {{column}} replaced in the case and in its name
//	tags:      words by which cases are chosen
//	properties: names and values for reports
//	snapshot:  true, or {ignore: [paths]}: path, payloads and output are compared with a snapshot file
//	history:   a recorded history (a file or a list of pages, with execution and attempt): its results, and the run to expect
//	trace:     a recorded trace, likewise
//	skip:      a reason for which the case is not run
//
// A case with none of expect, snapshot, history and trace is an error, since it could not fail.
//
// # Values
//
// A wanted value matches a found one if both are equal, where an object may have more members than are wanted, at any depth,
// and arrays have the same length. These texts are matchers:
//
//	"$any"             any value that is there; "$any(string)", and number, boolean, object, array, uuid, date
//	"$regex(^r-\\d+$)" a string that the regular expression (RE2) matches somewhere
//	"$absent"          no such member
//	"$$any"            the text "$any": a text that begins with $$ means itself without the first $
//
// Where a whole value is wanted (output, payload, before, after), a text that begins with $. or {% is a condition on it:
// "$.total > 100", "{% $states.input.total > 100 %}"; see package console.
package suite
