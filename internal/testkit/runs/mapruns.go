package runs

import (
	"regexp"
	"strings"
	"time"

	"asldb/engine"
	"asldb/engine/items"
	"asldb/engine/outcome"
	"asldb/engine/value"
)

// object replies with an object that the case uploaded.
func (t *TaskResults) object(request *engine.ObjectRequest) outcome.Reply {
	wanted := request.Object
	if wanted.Action == items.ListObjectsV2 {
		return outcome.Content(t.listing(wanted), origin)
	}
	for i := range t.objects.Len() {
		object := t.objects.At(i).(*value.Object)
		if text(object.Get("bucket")) == wanted.Bucket && text(object.Get("key")) == wanted.Key {
			return outcome.Content([]byte(text(object.Get("body"))), origin)
		}
	}
	return outcome.None(nil)
}

// listing is the answer to ListObjectsV2 of the objects that the case uploaded.
func (t *TaskResults) listing(wanted items.Object) []byte {
	var contents []value.Value
	for i := range t.objects.Len() {
		object := t.objects.At(i).(*value.Object)
		if text(object.Get("bucket")) == wanted.Bucket && strings.HasPrefix(text(object.Get("key")), wanted.Key) {
			contents = append(contents, value.ObjectOf(value.Member{Key: "Key", Value: object.Get("key")}))
		}
	}
	return value.Append(nil, value.NewArray(contents))
}

// mapRunMark replaces in a recorded ARN of a Map Run its label and its id, which are random.
const mapRunMark = ":mapRun:StateMachine0/MapRunPart"

var mapRunARN = regexp.MustCompile(`^arn:aws:states:[a-z0-9-]+:[0-9]{12}:mapRun:[^/:]+/[^/:]+:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// sameMapRun compares a recorded ARN of a Map Run by its form. marked is false when want is none.
func sameMapRun(want, got string) (same, marked bool) {
	if !strings.Contains(want, mapRunMark) {
		return false, false
	}
	return mapRunARN.MatchString(got), true
}

// relinked is when the exit of a distributed Map was first recorded following MapRunStarted. All
// recordings before have it follow MapRunSucceeded, and all since follow the new rule.
var relinked = time.Date(2024, 11, 1, 0, 0, 0, 0, time.UTC)

// History returns the recorded events, nil where there are none. In recordings from before the service
// changed the link of a distributed Map's exit, that link is as it would be today.
func (c *Case) History() *value.Array {
	recorded, _ := c.Object.Get("history").(*value.Array)
	if recorded == nil || !c.Has("distributed-map") || !c.RecordedAt.Before(relinked) {
		return recorded
	}
	types := make(map[string]string)
	previous := make(map[string]value.Value)
	for _, event := range recorded.All() {
		event := event.(*value.Object)
		id := value.Compact(event.Get("id"))
		types[id], previous[id] = text(event.Get("type")), event.Get("previousEventId")
	}
	for i, event := range recorded.All() {
		event := event.(*value.Object)
		follows := value.Compact(event.Get("previousEventId"))
		if text(event.Get("type")) == "MapStateExited" && types[follows] == "MapRunSucceeded" {
			recorded = recorded.With(i, event.With("previousEventId", previous[follows]))
		}
	}
	return recorded
}
