package teststate

import (
	"testing"

	"asldb/engine/services"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

// TestRecordedResults: results that tasks were recorded with are taken, and where the shape of a result is complete, it
// has each of their members.
func TestRecordedResults(t *testing.T) {
	checked := make(map[string]int)
	for _, c := range runs.LoadAWS(t) {
		history, _ := c.Object.Get("history").(*value.Array)
		if history == nil {
			continue
		}
		for _, event := range history.All() {
			if details, ok := event.(*value.Object).Get("taskSucceededEventDetails").(*value.Object); ok {
				recordedResult(t, c.Name, details, checked)
			}
		}
	}
	if len(checked) < 10 {
		t.Errorf("results of %d integrations only: %v", len(checked), checked)
	}
	t.Logf("results that were checked: %v", checked)
}

func recordedResult(t *testing.T, name string, details *value.Object, checked map[string]int) {
	t.Helper()
	kind, _ := details.Get("resourceType").(value.String)
	action, _ := details.Get("resource").(value.String)
	resource := "arn:aws:states:::" + string(kind+":"+action)
	call, ok := services.CallOf(resource)
	known, has := call.Result()
	output, isObject := details.Get("output").(*value.Object)
	if !ok || !has || !isObject {
		return
	}
	checked[resource]++
	if err := CheckResult(resource, output); err != nil {
		t.Errorf("%s: %s: %v", name, resource, err)
	}
	if !known.Complete {
		return
	}
	for member := range output.All() {
		if _, found := known.Shape.Member(member); !found {
			t.Errorf("%s: %s has %s", name, resource, member)
		}
	}
}
