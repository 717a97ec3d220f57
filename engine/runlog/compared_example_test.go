package runlog_test

import (
	"fmt"

	"asldb/engine"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

// Two runs of one definition in which a task returned something else.
func ExampleLogs() {
	machine := runs.Machine(`{"StartAt":"Price","States":{"Price":{"Type":"Task","Resource":"price","End":true}}}`)
	returns := func(price string) runs.Outcomes {
		return runs.InTurn(engine.Outcome{Output: value.Must(price)})
	}
	a, b := runs.Run(machine, `{}`, returns(`10`)), runs.Run(machine, `{}`, returns(`12`))

	r := runlog.Logs(a, b)
	for i := range r.Len() {
		row := r.Row(i)
		for _, name := range row.Differs {
			was, is := runlog.Member(a.At(row.A), name), runlog.Member(b.At(row.B), name)
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
	machine := runs.Machine(`{"StartAt":"Price","States":{"Price":{"Type":"Task","Resource":"price","End":true}}}`)
	recorded := runs.Run(machine, `{}`, runs.Echo)
	found := runs.Run(machine, `{}`, runs.InTurn(engine.Outcome{Error: "Price.Unknown"}))

	d := runlog.WithRecording(recorded, found, 0)
	fmt.Println(d.State(), d.Expected.Type, d.Found.Type)
	// Output: Price TaskSucceeded TaskFailed
}
