package compare_test

import (
	"fmt"

	"asldb/engine"
	"asldb/engine/compare"
	"asldb/engine/value"
	"asldb/internal/testkit/testrun"
)

// Two runs of one definition in which a task returned something else.
func ExampleLogs() {
	machine := testrun.Machine(`{"StartAt":"Price","States":{"Price":{"Type":"Task","Resource":"price","End":true}}}`)
	returns := func(price string) testrun.Outcomes {
		return testrun.InTurn(engine.Outcome{Output: value.Must(price)})
	}
	a, b := testrun.Run(machine, `{}`, returns(`10`)), testrun.Run(machine, `{}`, returns(`12`))

	r := compare.Logs(a, b)
	for i := range r.Len() {
		row := r.Row(i)
		for _, name := range row.Differs {
			was, is := compare.Member(a.At(row.A), name), compare.Member(b.At(row.B), name)
			fmt.Println(a.At(row.A).Type, name, value.Compact(was), value.Compact(is))
		}
	}
	// Output:
	// TaskSucceeded after 10 12
	// StageCompleted after 10 12
	// StateExited after 10 12
	// ExecutionSucceeded after 10 12
}

// A recording that the execution does not agree with.
func ExampleWithRecording() {
	machine := testrun.Machine(`{"StartAt":"Price","States":{"Price":{"Type":"Task","Resource":"price","End":true}}}`)
	recorded := testrun.Run(machine, `{}`, testrun.Echo)
	found := testrun.Run(machine, `{}`, testrun.InTurn(engine.Outcome{Error: "Price.Unknown"}))

	d := compare.WithRecording(recorded, found, 0)
	fmt.Println(d.State(), d.Expected.Type, d.Found.Type)
	// Output: Price TaskSucceeded TaskFailed
}
