package provenance_test

import (
	"reflect"
	"runtime"
	"testing"

	"asldb/engine/provenance"
	"asldb/engine/runlog"
	"asldb/internal/testkit/runs"
)

// turns is a run that counts in a loop, so that a search takes several slices.
func turns(t *testing.T) *runlog.Log {
	t.Helper()
	return runs.Run(runs.Machine(`{"StartAt":"Add","States":{
		"Add":{"Type":"Pass","Parameters":{"n.$":"States.MathAdd($.n, 1)"},"ResultPath":"$.counted","Next":"More"},
		"More":{"Type":"Choice","Choices":[{"Variable":"$.counted.n","NumericGreaterThan":1500,"Next":"Done"}],"Default":"Again"},
		"Again":{"Type":"Pass","Parameters":{"id.$":"$.id","n.$":"$.counted.n"},"Next":"Add"},
		"Done":{"Type":"Succeed"}}}`), `{"id":"o-7","n":0}`, runs.Echo)
}

// A search in slices has the result of one in one go, and knows the beginning of the way meanwhile.
func TestSearchInSlices(t *testing.T) {
	log := turns(t)
	lens := &provenance.Lens{Log: log}
	last := log.Len() - 1
	before := runtime.NumGoroutine()
	for name, test := range map[string]struct {
		whole  func() (*provenance.Way, *provenance.Loss, error)
		search func() *provenance.Search
	}{
		"back": {
			func() (*provenance.Way, *provenance.Loss, error) { return lens.Find(last, "$.id") },
			func() *provenance.Search { return lens.Search(last, "$.id") },
		},
		"forward": {
			func() (*provenance.Way, *provenance.Loss, error) {
				w, err := lens.Forward(0, "$.id")
				return w, nil, err
			},
			func() *provenance.Search { return lens.SearchForward(0, "$.id") },
		},
		"missing": {
			func() (*provenance.Way, *provenance.Loss, error) { return lens.Find(last, "$.nowhere") },
			func() *provenance.Search { return lens.Search(last, "$.nowhere") },
		},
		"wrong": {
			func() (*provenance.Way, *provenance.Loss, error) {
				w, err := lens.Back(last, "$.nowhere")
				return w, nil, err
			},
			func() *provenance.Search { return lens.SearchBack(last, "$.nowhere") },
		},
	} {
		way, loss, err := test.whole()
		search, slices := test.search(), 0
		for search.Advance() {
			slices++
			if known, at := search.Known(), search.At(); at < 0 || at > last || known != nil && way != nil && known.Total > way.Total {
				t.Errorf("%s: after %d slices it is at event %d with %+v", name, slices, at, known)
			}
		}
		gotWay, gotLoss, gotErr := search.Result()
		if !reflect.DeepEqual(gotWay, way) || !reflect.DeepEqual(gotLoss, loss) || !reflect.DeepEqual(gotErr, err) {
			t.Errorf("%s: %+v, %+v, %v in slices; %+v, %+v, %v in one go", name, gotWay, gotLoss, gotErr, way, loss, err)
		}
		if slices < 2 && err == nil {
			t.Errorf("%s: %d slices", name, slices)
		}
		stopped := test.search()
		stopped.Advance()
		if known := stopped.Known(); name == "back" && (known == nil || known.Path != "$.id" || len(known.Nodes) == 0 || len(known.States()) == 0) {
			t.Errorf("after the first slice it knows %+v", known)
		}
		if stopped.Stop(); stopped.Advance() {
			t.Errorf("%s: it continues after its stop", name)
		}
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines, %d before", after, before)
	}
}

// A step that looks for an event over many others ends a slice as well: the variable was set before the loop.
func TestAStepInSlices(t *testing.T) {
	log := runs.Run(runs.Machine(`{"StartAt":"Set","States":{
		"Set":{"Type":"Pass","Assign":{"v":{"id":7}},"Next":"Add"},
		"Add":{"Type":"Pass","Parameters":{"n.$":"States.MathAdd($.n, 1)"},"Next":"More"},
		"More":{"Type":"Choice","Choices":[{"Variable":"$.n","NumericGreaterThan":2000,"Next":"Read"}],"Default":"Add"},
		"Read":{"Type":"Pass","Parameters":{"id.$":"$v.id"},"End":true}}}`), `{"n":0}`, runs.Echo)
	lens := &provenance.Lens{Log: log}
	way, err := lens.Back(log.Len()-1, "$.id")
	if err != nil {
		t.Fatal(err)
	}
	search, slices := lens.SearchBack(log.Len()-1, "$.id"), 0
	for search.Advance() {
		slices++
	}
	// One look for the variable, and one for the states that carried it.
	if least := 2 * log.Len() / 10_000; slices < least-1 {
		t.Errorf("%d slices over %d events, want %d or more", slices, log.Len(), least-1)
	}
	if got, _, err := search.Result(); err != nil || !reflect.DeepEqual(got, way) {
		t.Errorf("%+v, %v in slices; %+v in one go", got, err, way)
	}
	stopped := lens.SearchBack(log.Len()-1, "$.id")
	stopped.Advance()
	if stopped.Stop(); stopped.Advance() {
		t.Error("it continues after its stop")
	}
}
