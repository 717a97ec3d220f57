package interrupt_test

import (
	"errors"
	"fmt"

	"asldb/engine/interrupt"
)

// A signal handler raises the flag; the evaluation looks at it every now and then.
func ExampleFlag() {
	var stop interrupt.Flag
	poll := interrupt.NewPoll(stop.Check)
	steps := 0
	for poll.Step(1) == nil {
		if steps++; steps == 5000 {
			stop.Raise()
		}
	}
	fmt.Println(steps < 5000+interrupt.Every, interrupt.Is(poll.Err()), errors.Is(poll.Err(), interrupt.ErrRaised))
	// Output: true true true
}
