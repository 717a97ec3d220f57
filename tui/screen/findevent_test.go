package screen

import "testing"

// The next event that meets a condition is looked at; behind the last the search begins again. What is wrong with a
// condition is said while it is typed.
func TestFindEvent(t *testing.T) {
	const definition = `{"StartAt":"A","States":{"A":{"Type":"Pass","Next":"B"},"B":{"Type":"Pass","Result":5,"ResultPath":"$.b","Next":"C"},"C":{"Type":"Pass","End":true}}}`
	s := session(t, definition, `{"a":1}`, nil)
	d := drive(t, s, 100, 30, Options{})
	find := func() *driver { return d.press(":").typed("find-event").press("enter") }
	find().sees("nothing has happened yet")
	d.press("c")
	find().sees("Find an event", `type == "TaskFailed"`)
	d.typed(`type ==`).sees("where an operand should stand")
	d.press("esc")
	entered := 0
	for i := range s.Log().Len() {
		if v := s.Log().At(i).Visit; v != nil && v.State.Name == "B" {
			entered = i
			break
		}
	}
	d.press(":").typed(`find-event state == "B"`).press("enter").sees(`meets state == "B". The search went on from the first event.`)
	if u := d.app.ui; u.selection.Index != entered {
		t.Errorf("event %d is looked at, want %d", u.selection.Index, entered)
	}
	find().press("enter").sees(`meets state == "B"`)
	if u := d.app.ui; u.selection.Index != entered+1 {
		t.Errorf("event %d is looked at, want %d", u.selection.Index, entered+1)
	}
	d.press(":").typed(`find-event $.nope`).press("enter").sees("No event meets $.nope.")
	d.press(":").typed(`find-event 1 +`).press("enter").sees("where an operand should stand")
}
