package provenance_test

import (
	"errors"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/path"
	"asldb/engine/provenance"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

// A hop names the field that did it: of the state that last moved a value, the newest first.
func TestFieldsOfHops(t *testing.T) {
	const definition = `{"StartAt":"A","States":{
		"A":{"Type":"Pass","Parameters":{"n":1,"id.$":"$.id"},"ResultPath":"$.a","Next":"T"},
		"T":{"Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage","Parameters":{"Body.$":"$.a.id"},"ResultSelector":{"k.$":"$.k"},"ResultPath":"$.t","Next":"E"},
		"E":{"Type":"Succeed"}}}`
	log := runs.Run(runs.Machine(definition), `{"id":7,"list":[1]}`, func(*engine.TaskRequest) engine.Outcome { return engine.Outcome{Output: value.Must(`{"k":5}`)} })
	scheduled := indexOf(t, log, func(e *engine.Event) bool { return e.Type == engine.TaskScheduled })
	end := log.Len() - 1
	for _, c := range []struct {
		at         int
		path, want string
	}{
		{end, "$.t.k", "T ResultPath, T ResultSelector/k.$, T Resource"},
		{end, "$.a.n", "A ResultPath, A Parameters/n"},
		{end, "$.list[0]", ""},
		{scheduled, "$.Body", "T Parameters/Body.$"},
	} {
		hops, err := provenance.Of(log, c.at, c.path)
		if err != nil {
			t.Fatal(c.path, err)
		}
		var got []string
		for _, hop := range hops {
			if visit := log.At(hop.Event).Visit; visit != nil && (len(got) == 0 || strings.HasPrefix(got[0], visit.State.Name+" ")) {
				got = append(got, visit.State.Name+" "+hop.Field)
			}
		}
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%s: got %s, want %s", c.path, text, c.want)
		}
	}
	var miss *path.MissError
	if _, err := provenance.Of(log, end, "$.none"); !errors.As(err, &miss) {
		t.Error(err)
	}
}
