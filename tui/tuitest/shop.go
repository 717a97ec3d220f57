package tuitest

import (
	"testing"

	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/fixtures/live"
)

// shop starts a payment, which is another definition, and lets a failed one be handled.
const shop = `{"StartAt":"Prepare","States":{
	"Prepare":{"Type":"Pass","Next":"Pay"},
	"Pay":{"Type":"Task","Resource":"arn:aws:states:::states:startExecution.sync:2","Parameters":{
		"StateMachineArn":"arn:aws:states:us-east-1:123456789012:stateMachine:Payment","Name":"pay-1","Input":{"how.$":"$.how"}},
		"Catch":[{"ErrorEquals":["States.TaskFailed"],"ResultPath":"$.fault","Next":"Apologise"}],
		"ResultPath":"$.payment","Next":"Ship"},
	"Ship":{"Type":"Pass","End":true},
	"Apologise":{"Type":"Pass","End":true}}}`

// payment waits a minute and charges.
const payment = `{"StartAt":"Hold","States":{
	"Hold":{"Type":"Wait","Seconds":60,"Next":"Charge"},
	"Charge":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:charge","Next":"Done"},
	"Done":{"Type":"Pass","End":true}}}`

const paymentFixtures = `version: 1
tasks:
  Charge:
    - {when: {how: card}, output: {charged: 5}, after: 30s}
    - {when: {how: cheque}, error: Cheque.Bounced, cause: no funds}
`

// Shop returns a session with a task that starts another definition, payment.asl.json. The task Charge of that has no
// result where how is neither card nor cheque.
func Shop(t testing.TB, how string) (*debug.Session, *live.Calls) {
	t.Helper()
	files := map[string]string{
		"shop.asl.json": shop, "payment.asl.json": payment, "payment.yaml": paymentFixtures,
		"shop.yaml": "version: 1\ntasks:\n  Pay:\n    - {asldb: {definition: payment.asl.json, fixtures: payment.yaml}}\n",
	}
	return Nested(t, files, "shop.asl.json", "shop.yaml", fixtures.Ask, value.ObjectOf(value.Member{Key: "how", Value: value.String(how)}))
}
