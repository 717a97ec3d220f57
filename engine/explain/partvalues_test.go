package explain_test

import (
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/explain"
	"asldb/engine/value"
)

// distributedMap is a distributed Map whose parts are of the two languages.
func distributedMap(jsonata bool) string {
	language, reader, batch, writer, limit := "JSONPath", `"Parameters":{"Bucket.$":"$.from","Key":"k.json"}`, `{"id.$":"$.id"}`,
		`"Parameters":{"Bucket.$":"$.to","Prefix.$":"States.Format('run-{}', $.id)"}`, `"MaxItemsPerBatchPath":"$.size"`
	if jsonata {
		language, reader, batch, writer, limit = "JSONata", `"Arguments":{"Bucket":"{% $states.input.from %}","Key":"k.json"}`, `{"id":"{% $states.input.id %}"}`,
			`"Arguments":{"Bucket":"{% $states.input.to %}","Prefix":"{% 'run-' & $states.input.id %}"}`, `"MaxItemsPerBatch":"{% $states.input.size %}"`
	}
	return `{"QueryLanguage":"` + language + `","StartAt":"M","States":{"M":{"Type":"Map","End":true,
		"ItemReader":{"Resource":"arn:aws:states:::s3:getObject",` + reader + `,"ReaderConfig":{"InputType":"JSON"}},
		"ItemBatcher":{"BatchInput":` + batch + `,` + limit + `},
		"ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"P","States":{"P":{"Type":"Pass","End":true}}},
		"ResultWriter":{"Resource":"arn:aws:states:::s3:putObject",` + writer + `}}}}`
}

// TestValuesOfADistributedMap: the expressions in ItemReader, ItemBatcher and ResultWriter have their values.
func TestValuesOfADistributedMap(t *testing.T) {
	for _, jsonata := range []bool{false, true} {
		s := open(t, distributedMap(jsonata), `{"from":"in","to":"out","id":7,"size":2}`)
		play(t, s)
		object := s.ObjectRequests()[0]
		if got := valuesAt(s, s.Log().Len()-1); !strings.Contains(got, ` -> "in"`) || strings.Contains(got, "ResultWriter") {
			t.Errorf("while the object is asked for:\n%s", got)
		}
		if err := s.Interventions().AnswerObject(object.ID, []byte(`[1,2,3]`), nil); err != nil {
			t.Fatal(err)
		}
		play(t, s)
		want := `ItemReader/Parameters/Bucket.$ -> "in"
ItemBatcher/BatchInput/id.$ -> 7
ItemBatcher/MaxItemsPerBatchPath -> 2
ItemProcessor ($) -> {"MapRunArn":"arn:aws:states:us-east-1:…
ResultWriter/Parameters/Bucket.$ -> "out"
ResultWriter/Parameters/Prefix.$ -> "run-7"`
		if jsonata {
			want = strings.NewReplacer("Parameters", "Arguments", ".$", "", "BatchPath", "Batch").Replace(want)
		}
		if got := valuesAt(s, find(t, s, "M", "StateExited")); got != want {
			t.Errorf("%s\nwant\n%s", got, want)
		}
	}
}

// TestValuesOfCredentials: the newest request's.
func TestValuesOfCredentials(t *testing.T) {
	s := open(t, `{"StartAt":"A","States":{"A":{`+lambda+`,"Credentials":{"RoleArn.$":"$.role"},"End":true}}}`, `{"role":"arn:aws:iam::123456789012:role/x"}`)
	play(t, s, output(`1`))
	if got, want := valuesAt(s, find(t, s, "A", "StateExited")), "Credentials/RoleArn.$ -> \"arn:aws:iam::123456789012:role/x\""; !strings.Contains(got, want) {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// TestValuesEvaluatedAnew: bounds in JSONata have their values; those that are random have none.
func TestValuesEvaluatedAnew(t *testing.T) {
	s := open(t, `{"QueryLanguage":"JSONata","StartAt":"A","States":{"A":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","Arguments":{},
		"TimeoutSeconds":"{% $states.input.n * 10 %}","Next":"W"},"W":{"Type":"Wait","Seconds":"{% $floor($random() * 5) %}","Next":"T"},
		"T":{"Type":"Wait","Timestamp":"{% '2026-03-01T10:00:00Z' %}","End":true}}}`, `{"n":3}`)
	play(t, s, engine.Outcome{Output: value.Must(`{}`)})
	for state, want := range map[string]string{"A": "TimeoutSeconds -> 30", "W": "Seconds -> until ", "T": `Timestamp -> "2026-03-01T10:00:00Z", until 2026-03-01T10:00:00Z`} {
		if got := valuesAt(s, find(t, s, state, "StateExited")); !strings.Contains(got, want) {
			t.Errorf("%s has\n%s\nwant %s", state, got, want)
		}
	}
	last := s.Log().Len() - 1
	if at := explain.LastIn(s.Log(), s.Machine().Definition().Top.State("A"), last); explain.EventName(s.Log().At(at)) != "StateExited" {
		t.Errorf("the last event of A is %d", at)
	}
	if at := explain.LastIn(s.Log(), s.Machine().Definition().Top.State("A"), 0); at != -1 {
		t.Errorf("before the run the last event of A is %d", at)
	}
}
