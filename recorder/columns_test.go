package recorder

import (
	"strings"
	"testing"
)

func TestColumns(t *testing.T) {
	data, _ := record(t, examples(t)["demo"], TraceOptions{})
	trace := open(t, data)
	c, err := ParseColumns(`seq, time,type,state,error,attempt, $.order.id,contains(path, "a,b"),[1, 2]`)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(c.Names(), "|"); got != `seq|time|type|state|error|attempt|$.order.id|contains(path, "a,b")|[1, 2]` {
		t.Errorf("the columns are %s", got)
	}
	q, err := ParseQuery(`type == "TaskFailed"`)
	if err != nil {
		t.Fatal(err)
	}
	for event, err := range trace.Last().Matching(q) {
		if err != nil {
			t.Fatal(err)
		}
		cells, err := c.Of(event)
		if err != nil || len(cells) != 9 || cells[2] != "TaskFailed" || cells[3] != "ChargeCard" ||
			cells[4] != "Card.Timeout" || cells[5] != "" || cells[7] != "false" || cells[8] != "[1,2]" {
			t.Fatalf("%q, %v", cells, err)
		}
		break
	}
	failing, err := ParseColumns(`seq,seq - {} > 0`)
	if err != nil {
		t.Fatal(err)
	}
	event, err := trace.Last().Event(1)
	if err != nil {
		t.Fatal(err)
	}
	if cells, err := failing.Of(event); err == nil || len(cells) != 2 || cells[0] != "1" || cells[1] != "" {
		t.Errorf("%q, %v", cells, err)
	}
	for text, want := range map[string]string{"": "an empty column", "seq,,type": "an empty column",
		"nothing": `events have no "nothing"`, "seq,type ==": "an operand"} {
		if _, err := ParseColumns(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
