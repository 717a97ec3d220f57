package provenance_test

import (
	"fmt"

	"asldb/engine"
	"asldb/engine/provenance"
	"asldb/internal/testkit/runs"
)

// The way of a value in the output, back to the execution's input.
func ExampleOf() {
	log := runs.Run(runs.Machine(`{"StartAt":"Charge","States":{
		"Charge":{"Type":"Pass","Parameters":{"amount.$":"$.order.total"},"ResultPath":"$.charge","End":true}}}`),
		`{"order":{"total":120}}`, runs.Echo)

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

// The state that lost a value, and a line of its definition that keeps the value.
func ExampleLens_Find() {
	log := runs.Run(runs.Machine(`{"StartAt":"Enrich","States":{
		"Enrich":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:enrich","Next":"Ship",
			"Catch":[{"ErrorEquals":["States.ALL"],"Next":"Ship"}]},
		"Ship":{"Type":"Succeed"}}}`),
		`{"customer":{"email":"a@b.c"}}`, runs.InTurn(engine.Outcome{Error: "Enrich.Down"}))

	lens := &provenance.Lens{Log: log}
	way, loss, err := lens.Find(log.Len()-1, "$.customer.email")
	if err != nil || way != nil {
		fmt.Println("the value is there", err)
		return
	}
	fmt.Println(loss.Kind, "in", loss.Visit.Path(), "by", loss.Field)
	fmt.Println("last at", loss.HadPath)
	fmt.Println("keep it with", loss.Remedy.Line)
	for _, part := range loss.States() {
		fmt.Println(part.State.Name, part.Role)
	}
	// Output:
	// replaced in Enrich by Catch[0]/ResultPath
	// last at $.customer.email
	// keep it with "ResultPath": "$.error"
	// Enrich lost
	// Ship missing
}
