package screen

import (
	"testing"

	"asldb/engine"
	"asldb/engine/value"
)

// The expressions of a JSONata stage are unfolded: what each part gave, and which part became nothing.
func TestJSONataIsUnfolded(t *testing.T) {
	const definition = `{"QueryLanguage":"JSONata","StartAt":"Price","States":{
		"Price":{"Type":"Pass","Output":{"net":"{% $sum($states.input.lines.(price * quantity)) %}"},"Next":"Route"},
		"Route":{"Type":"Choice","Choices":[{"Condition":"{% $states.input.net > 1000 %}","Next":"Charge"},{"Condition":"{% $states.input.net > 100 %}","Next":"Charge"}],"Default":"Charge"},
		"Charge":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:charge","Output":{"id":"{% $states.result.payment.id %}"},"End":true}}}`
	s := session(t, definition, `{"lines":[{"price":60,"quantity":2},{"price":5.5,"quantity":1}]}`, script{"Charge": {{Output: value.Must(`{"paid":true}`)}}})
	d := drive(t, s, 120, 34, Options{})
	d.press("i", "i", "i").sees("Price › Output", "Output/net", "→ 125.5", "price * quantity → 120", "the first of 2")
	d.press("i", "i", "i").sees("Route › Choices", "Choices[0]/Condition", "→ false", "Choices[1]/Condition", "→ true")
	d.press("c").sees("FAILED States.QueryEvaluationError", "payment → nothing")
	if s.Status() != engine.Failed {
		t.Errorf("ended as %v", s.Status())
	}
}

// Where an expression failed in a loop, the item that failed is shown with its index.
func TestTheItemThatFailedIsShown(t *testing.T) {
	const definition = `{"QueryLanguage":"JSONata","StartAt":"Price","States":{
		"Price":{"Type":"Pass","Output":"{% $states.input.lines.(price * 2) %}","End":true}}}`
	s := session(t, definition, `{"lines":[{"price":60},{"price":5.5},{"price":"six"},{"price":7}]}`, nil)
	drive(t, s, 120, 34, Options{}).press("i", "i", "i").sees("(price * 2) →", `(at index 2: {"price":"six"})`, `price → "six"`)
}

// The explanation has the random numbers that the run drew.
func TestExplainedRandomNumbers(t *testing.T) {
	const definition = `{"QueryLanguage":"JSONata","StartAt":"A","States":{
		"A":{"Type":"Pass","Output":{"id":"{% $uuid() %}"},"Next":"R"},
		"R":{"Type":"Choice","Choices":[{"Condition":"{% $random() > 0.000001 %}","Next":"E"}],"Default":"E"},"E":{"Type":"Pass","End":true}}}`
	s := session(t, definition, `{}`, nil)
	d := drive(t, s, 120, 34, Options{}).press("i", "i", "i")
	id := s.Log().Last().After.(*value.Object).Get("id").(value.String)
	d.sees(`Output/id {% $uuid() %} → "` + string(id) + `"`)
	d.press("i", "i", "i").sees("Choices[0]/Condition {% $random() > 0.000001 %} → true")
	d.press("c", "I", "S", "S").sees("$random() > 0.000001")
}

// What took long is not evaluated again to explain it, and asldb's own bound says whose it is.
func TestWhatTookLongIsNotUnfolded(t *testing.T) {
	const definition = `{"QueryLanguage":"JSONata","StartAt":"A","States":{
		"A":{"Type":"Pass","Output":"{% $count([1..100000].($ + 1)) %}","Next":"B"},
		"B":{"Type":"Pass","Output":"{% ($f := function($n){ 1 + $f($n) }; $f(1)) %}","End":true}}}`
	d := drive(t, session(t, definition, `{}`, nil), 120, 34, Options{}).press("i", "i", "i")
	d.sees("This took ", " steps to evaluate; its parts are not shown.")
	d.press("i", "i", "i").sees("U1001", "this bound is asldb's own", "--max-evaluation")
}
