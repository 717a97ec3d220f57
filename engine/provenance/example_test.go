package provenance_test

import (
	"fmt"

	"asldb/engine/provenance"
	"asldb/internal/testkit/testrun"
)

// The way of a value in the output, back to the execution's input.
func ExampleOf() {
	log := testrun.Run(testrun.Machine(`{"StartAt":"Charge","States":{
		"Charge":{"Type":"Pass","Parameters":{"amount.$":"$.order.total"},"ResultPath":"$.charge","End":true}}}`),
		`{"order":{"total":120}}`, testrun.Echo)

	hops, err := provenance.Of(log, log.Len()-1, "$.charge.amount")
	if err != nil {
		fmt.Println(err)
	}
	for _, hop := range hops {
		fmt.Println(log.At(hop.Event).Type, hop.Expression, hop.From, hop.To)
	}
	// Output:
	// StageCompleted $.charge $.amount $.charge.amount
	// StageCompleted $.order.total $.order.total $.amount
	// ExecutionStarted   $.order.total
}
