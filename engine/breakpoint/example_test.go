package breakpoint_test

import (
	"fmt"

	"asldb/engine/breakpoint"
)

// A breakpoint with a condition, on a run with nothing known but the log.
func ExampleTracker() {
	run := lookAt(order, orderInput, paid())
	tracker := breakpoint.NewTracker(run)
	if _, err := tracker.Add("Ship if $.sku > 1"); err != nil {
		fmt.Println(err)
	}
	for i := range run.Log().Len() {
		if b := tracker.Hit(i); b != nil {
			fmt.Printf("%s: %s\n", b, run.Log().At(i).Visit.Path())
		}
	}
	// Output: Ship if $.sku > 1: Each/Iterations[1]/Ship
}

// The error of a spec suggests a correction.
func ExampleList_Check() {
	run := lookAt(order, orderInput, paid())
	_, err := run.Breakpoints().Check("Charge:ResultPat")
	fmt.Println(err)
	// Output: "Charge:ResultPat" names a stage "ResultPat" that no state matching "Charge" has; did you mean "ResultPath"?
}
