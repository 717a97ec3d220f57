package engine_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/items"
	"asldb/engine/source"
	"asldb/engine/value"
)

// distributed is a machine of one distributed Map, M, whose iterations have the states given.
func distributed(fields, processor string) string {
	return `{"StartAt":"M","States":{"M":{"Type":"Map","End":true,` + fields + `"Label":"each","ItemProcessor":{
		"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},` + processor + `}}}}`
}

const (
	pass  = `"StartAt":"P","States":{"P":{"Type":"Pass","End":true}}`
	odd   = `"StartAt":"C","States":{"C":{"Type":"Choice","Choices":[{"Variable":"$","NumericEquals":1,"Next":"F"}],"Default":"P"},"F":{"Type":"Fail","Error":"E","Cause":"c"},"P":{"Type":"Pass","End":true}}`
	csv   = `"ItemReader":{"Resource":"arn:aws:states:::s3:getObject","Parameters":{"Bucket.$":"$.b","Key":"k.csv"},"ReaderConfig":{"InputType":"CSV","CSVHeaderLocation":"FIRST_ROW"%s}},`
	jsons = `"ItemReader":{"Resource":"arn:aws:states:::s3:getObject","Parameters":{"Bucket":"b","Key":"k"},"ReaderConfig":{"InputType":"JSON"}},`
)

func runStore(t testing.TB, definition, input string, objects store) (*engine.Execution, []engine.Event) {
	t.Helper()
	e := compile(t, definition, engine.AWS).Start(value.Must(input), engine.StartOptions{Seed: 1})
	return e, driveStore(t, e, objects, echo)
}

// work lists the types of the events of the state M itself, from its start to the end of its work.
func work(events []engine.Event) string {
	var own []engine.Event
	for _, event := range events {
		if event.Visit != nil && event.Visit.State.Name == "M" && event.Thread == 0 &&
			event.Type != engine.StateEntered && event.Type != engine.ExecutionFailed {
			own = append(own, event)
		}
	}
	return types(own)
}

func TestDistributedMap(t *testing.T) {
	e, events := run(t, distributed(`"ItemsPath":"$.l","ItemSelector":{"v.$":"$$.Map.Item.Value","i.$":"$$.Map.Item.Index","s.$":"$$.Map.Item.Source","x.$":"$.x"},`, pass), `{"l":["a","b"],"x":9}`, nil)
	wantOutput(t, e, `[{"v":"a","i":0,"s":"STATE_DATA","x":9},{"v":"b","i":1,"s":"STATE_DATA","x":9}]`)
	const want = "StageCompleted:ItemsPath MapStarted MapRunStarted StageCompleted:Parameters StageCompleted:Parameters MapRunSucceeded MapSucceeded StageCompleted:ResultPath StateExited"
	if got := work(events); got != want {
		t.Errorf("events %s\n want %s", got, want)
	}
	e, events = run(t, distributed("", pass), `[]`, nil)
	wantOutput(t, e, `[]`)
	if count(events, engine.MapRunStarted) != 1 || count(events, engine.MapRunSucceeded) != 1 ||
		count(events, engine.IterationStarted) != 0 {
		t.Errorf("events over nothing %s", types(events))
	}
}

// An iteration is a separate execution, with the names that the service forms.
func TestDistributedContext(t *testing.T) {
	processor := `"StartAt":"P","States":{"P":{"Type":"Pass","Parameters":{"id.$":"$$.Execution.Id","name.$":"$$.Execution.Name","in.$":"$$.Execution.Input","start.$":"$$.Execution.StartTime",
		"machine.$":"$$.StateMachine.Id","machineName.$":"$$.StateMachine.Name","state.$":"$$.State.Name"},"End":true}}`
	e, events := run(t, distributed("", processor), `[7]`, nil)
	output, _ := e.Output().(*value.Array)
	if output == nil || output.Len() != 1 {
		t.Fatalf("%v %v", e.Failure(), value.Compact(e.Output()))
	}
	got := output.At(0).(*value.Object)
	const id = `[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`
	for key, want := range map[string]string{
		"id":          `"arn:aws:states:us-east-1:123456789012:execution:StateMachine/each:` + id + `"`,
		"name":        `"` + id + `"`,
		"in":          `7`,
		"start":       `"2000-01-01T00:00:00Z"`,
		"machine":     `"arn:aws:states:us-east-1:123456789012:stateMachine:StateMachine/each"`,
		"machineName": `"StateMachine/each"`,
		"state":       `"P"`,
	} {
		if text := value.Compact(got.Get(key)); !regexp.MustCompile("^" + want + "$").MatchString(text) {
			t.Errorf("%s is %s, want %s", key, text, want)
		}
	}
	for _, event := range events {
		if detail, ok := event.Detail.(*engine.MapRunDetail); ok &&
			!regexp.MustCompile(`^arn:aws:states:us-east-1:123456789012:mapRun:StateMachine/each:`+id+
				`$`).MatchString(detail.Arn) {
			t.Errorf("the Map Run is %s", detail.Arn)
		}
		// Its history begins with ExecutionStarted, so that its first state is event 2.
		if event.Type == engine.StateEntered && event.Visit.State.Name == "P" && event.Visit.HistoryID != 2 {
			t.Errorf("the first state of an iteration is event %d", event.Visit.HistoryID)
		}
	}
	again, _ := run(t, distributed("", processor), `[7]`, nil)
	if !value.Equal(e.Output(), again.Output()) {
		t.Errorf("the same seed gave %s and %s", value.Compact(e.Output()), value.Compact(again.Output()))
	}
}

// Variables of the state around are not seen; the iteration's are its own.
func TestDistributedVariables(t *testing.T) {
	definition := `{"StartAt":"A","States":{"A":{"Type":"Pass","Assign":{"v":1},"Next":"M"},"M":{"Type":"Map","End":true,"ItemProcessor":{%s
		"StartAt":"P","States":{"P":{"Type":"Pass","Parameters":{"v.$":"$v"},"End":true}}}}}}`
	const mode = `"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"EXPRESS"},`
	e, _ := run(t, fmt.Sprintf(definition, ""), `[0]`, nil)
	wantOutput(t, e, `[{"v":1}]`)
	if parsed, _ := asl.Parse(&source.File{Data: []byte(fmt.Sprintf(definition, mode))}); parsed == nil {
		return // refused already when it is read: nothing can run
	}
	e, _ = run(t, fmt.Sprintf(definition, mode), `[0]`, nil)
	wantFailure(t, e, "States.ExceedToleratedFailureThreshold", "")
}

// The members of an object are items of a distributed Map; an inline one refuses it.
func TestItemsOfAnObject(t *testing.T) {
	const selector = `"ItemsPath":"$.x","ItemSelector":{"k.$":"$$.Map.Item.Key","v.$":"$$.Map.Item.Value","i.$":"$$.Map.Item.Index"},`
	e, _ := run(t, distributed(selector, odd), `{"x":{"a":0,"b":{"c":2}}}`, nil)
	wantOutput(t, e, `[{"k":"a","v":0,"i":0},{"k":"b","v":{"c":2},"i":1}]`)
	e, _ = run(t, distributed(`"ItemsPath":"$.x",`, odd), `{"x":{"a":0}}`, nil)
	wantOutput(t, e, `[{"Key":"a","Value":0}]`)
	e, _ = run(t, single(`"Type":"Map","ItemsPath":"$.x","ItemProcessor":{"StartAt":"P","States":{"P":{"Type":"Pass","End":true}}},"End":true`), `{"x":{"a":0}}`, nil)
	wantFailure(t, e, "States.Runtime", `Reference path "$.x" must point to array.`)
}

// The tolerated failures are counted in items, and a fault of the definition in an execution counts too.
func TestDistributedTolerance(t *testing.T) {
	const lost = `{"Status":"FAILED","Error":"E","Cause":"c"}`
	for _, test := range []struct {
		fields, input, output, failure string
	}{
		{"", `[0,1]`, "", engine.ErrorToleratedFailure},
		{`"ToleratedFailureCount":0,`, `[0,1]`, "", engine.ErrorToleratedFailure},
		{`"ToleratedFailureCount":1,`, `[0,1,2]`, `[0,` + lost + `,2]`, ""},
		{`"ToleratedFailureCount":1,`, `[0,1,1]`, "", engine.ErrorToleratedFailure},
		{`"ToleratedFailurePercentage":50,`, `[1,0]`, `[` + lost + `,0]`, ""},
		{`"ToleratedFailurePercentage":49.9,`, `[1,0]`, "", engine.ErrorToleratedFailure},
		{`"ToleratedFailurePercentage":100,`, `[1,1]`, `[` + lost + `,` + lost + `]`, ""},
		{`"ToleratedFailureCount":5,"ToleratedFailurePercentage":10,`, `[1,0]`, "", engine.ErrorToleratedFailure},
		{`"ToleratedFailureCount":0,"ToleratedFailurePercentage":100,`, `[1,0]`, `[` + lost + `,0]`,
			""}, // a bound of 0 is none, as measured
		{`"ToleratedFailureCount":5,"ToleratedFailurePercentage":0,`, `[1,0]`, `[` + lost + `,0]`, ""},
		{`"ToleratedFailureCount":0,"ToleratedFailurePercentage":0,`, `[1,0]`, "", engine.ErrorToleratedFailure},
		{`"ItemsPath":"$.l","ToleratedFailureCountPath":"$.n",`, `{"l":[1,0],"n":"1"}`, `[` + lost + `,0]`, ""},
	} {
		e, events := run(t, distributed(test.fields, odd), test.input, nil)
		if test.failure == "" {
			wantOutput(t, e, test.output)
			continue
		}
		wantFailure(t, e, test.failure, "The specified tolerated failure threshold was exceeded")
		if got := work(events); !strings.HasSuffix(got, "MapRunFailed MapFailed StateFailed") {
			t.Errorf("%s %s: events %s", test.fields, test.input, got)
		}
	}
	broken := `"StartAt":"P","States":{"P":{"Type":"Pass","InputPath":"$.no","End":true}}`
	e, _ := run(t, distributed(`"ToleratedFailureCount":1,`, broken), `[{}]`, nil)
	wantOutput(t, e, `[{"Status":"FAILED","Error":"States.Runtime","Cause":"An error occurred while executing the state 'P' (entered at the event id #2). `+
		`Invalid path '$.no' : No results for path: $['no']"}]`)
	caught := distributed(`"Catch":[{"ErrorEquals":["States.ExceedToleratedFailureThreshold"],"Next":"D"}],`, broken)
	e, _ = run(t, strings.Replace(caught, `"States":{"M"`, `"States":{"D":{"Type":"Succeed"},"M"`, 1), `[{}]`, nil)
	wantOutput(t, e, `{"Error":"States.ExceedToleratedFailureThreshold","Cause":"The specified tolerated failure threshold was exceeded"}`)
	// All items of a batch fail with it.
	failing := `"StartAt":"F","States":{"F":{"Type":"Fail","Error":"E"}}`
	e, _ = run(t, distributed(`"ItemBatcher":{"MaxItemsPerBatch":2},"ToleratedFailureCount":1,`, failing), `[1,2]`, nil)
	wantFailure(t, e, engine.ErrorToleratedFailure, "")
	e, _ = run(t, distributed(`"ItemBatcher":{"MaxItemsPerBatch":2},"ToleratedFailureCount":2,`, failing), `[1,2]`, nil)
	wantOutput(t, e, `[{"Status":"FAILED","Error":"E"}]`)
}

// Which events precede a fault depends on the field (recorded).
func TestDistributedFaults(t *testing.T) {
	reader := func(config string) string { return fmt.Sprintf(csv, config) }
	for _, test := range []struct {
		name, fields, input string
		want, cause, events string
	}{
		{"MaxConcurrencyPath", `"ItemsPath":"$.l","MaxConcurrencyPath":"$.n",`, `{"l":[],"n":"x"}`, "States.Runtime",
			`"x" which is not a valid integer`, "StageFailed:Limits StateFailed"},
		{
			"ToleratedFailurePercentagePath", `"ItemsPath":"$.l","ToleratedFailurePercentagePath":"$.n",`,
			`{"l":[],"n":100.1}`,
			"States.Runtime", "ToleratedFailurePercentage must be between 0 and 100.",
			"StageCompleted:ItemsPath MapStarted StageFailed:Limits StateFailed",
		},
		{
			"ToleratedFailureCountPath", `"ItemsPath":"$.l","ToleratedFailureCountPath":"$.n",`, `{"l":[],"n":-1}`,
			"States.Runtime", "ToleratedFailureCount cannot be negative.",
			"StageCompleted:ItemsPath MapStarted StageFailed:Limits StateFailed",
		},
		{
			"MaxItemsPath", reader(`,"MaxItemsPath":"$.n"`), `{"b":"b","n":1.5}`, "States.Runtime",
			`The MaxItemsPath field refers to value "1.5" which is not a valid integer: $.n`,
			"MapStarted StageFailed:Limits StateFailed",
		},
		{
			"negative MaxItems", reader(`,"MaxItemsPath":"$.n"`), `{"b":"b","n":-1}`, "States.ItemReaderFailed",
			"field MaxItems must be positive", "MapStarted StageCompleted:Limits MapRunStarted MapRunFailed MapFailed StateFailed",
		},
		{
			"duplicate headers", reader(""), `{"b":"twice"}`, "States.ItemReaderFailed",
			"CSV headers cannot contain duplicates.",
			"MapStarted MapRunStarted ObjectRequested MapRunFailed MapFailed StateFailed",
		},
		{
			"an object that is lost", reader(""), `{"b":"lost"}`, "States.ItemReaderFailed", "It is lost.",
			"MapStarted MapRunStarted ObjectRequested MapRunFailed MapFailed StateFailed",
		},
		{
			"no bucket", reader(""), `{"b":5}`, "States.ItemReaderFailed", "Bucket",
			"MapStarted MapRunStarted MapRunFailed MapFailed StateFailed",
		},
		{
			"the reader's template", reader(""), `{}`, "States.Runtime",
			"The JSONPath '$.b' specified for the field 'Bucket.$' could not be found",
			"MapStarted StageFailed:ItemReader StateFailed",
		},
		{
			"ItemSelector", `"ItemSelector":{"v.$":"$.no"},`, `[1]`, "States.Runtime", "could not be found",
			"StageCompleted:ItemsPath MapStarted MapRunStarted MapRunFailed MapFailed StateFailed",
		},
		{
			"MaxItemsPerBatchPath", `"ItemsPath":"$.l","ItemBatcher":{"MaxItemsPerBatchPath":"$.n"},`,
			`{"l":[1],"n":0}`, "States.Runtime",
			`The MaxItemsPerBatchPath field refers to value "0" which is not a valid integer: $.n`,
			"StageCompleted:ItemsPath MapStarted StageFailed:Limits StateFailed",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			e, events := runStore(t, distributed(test.fields, pass), test.input,
				store{"twice/k.csv": "a,a\n", "lost/k.csv": "!It is lost."})
			wantFailure(t, e, test.want, test.cause)
			if got := work(events); got != test.events {
				t.Errorf("events %s\n want %s", got, test.events)
			}
			raised := 0
			for i := range events {
				if events[i].RaisesError() {
					raised++
				}
			}
			if raised != 1 {
				t.Errorf("the error is raised %d times", raised)
			}
		})
	}
}

func TestItemReader(t *testing.T) {
	definition := distributed(fmt.Sprintf(csv, "")+
		`"ItemsPath":"$.nothing","ItemSelector":{"v.$":"$$.Map.Item.Value.a","s.$":"$$.Map.Item.Source"},`, pass)
	e, events := runStore(t, definition, `{"b":"b"}`, store{"b/k.csv": "a,b\n1,2\n3\n"})
	wantOutput(t, e, `[{"v":"1","s":"s3://b/k.csv"},{"v":"3","s":"s3://b/k.csv"}]`)
	const want = "MapStarted MapRunStarted ObjectRequested StageCompleted:ItemReader StageCompleted:Parameters StageCompleted:Parameters MapRunSucceeded MapSucceeded StageCompleted:ResultPath StateExited"
	if got := work(events); got != want {
		t.Errorf("events %s\n want %s", got, want)
	}
	for _, event := range events {
		switch {
		case event.Type == engine.MapStarted && event.Detail.(*engine.StartDetail).Length != 0:
			t.Errorf("the Map knows of %d items before it has read them", event.Detail.(*engine.StartDetail).Length)
		case event.Type == engine.ObjectRequested:
			if got := event.Detail.(*engine.ObjectRequest).Object; got != (items.Object{Action: items.GetObject,
				Bucket: "b", Key: "k.csv"}) {
				t.Errorf("it asks for %v", got)
			}
		case event.Type == engine.StageCompleted && event.Stage == engine.StageItemReader:
			if got := value.Compact(event.After); got != `[{"a":"1","b":"2"},{"a":"3","b":""}]` ||
				value.Compact(event.Before) != `{"Bucket":"b","Key":"k.csv"}` {
				t.Errorf("it read %s from %s", got, value.Compact(event.Before))
			}
		}
	}
	list := `"ItemReader":{"Resource":"arn:aws:states:::s3:listObjectsV2","Parameters":{"Bucket":"b","Prefix":"in/"}%s},`
	objects := store{"b/in/": `{"Contents":[{"Key":"in/1"},{"Key":"in/2"}]}`, "b/in/1": "[1,2]", "b/in/2": "[3]"}
	e, _ = runStore(t, distributed(fmt.Sprintf(list, ""), pass), `{}`, objects)
	wantOutput(t, e, `[{"Key":"in/1"},{"Key":"in/2"}]`)
	e, _ = runStore(t, distributed(fmt.Sprintf(list,
		`,"ReaderConfig":{"InputType":"JSON","Transformation":"LOAD_AND_FLATTEN"}`), pass), `{}`, objects)
	wantOutput(t, e, `[1,2,3]`)
}

func TestItemBatcher(t *testing.T) {
	input := `{"l":[1,2,3],"n":2,"bytes":40}`
	for _, test := range []struct{ batcher, output string }{
		{`"MaxItemsPerBatch":2`, `[{"Items":[{"v":1},{"v":2}]},{"Items":[{"v":3}]}]`},
		{`"MaxItemsPerBatchPath":"$.n"`, `[{"Items":[{"v":1},{"v":2}]},{"Items":[{"v":3}]}]`},
		{`"MaxItemsPerBatch":9,"BatchInput":{"x.$":"$.n","name.$":"$$.State.Name"}`,
			`[{"BatchInput":{"x":2,"name":"M"},"Items":[{"v":1},{"v":2},{"v":3}]}]`},
		// {"Items":[{"v":1},{"v":2}]} has 27 bytes.
		{`"MaxInputBytesPerBatch":27`, `[{"Items":[{"v":1},{"v":2}]},{"Items":[{"v":3}]}]`},
		{`"MaxInputBytesPerBatch":26`, `[{"Items":[{"v":1}]},{"Items":[{"v":2}]},{"Items":[{"v":3}]}]`},
		{`"MaxInputBytesPerBatchPath":"$.bytes"`, `[{"Items":[{"v":1},{"v":2},{"v":3}]}]`},
		{`"MaxItemsPerBatch":1,"MaxInputBytesPerBatch":27`,
			`[{"Items":[{"v":1}]},{"Items":[{"v":2}]},{"Items":[{"v":3}]}]`},
	} {
		e, events := run(t, distributed(`"ItemsPath":"$.l","ItemSelector":{"v.$":"$$.Map.Item.Value"},"ItemBatcher":{`+
			test.batcher+`},`, pass), input, nil)
		wantOutput(t, e, test.output)
		for _, event := range events {
			if event.Type == engine.StageCompleted && event.Stage == engine.StageItemBatcher &&
				!value.Equal(event.After, value.Must(test.output)) {
				t.Errorf("%s: the stage gave %s", test.batcher, value.Compact(event.After))
			}
		}
	}
	e, _ := run(t, distributed(`"ItemBatcher":{"MaxInputBytesPerBatch":20},`, pass), `[1,"long enough"]`, nil)
	wantFailure(t, e, "States.DataLimitExceeded", "Item 1")
	// A batch is never larger than an execution's input can be.
	large := `"` + strings.Repeat("x", 100_000) + `"`
	e, _ = run(t, distributed(`"ItemBatcher":{"MaxItemsPerBatch":100},"ResultSelector":{"n.$":"States.ArrayLength($)"},`, pass), "["+large+","+large+","+large+"]", nil)
	wantOutput(t, e, `{"n":2}`)
	e, _ = run(t, distributed(`"ItemBatcher":{"MaxItemsPerBatch":2},`, pass), `[]`, nil)
	wantOutput(t, e, `[]`)
}

func TestResultWriter(t *testing.T) {
	const s3 = `"Resource":"arn:aws:states:::s3:putObject","Parameters":{"Bucket.$":"$.b","Prefix":"out/"}`
	e, events := run(t, distributed(`"ItemsPath":"$.l","ResultWriter":{`+s3+`},`, pass), `{"b":"bucket","l":[1]}`, nil)
	output, _ := e.Output().(*value.Object)
	if output == nil {
		t.Fatal(e.Failure())
	}
	arn, _ := output.Get("MapRunArn").(value.String)
	_, id, _ := strings.Cut(string(arn), "each:")
	wantOutput(t, e, fmt.Sprintf(`{"MapRunArn":%q,"ResultWriterDetails":{"Bucket":"bucket","Key":"out/%s/manifest.json"}}`, arn, id))
	if len(id) != 36 {
		t.Errorf("the Map Run is %s", arn)
	}
	for _, event := range events {
		if event.Type == engine.StageCompleted && event.Stage == engine.StageResultWriter {
			exported := event.Before.(*value.Array).At(0).(*value.Object)
			if exported.Get("Input") != value.String("1") || exported.Get("Output") != value.String("1") ||
				exported.Get("Status") != value.String("SUCCEEDED") {
				t.Errorf("it would write %s", value.Compact(event.Before))
			}
		}
	}
	e, _ = run(t, distributed(`"ItemsPath":"$.l","ResultWriter":{`+s3+`},`, pass), `{"b":"","l":[1]}`, nil)
	wantFailure(t, e, "States.ResultWriterFailed", "Bucket")

	config := func(transformation string) string {
		return distributed(`"ToleratedFailureCount":1,"ResultWriter":{"WriterConfig":{"OutputType":"JSON","Transformation":"`+transformation+`"}},`, odd)
	}
	e, _ = run(t, config("COMPACT"), `[[1],2]`, nil)
	wantOutput(t, e, `[[1],2]`)
	e, _ = run(t, config("FLATTEN"), `[[1,[2]],3]`, nil)
	wantOutput(t, e, `[1,[2],3]`)
	e, _ = run(t, config("NONE"), `[0,1]`, nil)
	list, _ := e.Output().(*value.Array)
	if list == nil || list.Len() != 2 {
		t.Fatalf("%v %s", e.Failure(), value.Compact(e.Output()))
	}
	if first := list.At(0).(*value.Object); first.Get("Output") != value.String("0") || first.Get("Error") != nil ||
		first.Get("StateMachineArn") != value.String(
			"arn:aws:states:us-east-1:123456789012:stateMachine:StateMachine/each") {
		t.Errorf("an execution that succeeded is %s", value.Compact(first))
	}
	if second := list.At(1).(*value.Object); second.Get("Status") != value.String("FAILED") ||
		second.Get("Error") != value.String("E") || second.Get("Output") != nil {
		t.Errorf("an execution that failed is %s", value.Compact(second))
	}
}

// A snapshot taken between any two steps continues to the same end.
func TestDistributedSnapshots(t *testing.T) {
	definition := distributed(`"ItemReader":{"Resource":"arn:aws:states:::s3:getObject","Parameters":{"Bucket":"b","Key":"m"},"ReaderConfig":{"InputType":"JSONL","ManifestType":"ATHENA_DATA"}},
		"ItemSelector":{"v.$":"$$.Map.Item.Value","s.$":"$$.Map.Item.Source"},"ItemBatcher":{"MaxItemsPerBatch":2},"MaxConcurrency":2,
		"ResultWriter":{"WriterConfig":{"OutputType":"JSON","Transformation":"NONE"}},`,
		`"StartAt":"W","States":{"W":{"Type":"Wait","Seconds":1,"Next":"T"},"T":{`+taskFields+`,"End":true}}`)
	objects := store{"b/m": "s3://b/1\ns3://b/2\n", "b/1": "1\n2\n", "b/2": "3\n4\n5\n"}
	start := func() *engine.Execution {
		return compile(t, definition, engine.AWS).Start(value.Must(`{}`), engine.StartOptions{Seed: 3})
	}
	whole := start()
	events := driveStore(t, whole, objects, echo)
	if whole.Status() != engine.Succeeded {
		t.Fatal(whole.Failure())
	}
	e := start()
	for range tooMany {
		snapshot := e.Snapshot()
		for range 2 {
			other := snapshot.Restore()
			rest := driveStore(t, other, objects, echo)
			if !value.Equal(other.Output(), whole.Output()) || types(rest) != types(events[len(events)-len(rest):]) {
				t.Fatalf("from event %d: output %s\n want %s", snapshot.Seq(), value.Compact(other.Output()),
					value.Compact(whole.Output()))
			}
		}
		if e.Status().Done() {
			return
		}
		forward(t, e, objects)
	}
	t.Fatal("the execution does not end")
}

// forward does the next thing of an execution, whatever it needs for that.
func forward(t *testing.T, e *engine.Execution, objects store) (events []engine.Event) {
	t.Helper()
	if r := e.UnansweredObject(); r != nil {
		if err := e.AnswerObject(r.ID, []byte(objects[r.Object.Bucket+"/"+r.Object.Key]), nil); err != nil {
			t.Fatal(err)
		}
		return nil
	}
	if e.Status() == engine.AwaitingTime {
		next, _ := e.NextTimer()
		if err := e.AdvanceTo(next); err != nil {
			t.Fatal(err)
		}
	}
	events = slices.Clone(e.Step())
	for r := e.Unanswered(); r != nil; r = e.Unanswered() {
		if err := e.Answer(r.ID, echo(r)); err != nil {
			t.Fatal(err)
		}
	}
	return events
}

// A retry reads the dataset anew, in another Map Run.
func TestDistributedRetry(t *testing.T) {
	definition := distributed(jsons+`"Retry":[{"ErrorEquals":["States.ItemReaderFailed"],"MaxAttempts":1}],`, pass)
	e := compile(t, definition, engine.AWS).Start(value.Must(`{}`), engine.StartOptions{})
	arns := map[string]bool{}
	for range tooMany {
		if e.Status().Done() {
			break
		}
		if r := e.UnansweredObject(); r != nil && r.ID == 1 {
			if err := e.AnswerObject(r.ID, nil, &engine.ObjectError{Cause: "not yet"}); err != nil {
				t.Fatal(err)
			}
		}
		for _, event := range forward(t, e, store{"b/k": "[1,2]"}) {
			if detail, ok := event.Detail.(*engine.MapRunDetail); ok {
				arns[detail.Arn] = true
			}
		}
	}
	wantOutput(t, e, `[1,2]`)
	if len(arns) != 2 {
		t.Errorf("Map Runs %v, want two", arns)
	}
}

// An answer is taken once, and a request is forgotten with the thread that made it.
func TestObjectRequests(t *testing.T) {
	inner := distributed(jsons, pass)
	definition := single(`"Type":"Parallel","End":true,"Branches":[` + inner +
		`,{"StartAt":"F","States":{"F":{"Type":"Wait","Seconds":1,"Next":"G"},"G":{"Type":"Fail","Error":"E"}}}]`)
	e := compile(t, definition, engine.AWS).Start(value.Must(`{}`), engine.StartOptions{})
	for e.Status() == engine.Runnable {
		e.Step()
	}
	if e.Status() != engine.AwaitingAnswer || len(e.ObjectRequests()) != 1 || len(e.Requests()) != 0 {
		t.Fatalf("status %v with %d requests", e.Status(), len(e.ObjectRequests()))
	}
	if err := e.AnswerObject(99, nil, nil); err != engine.ErrNoObjectRequest {
		t.Errorf("an answer to no request: %v", err)
	}
	id := e.UnansweredObject().ID
	if err := e.AdvanceTo(e.Now().Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	drive(t, e, nil)
	wantFailure(t, e, "E", "")
	if len(e.ObjectRequests()) != 0 || e.AnswerObject(id, []byte("[]"), nil) != engine.ErrNoObjectRequest {
		t.Error("the request of a branch that was aborted is still there")
	}
}

// The quotas of a distributed Map: how many executions at a time, and each with its own history.
func TestDistributedQuotas(t *testing.T) {
	for fields, want := range map[string]int{"": 10_000, `"MaxConcurrency":100,`: 100,
		`"MaxConcurrency":20000,`: 10_000} {
		_, events := run(t, distributed(fields, pass), `[1]`, nil)
		for _, event := range events {
			if detail, ok := event.Detail.(*engine.StartDetail); ok && detail.MaxConcurrency != want {
				t.Errorf("%q: %d at a time, want %d", fields, detail.MaxConcurrency, want)
			}
		}
	}
	loop := `"StartAt":"L","States":{"L":{"Type":"Choice","Choices":[{"Variable":"$","NumericEquals":1,"Next":"P"}],"Default":"D"},"P":{"Type":"Pass","Next":"L"},"D":{"Type":"Pass","End":true}}`
	e := compile(t, distributed(`"ToleratedFailureCount":1,`, loop), engine.AWS).Start(value.Must(`[1,0,0,0,0,0,0]`),
		engine.StartOptions{Limits: engine.Limits{History: 20}})
	events := drive(t, e, nil)
	wantOutput(t, e, `[{"Status":"FAILED","Error":"States.Runtime","Cause":"The execution reached the maximum number of history events (20)."},0,0,0,0,0,0]`)
	for i := range events {
		if failure := events[i].Failure(); events[i].Type == engine.IterationFailed &&
			!strings.Contains(failure.Cause, "maximum number of history events (20)") {
			t.Errorf("the iteration that does not end failed with %v", failure)
		}
	}
}

// An inline Map with a field of a distributed one is a definition that Step Functions accepts; the state fails when it
// runs, and no catcher takes that.
func TestInlineMapWithDistributedFields(t *testing.T) {
	for field, text := range map[string]string{
		"ItemReader": jsons, "ItemBatcher": `"ItemBatcher":{"MaxItemsPerBatch":1},`,
		"ResultWriter": `"ResultWriter":{"WriterConfig":{"OutputType":"JSON"}},`,
	} {
		definition := `{"StartAt":"M","States":{"M":{"Type":"Map","End":true,` + text + `"Catch":[{"ErrorEquals":["States.ALL"],"Next":"C"}],
			"ItemProcessor":{` + pass + `}},"C":{"Type":"Succeed"}}}`
		e, events := run(t, definition, `[1]`, nil)
		failure := e.Failure()
		if failure == nil || failure.Name != "States.Runtime" || failure.Field != field ||
			!strings.HasSuffix(failure.Cause, "The ItemReader, ItemBatcher and ResultWriter fields are not supported for INLINE maps") {
			t.Errorf("%s: %v", field, failure)
		}
		if count(events, engine.MapStarted) != 0 {
			t.Errorf("%s: events %s", field, types(events))
		}
	}
}

func TestUnsupportedReader(t *testing.T) {
	parsed, diagnostics := asl.Parse(&source.File{Data: []byte(
		distributed(`"ItemReader":{"Resource":"arn:aws:states:::dynamodb:getItem"},`, pass))})
	if parsed == nil {
		t.Fatal(diagnostics)
	}
	if _, err := engine.Compile(parsed, engine.AWS); err == nil || !strings.Contains(err.Error(), "s3:getObject") {
		t.Errorf("%v, want s3:getObject", err)
	}
}

// Executions of the type EXPRESS end after five minutes (quotas of the service); a STANDARD one waits as long as it is
// to.
func TestExpressExecutionsEndAfterFiveMinutes(t *testing.T) {
	const wait = `"StartAt":"Q","States":{"Q":{"Type":"Parallel","End":true,"Branches":[{"StartAt":"W","States":{"W":{"Type":"Wait","SecondsPath":"$","End":true}}}]}}`
	express := func(fields string) string {
		return strings.Replace(distributed(fields, wait), `"STANDARD"`, `"EXPRESS"`, 1)
	}
	const caught = `"Catch":[{"ErrorEquals":["States.ALL"],"ResultPath":null,"Next":"H"}],`
	e, events := run(t, strings.TrimSuffix(express(caught), `}}`)+`,"H":{"Type":"Pass","End":true}}}`,
		`[299, 301, 3000]`, nil)
	if e.Status() != engine.Succeeded || e.Now().Sub(events[0].At()) != 5*time.Minute {
		t.Errorf("%v after %v", e.Status(), e.Now().Sub(events[0].At()))
	}
	for _, event := range events {
		if event.Type == engine.IterationFailed && event.Failure().Name != engine.ErrorTimeout ||
			event.Type == engine.MapFailed && event.Failure().Name != engine.ErrorToleratedFailure {
			t.Errorf("%v: %v", event.Type, event.Failure())
		}
	}
	e, events = run(t, express(`"ToleratedFailurePercentage":100,`), `[299, 301, 3000]`, nil)
	if e.Status() != engine.Succeeded || e.Now().Sub(events[0].At()) != 5*time.Minute ||
		count(events, engine.IterationFailed) != 2 {
		t.Errorf("tolerated: %v after %v, %s", e.Status(), e.Now().Sub(events[0].At()), types(events))
	}
	wantOutput(t, e, `[[299],{"Status":"FAILED","Error":"States.Timeout"},{"Status":"FAILED","Error":"States.Timeout"}]`)
	e, events = run(t, distributed("", wait), `[299, 3000]`, nil)
	if e.Status() != engine.Succeeded || e.Now().Sub(events[0].At()) != 3000*time.Second {
		t.Errorf("STANDARD: %v after %v", e.Status(), e.Now().Sub(events[0].At()))
	}
}

// An Express execution ends after five minutes, or with the machine's TimeoutSeconds where they are fewer.
func TestExpressMachine(t *testing.T) {
	for text, want := range map[string]time.Duration{"": 5 * time.Minute, `"TimeoutSeconds":10,`: 10 * time.Second,
		`"TimeoutSeconds":400,`: 5 * time.Minute} {
		machine := compile(t, `{`+text+`"StartAt":"W","States":{"W":{"Type":"Wait","Seconds":1000,"End":true}}}`,
			engine.AWS)
		e := machine.Start(value.Null{}, engine.StartOptions{Express: true})
		events := driveStore(t, e, nil, echo)
		if took := e.Now().Sub(events[0].At()); e.Status() != engine.TimedOut || took != want {
			t.Errorf("%s %v after %v, want %v", text, e.Status(), took, want)
		}
	}
}

// A version of a Parquet file cannot be chosen (gabrielmoreira/tiny-asl-machine, recorded).
func TestVersionOfAParquetFile(t *testing.T) {
	e, _ := runStore(t, distributed(`"ItemReader":{"Resource":"arn:aws:states:::s3:getObject","Parameters":{"Bucket":"b","Key":"k","VersionId":"1"},"ReaderConfig":{"InputType":"PARQUET"}},`, pass), `{}`, nil)
	wantFailure(t, e, engine.ErrorItemReaderFailed,
		"S3 Version ID selection is not currently supported for PARQUET files")
}
