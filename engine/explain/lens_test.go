package explain_test

import (
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/explain"
	"asldb/engine/provenance"
	"asldb/engine/value"
	"asldb/internal/report"
	"asldb/internal/testkit"
	"asldb/internal/testkit/runs"
)

// documentText is a document as one line.
func documentText(t *testing.T, document any) string {
	t.Helper()
	var out strings.Builder
	if err := report.JSONLine(&out, document); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// The members of a way and of a loss in JSON, and their texts.
func TestLens(t *testing.T) {
	log := runs.Run(runs.Machine(`{"StartAt":"A","States":{
"A":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","Next":"B"},
"B":{"Type":"Pass","Parameters":{"to.$":"$.id"},"End":true}}}`), `{"n":1}`, runs.InTurn(engine.Outcome{Output: value.Must(`{"id":"x\u001b[2J"}`)}))
	lens := &provenance.Lens{Log: log}
	end := log.Len() - 1
	way, err := lens.Back(end, "$.to")
	if err != nil {
		t.Fatal(err)
	}
	text := documentText(t, explain.WayJSON(way, log))
	for _, want := range []string{
		`"path":"$.to","value":"x`, `"direction":"back","nodes":[{"kind":"moved","event":`,
		`"state":"B","visit":1,"stage":"Parameters","field":"Parameters/to.$","place":{"file":"test.asl.json","line":3,`,
		`"pointer":"/States/B/Parameters/to.$"},"expression":"$.id","from":"$.id","to":"$.to",`,
		`"nodes":[{"kind":"result",`, `"total":2,"cut":false,"states":[{"state":"A","visit":1,"role":"made","in":[],"out":["$.id"]}`,
		`"edges":[{"kind":"next","index":0,"from":"A","fromVisit":1,"to":"B","toVisit":1,"paths":["$.id"],"lost":false}]`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the way lacks %s:\n%s", want, text)
		}
	}
	if text := testkit.Report(t, &report.Answer{Doc: func(l report.Look) *report.Doc {
		return explain.WayDoc(way, log, l)
	}}, "text", report.Look{}); strings.Contains(text, "\x1b") || !strings.HasPrefix(text, `$.to = "x`) ||
		strings.Count(text, "\n") != 3 {
		t.Errorf("the text is %q", text)
	}
	loss, err := lens.Loss(end, "$.n")
	if err != nil {
		t.Fatal(err)
	}
	text = documentText(t, explain.LossJSON(loss, log))
	for _, want := range []string{
		`"path":"$.n","loss":"replaced","found":"$","missing":"n","suggestion":""`,
		`"path":"$.n","value":1},"lostBy":{"event":`,
		`"state":"A","visit":1,"stage":"ResultPath","field":"ResultPath","default":true,`,
		`"lost":["n"],"more":0,"remedy":{"line":"\"ResultPath\": \"$.result\"","field":"ResultPath","instead":false,`,
		`"way":{"event":`, `{"state":"B","visit":1,"role":"missing","in":[],"out":[]}`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the loss lacks %s:\n%s", want, text)
		}
	}
	if text := testkit.Report(t, &report.Answer{Doc: func(l report.Look) *report.Doc {
		return explain.LossDoc(loss, log, l)
	}}, "text", report.Look{}); !strings.Contains(text, "- A lost it: ResultPath $ (its default)") {
		t.Error(text)
	}
	never, err := lens.Loss(end, "$.n.m")
	if err != nil {
		t.Fatal(err)
	}
	if text := documentText(t, explain.LossJSON(never, log)); !strings.Contains(text, `"loss":"neverThere"`) ||
		strings.Contains(text, "lostBy") {
		t.Error(text)
	}
	lens.Limit = 1
	if way, err = lens.Forward(0, "$"); err != nil {
		t.Fatal(err)
	}
	if text := documentText(t, explain.WayJSON(way, log)); !strings.Contains(text, `"direction":"forward"`) ||
		!strings.Contains(text, `"kind":"folded"`) || !strings.Contains(text, `"hidden":1`) {
		t.Error(text)
	}
}
