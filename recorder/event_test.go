package recorder

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/items"
	"asldb/engine/value"
)

var (
	fulfil = &engine.Visit{State: &asl.State{Name: "Fulfil", Type: asl.Parallel}, Number: 1, Entered: 3}
	charge = &engine.Visit{State: &asl.State{Name: "Char\"ge", Type: asl.Task}, Thread: 2, Parent: fulfil, Index: 1,
		Number: 2, Entered: 9}
	begin = time.Date(2026, 1, 1, 0, 0, 0, 500, time.UTC)
)

func failure() *engine.Failure {
	return &engine.Failure{Name: "Card.Declined", Cause: "a \"cause\"\n", Origin: charge, Field: "Parameters/city.$"}
}

// details has, for every type of event, the detail that engine/event.go gives it and its members in the package's
// comment.
var details = map[engine.EventType]struct {
	detail engine.Detail
	want   string
}{
	engine.ExecutionStarted:   {nil, ``},
	engine.ExecutionSucceeded: {nil, ``},
	engine.ExecutionFailed: {
		failure(),
		`,"error":"Card.Declined","cause":"a \"cause\"\n","field":"Parameters/city.$"`,
	},
	engine.ExecutionTimedOut: {&engine.Failure{Name: "States.Timeout"}, `,"error":"States.Timeout","cause":""`},
	engine.ExecutionAborted:  {&engine.Failure{}, `,"error":"","cause":""`},
	engine.StateEntered:      {nil, ``},
	engine.StageCompleted: {&engine.AssignDetail{Assigned: value.ObjectOf(value.Member{Key: "n",
		Value: value.Int(1)})}, `,"assigned":{"n":1}`},
	engine.StageFailed: {&engine.Failure{Name: "States.Runtime", Cause: "c", Origin: fulfil},
		`,"error":"States.Runtime","cause":"c","origin":"Fulfil"`},
	engine.TaskScheduled: {
		&engine.TaskRequest{ID: 4, Resource: "arn:x", Attempt: 2, Invocation: 7, Timeout: 90 * time.Second,
			Heartbeat: 1500 * time.Millisecond, Credentials: value.Must(`{"RoleArn":"arn:r"}`)},
		`,"request":4,"resource":"arn:x","attempt":2,"invocation":7,"timeoutSeconds":90,"heartbeatSeconds":1.5,"credentials":{"RoleArn":"arn:r"}`,
	},
	engine.TaskSubmitted: {nil, ``},
	engine.TaskHeartbeat: {nil, ``},
	engine.TaskSucceeded: {nil, ``},
	engine.TaskFailed:    {failure(), `,"error":"Card.Declined","cause":"a \"cause\"\n","field":"Parameters/city.$"`},
	engine.TaskTimedOut:  {&engine.Failure{Name: "States.Timeout"}, `,"error":"States.Timeout","cause":""`},
	engine.WaitStarted: {&engine.WaitDetail{Until: begin.Add(time.Hour)},
		`,"until":"2026-01-01T01:00:00.0000005Z"`},
	engine.WaitEnded:       {nil, ``},
	engine.ParallelStarted: {&engine.StartDetail{Length: 2}, `,"length":2,"maxConcurrency":0`},
	engine.MapStarted:      {&engine.StartDetail{Length: 9, MaxConcurrency: 3}, `,"length":9,"maxConcurrency":3`},
	engine.MapRunStarted:   {&engine.MapRunDetail{Arn: "arn:m"}, `,"mapRunArn":"arn:m"`},
	engine.MapRunSucceeded: {nil, ``},
	engine.MapRunFailed:    {&engine.Failure{Name: "A"}, `,"error":"A","cause":""`},
	engine.ObjectRequested: {
		&engine.ObjectRequest{ID: 3, Object: items.Object{Action: items.GetObject, Bucket: "b", Key: "dir/k"}},
		`,"request":3,"action":"getObject","bucket":"b","key":"dir/k"`,
	},
	engine.ParallelSucceeded: {nil, ``},
	engine.MapSucceeded:      {nil, ``},
	engine.ParallelFailed: {&engine.Failure{Name: "A", Origin: fulfil},
		`,"error":"A","cause":"","origin":"Fulfil"`},
	engine.MapFailed:          {&engine.Failure{Name: "A"}, `,"error":"A","cause":""`},
	engine.BranchStarted:      {&engine.ThreadDetail{Thread: 2, Index: 1}, `,"child":2,"index":1`},
	engine.IterationStarted:   {&engine.ThreadDetail{Thread: 3}, `,"child":3,"index":0`},
	engine.BranchSucceeded:    {nil, ``},
	engine.IterationSucceeded: {nil, ``},
	engine.BranchFailed:       {&engine.Failure{Name: "A"}, `,"error":"A","cause":""`},
	engine.IterationFailed:    {&engine.Failure{Name: "A"}, `,"error":"A","cause":""`},
	engine.BranchAborted: {&engine.ThreadDetail{Thread: 2, Index: 1, Visit: charge},
		`,"child":2,"index":1,"in":"Fulfil/Branches[1]/Char\"ge"`},
	engine.IterationAborted: {&engine.ThreadDetail{Thread: 3, Index: 2}, `,"child":3,"index":2`},
	engine.RetryScheduled: {
		&engine.RetryDetail{Failure: failure(), Retrier: 1, Attempt: 3, Delay: 1234567891 * time.Nanosecond,
			Backoff: 2 * time.Second, Due: begin},
		`,"error":"Card.Declined","cause":"a \"cause\"\n","field":"Parameters/city.$","retrier":1,"attempt":3,"delaySeconds":1.234567891,"backoffSeconds":2,"due":"2026-01-01T00:00:00.0000005Z"`,
	},
	engine.RetryStarted: {nil, ``},
	engine.ErrorCaught: {&engine.CatchDetail{Failure: &engine.Failure{Name: "A"}, Catcher: 1, Next: "Refund"},
		`,"error":"A","cause":"","catcher":1,"next":"Refund"`},
	engine.StateExited: {&engine.ExitDetail{Next: "Ship", Rule: 0}, `,"next":"Ship","rule":0`},
	engine.StateFailed: {failure(), `,"error":"Card.Declined","cause":"a \"cause\"\n","field":"Parameters/city.$"`},
	engine.DataEdited:  {nil, ``},

	engine.ExecutionRedriven: {&engine.RedriveDetail{Count: 2}, `,"redriveCount":2`},
}

// A detail that is written and has no reader would be lost in a trace.
func TestEveryEventDetailHasItsReader(t *testing.T) {
	for kind, c := range details {
		has := kind.Traits().Fails || int(kind) < len(detailReaders) && detailReaders[kind].read != nil
		if c.detail != nil && !has {
			t.Errorf("%v has a detail, and detailReaders has no reader of it", kind)
		}
	}
}

func TestEveryEventTypeHasItsForm(t *testing.T) {
	for kind := range engine.EventTypes() {
		c, known := details[kind]
		if !known {
			t.Errorf("%v has no case in this test", kind)
			continue
		}
		e := &engine.Event{Seq: 12, Time: begin.UnixNano(), Type: kind, Thread: 2, Visit: charge, Detail: c.detail}
		want := `{"seq":12,"time":"2026-01-01T00:00:00.0000005Z","type":"` + kind.String() +
			`","thread":2,"state":"Fulfil/Branches[1]/Char\"ge","visit":2,"entered":9` + c.want + `}`
		got := AppendEvent([]byte("kept"), e)
		if string(got) != "kept"+want {
			t.Errorf("%v:\n got %s\nwant %s", kind, got[len("kept"):], want)
		}
		if !json.Valid(got[len("kept"):]) {
			t.Errorf("%v is not JSON: %s", kind, got)
		}
		if again := AppendEvent(nil, e); !bytes.Equal(again, got[len("kept"):]) {
			t.Errorf("%v has other bytes the second time: %s", kind, again)
		}
	}
}

func TestStagesAndData(t *testing.T) {
	for _, c := range []struct {
		event engine.Event
		want  string
	}{
		{
			engine.Event{Seq: 1, Type: engine.ExecutionStarted, After: value.Must(`{"z":1.0,"a":[null]}`)},
			`{"seq":1,"time":"1970-01-01T00:00:00Z","type":"ExecutionStarted","thread":0,"after":{"z":1.0,"a":[null]}}`,
		},
		{
			engine.Event{Seq: 2, Type: engine.StageCompleted, Visit: fulfil, Stage: engine.StageResultPath,
				Before: value.Null{}, After: value.Must("12345678901234567890")},
			`{"seq":2,"time":"1970-01-01T00:00:00Z","type":"StageCompleted","thread":0,"state":"Fulfil","visit":1,"entered":3,"stage":"ResultPath","inspection":"afterResultPath","before":null,"after":12345678901234567890}`,
		},
		{
			engine.Event{Seq: 3, Type: engine.StageCompleted, Visit: fulfil, Stage: engine.StageChoices},
			`{"seq":3,"time":"1970-01-01T00:00:00Z","type":"StageCompleted","thread":0,"state":"Fulfil","visit":1,"entered":3,"stage":"Choices"}`,
		},
		{
			engine.Event{Seq: 4, Type: engine.StateExited, Visit: fulfil, Detail: &engine.ExitDetail{Rule: -1}},
			`{"seq":4,"time":"1970-01-01T00:00:00Z","type":"StateExited","thread":0,"state":"Fulfil","visit":1,"entered":3}`,
		},
	} {
		if got := string(AppendEvent(nil, &c.event)); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestWriterWritesOneEventALine(t *testing.T) {
	var out strings.Builder
	w := NewWriter(&out)
	for seq := int64(1); seq <= 3; seq++ {
		if err := w.Write(&engine.Event{Seq: seq, Type: engine.StateEntered, Visit: charge,
			After: value.String("a\nb")}); err != nil {
			t.Fatal(err)
		}
	}
	if out.Len() != 0 {
		t.Error("a Writer writes before its buffer is full")
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) != 3 {
		t.Fatalf("%d lines, want 3: %q", len(lines), out.String())
	}
	for i, line := range lines {
		var object struct{ Seq int }
		if err := json.Unmarshal([]byte(line), &object); err != nil || object.Seq != i+1 {
			t.Errorf("line %d: seq %d, %v", i+1, object.Seq, err)
		}
	}
}

type brokenPipe struct{}

var errBroken = errors.New("broken pipe")

func (brokenPipe) Write([]byte) (int, error) { return 0, errBroken }

func TestWriterGivesTheErrorOfItsTarget(t *testing.T) {
	w := NewWriter(brokenPipe{})
	event := &engine.Event{Seq: 1, Type: engine.ExecutionStarted,
		After: value.String(strings.Repeat("x", 2*bufferSize))}
	if err := w.Write(event); !errors.Is(err, errBroken) {
		t.Errorf("Write = %v", err)
	}
	if err := w.Flush(); !errors.Is(err, errBroken) {
		t.Errorf("Flush = %v", err)
	}
}

func TestAppendEventDoesNotAllocate(t *testing.T) {
	event := &engine.Event{Seq: 1, Type: engine.ExecutionStarted, After: value.Must(`{"a":[1,2,3]}`)}
	buffer := make([]byte, 0, 4096)
	if n := testing.AllocsPerRun(100, func() { buffer = AppendEvent(buffer[:0], event) }); n > 0 {
		t.Errorf("%v allocations for an event that fits the buffer", n)
	}
}

func BenchmarkAppendEvent(b *testing.B) {
	event := &engine.Event{
		Seq: 12, Time: begin.UnixNano(), Type: engine.StageCompleted, Visit: charge, Stage: engine.StageResultPath,
		Before: value.Must(`{"order":{"id":"o-1","total":129.9}}`),
		After:  value.Must(`{"order":{"id":"o-1","total":129.9},"payment":{"id":"ch_1"}}`),
	}
	buffer := make([]byte, 0, 4096)
	b.ReportAllocs()
	for b.Loop() {
		buffer = AppendEvent(buffer[:0], event)
	}
	b.SetBytes(int64(len(buffer)))
}
