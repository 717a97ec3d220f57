package runs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/outcome"
	"asldb/engine/value"
	"asldb/internal/testkit"
)

// Case is one recorded case.
type Case struct {
	Name, Kind string
	Tags       []string
	// Definition is the text of the definition, whatever it is.
	Definition []byte
	Input      value.Value
	Context    value.Value // nil where the case has none
	RecordedAt time.Time
	Expect     *value.Object
	// Object is the whole case.
	Object *value.Object
	// patterns are the forms of values that cannot be known, by the JSON Pointer into the case.
	patterns map[string]*regexp.Regexp
}

// The corpora of cases: executions that were recorded on AWS, and answers of AWS that other projects wrote down.
const (
	Recorded = "aws-recorded"
	Measured = "aws-measured"
)

// LoadAWS reads every recorded case in the order of its names. Where the corpus is not beside the project it skips
// the test.
func LoadAWS(t testing.TB) []*Case {
	t.Helper()
	return LoadFrom(t, Recorded)
}

// LoadFrom is [Load] for any of the corpora.
func LoadFrom(t testing.TB, name string) []*Case {
	t.Helper()
	dir := testkit.Dir(t, name)
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(files)
	cases := make([]*Case, 0, len(files))
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c, err := parse(data)
		if err != nil {
			t.Fatalf("%s: %v", filepath.Base(file), err)
		}
		cases = append(cases, c)
	}
	return cases
}

// The recordings have a word in the place of an activity's ARN, by which nothing tells an activity.
var activityARN = strings.NewReplacer("activity_arn", "arn:aws:states:us-east-1:111111111111:activity:activity_name")

func parse(data []byte) (*Case, error) {
	data = []byte(activityARN.Replace(string(data)))
	v, err := value.Parse(data, value.Limits{})
	if err != nil {
		return nil, err
	}
	object, ok := v.(*value.Object)
	if !ok {
		return nil, fmt.Errorf("a case is an object, found %s", value.KindOf(v))
	}
	c := &Case{
		Name: text(object.Get("name")), Kind: text(object.Get("kind")),
		Input: object.Get("input"), Context: object.Get("context"), Object: object,
	}
	if c.Input == nil {
		c.Input = value.ObjectOf()
	}
	c.Expect, _ = object.Get("expect").(*value.Object)
	if tags, ok := object.Get("tags").(*value.Array); ok {
		for _, tag := range tags.All() {
			c.Tags = append(c.Tags, text(tag))
		}
	}
	if definition := object.Get("definition"); definition != nil {
		c.Definition = []byte(value.Compact(definition))
	} else {
		c.Definition = []byte(text(object.Get("definitionText")))
	}
	if recorded := text(object.Get("recordedAt")); recorded != "" {
		c.RecordedAt, err = time.Parse(time.RFC3339, recorded)
	} else {
		c.RecordedAt = time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC) // any day: nothing in the case depends on it
	}
	if patterns, ok := object.Get("patterns").(*value.Object); ok && err == nil {
		c.patterns = make(map[string]*regexp.Regexp)
		for pointer, pattern := range patterns.All() {
			if c.patterns[pointer], err = regexp.Compile(text(pattern)); err != nil {
				break
			}
		}
	}
	return c, err
}

func text(v value.Value) string {
	s, _ := v.(value.String)
	return string(s)
}

// Has reports whether the case has a tag.
func (c *Case) Has(tag string) bool { return slices.Contains(c.Tags, tag) }

// TaskResults answers the tasks of a case with the recorded results, and has the objects that the case uploaded: an [outcome.Source].
type TaskResults struct {
	results *value.Object
	objects *value.Array // that the case uploaded, or nil
	used    map[string]int
}

// Tasks returns a source that has answered nothing yet.
func (c *Case) Tasks() *TaskResults {
	results, _ := c.Object.Get("taskResults").(*value.Object)
	if results == nil {
		results = value.ObjectOf()
	}
	objects, _ := c.Object.Get("s3Objects").(*value.Array)
	return &TaskResults{results: results, objects: objects, used: make(map[string]int)}
}

// Seek implements [outcome.Source].
func (t *TaskResults) Seek(asked []outcome.Ask) (left []outcome.Ask) {
	clear(t.used)
	return outcome.Again(t, asked)
}

// Ask implements [outcome.Source].
func (t *TaskResults) Ask(ask outcome.Ask) outcome.Reply {
	switch ask := ask.(type) {
	case outcome.Task:
		return t.task(ask.Request)
	case outcome.Object:
		return t.object(ask.Request)
	case outcome.MapRun:
	}
	return outcome.None(nil)
}

// origin is the origin of recorded results.
const origin = "recorded"

// MissingError says that an execution asked more often than AWS did.
type MissingError struct{ State string }

// Error implements error.
func (e *MissingError) Error() string {
	return fmt.Sprintf("no result was recorded for another attempt of %q", e.State)
}

// task replies for a task. Results that were recorded in iterations are given to the same iterations, attempt by attempt.
func (t *TaskResults) task(request *engine.TaskRequest) outcome.Reply {
	name := request.Visit.State.Name
	recorded, _ := t.results.Get(name).(*value.Array)
	iterations := iterationsOf(request.Visit)
	key := name + iterations
	seen := 0
	for i := range recorded.Len() {
		attempt := recorded.At(i).(*value.Object)
		if of, ok := attempt.Get("iterations").(*value.Array); ok && recordedIterations(of) != iterations {
			continue
		}
		if seen == t.used[key] {
			t.used[key]++
			return outcome.Given(outcomeOf(attempt, request), origin)
		}
		seen++
	}
	return outcome.Fault(&MissingError{State: name})
}

// recordedIterations writes the enclosing Map iterations of an attempt: their numbers, outermost first.
func recordedIterations(of *value.Array) string {
	numbers := make([]string, of.Len())
	for i, iteration := range of.All() {
		if object, ok := iteration.(*value.Object); ok {
			numbers[i] = value.Compact(object.Get("index"))
		}
	}
	return "[" + strings.Join(numbers, ",") + "]"
}

// iterationsOf writes the numbers of the Map iterations that a visit is in, outermost first.
func iterationsOf(visit *engine.Visit) string {
	var numbers []string
	for v := visit; v.Parent != nil; v = v.Parent {
		if v.Parent.State.Type == asl.Map {
			numbers = append(numbers, fmt.Sprint(v.Index))
		}
	}
	slices.Reverse(numbers)
	return "[" + strings.Join(numbers, ",") + "]"
}

// longerThanAnyTask is how long a task takes that was never seen to end.
const longerThanAnyTask = 300_000 * time.Hour

func outcomeOf(attempt *value.Object, request *engine.TaskRequest) engine.Outcome {
	switch {
	case attempt.Get("timedOut") == value.Bool(true):
		after := max(request.Timeout, request.Heartbeat) + time.Hour
		return engine.Outcome{Output: value.Null{}, After: after, Submitted: attempt.Get("submitted")}
	case attempt.Get("aborted") == value.Bool(true):
		return engine.Outcome{Output: value.Null{}, After: longerThanAnyTask}
	case attempt.Get("output") != nil:
		return engine.Outcome{Output: attempt.Get("output"), Submitted: attempt.Get("submitted")}
	}
	return engine.Outcome{Error: text(attempt.Get("error")), Cause: text(attempt.Get("cause")), Submitted: attempt.Get("submitted")}
}

// Nondeterministic returns the JSON Pointers into the case at which the value is not reproducible.
func (c *Case) Nondeterministic() []string {
	var pointers []string
	if list, ok := c.Object.Get("nondeterministicPointers").(*value.Array); ok {
		for _, pointer := range list.All() {
			pointers = append(pointers, text(pointer))
		}
	}
	return pointers
}

// Same compares a value with the recorded one at pointer: objects without order, numbers by
// value, and nothing at or below a nondeterministic pointer.
func (c *Case) Same(pointer string, want, got value.Value) bool {
	return c.same(c.Nondeterministic(), pointer, want, got)
}

// SameText compares a text, a cause for example: a placeholder for the state's input matches anything,
// and a cause whose white space is a guess is compared as JSON.
func (c *Case) SameText(pointer, want, got string) bool {
	return c.Same(pointer, value.String(want), value.String(got))
}

// inputMark replaces in a recorded text the JSON of the state's input, which was cut out.
const inputMark = "<json-input:1>"

func (c *Case) sameText(pointer, want, got string) bool {
	if want == got {
		return true
	}
	if before, after, marked := strings.Cut(want, inputMark); marked {
		return len(got) >= len(before)+len(after) && strings.HasPrefix(got, before) && strings.HasSuffix(got, after)
	}
	if same, marked := sameMapRun(want, got); marked {
		return same
	}
	rebuilt, _ := c.Object.Get("causeTextRebuilt").(*value.Array)
	for i := range rebuilt.Len() {
		if text(rebuilt.At(i)) != pointer {
			continue
		}
		a, errA := value.ParseString(want)
		b, errB := value.ParseString(got)
		return errA == nil && errB == nil && value.Equal(a, b)
	}
	return false
}

func (c *Case) same(unknown []string, pointer string, want, got value.Value) bool {
	if slices.Contains(unknown, pointer) {
		return true
	}
	if pattern := c.patterns[pointer]; pattern != nil {
		text, ok := got.(value.String)
		return ok && pattern.MatchString(string(text))
	}
	switch want := want.(type) {
	case value.String:
		text, ok := got.(value.String)
		return ok && c.sameText(pointer, string(want), string(text))
	case *value.Object:
		object, ok := got.(*value.Object)
		if !ok || object.Len() != want.Len() {
			return false
		}
		for key, member := range want.All() {
			if !c.same(unknown, pointer+"/"+escapePointer(key), member, object.Get(key)) {
				return false
			}
		}
		return true
	case *value.Array:
		array, ok := got.(*value.Array)
		if !ok || array.Len() != want.Len() {
			return false
		}
		for i, item := range want.All() {
			if !c.same(unknown, fmt.Sprintf("%s/%d", pointer, i), item, array.At(i)) {
				return false
			}
		}
		return true
	}
	return value.Equal(want, got)
}

func escapePointer(key string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}
