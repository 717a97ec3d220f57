package engine_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/interrupt"
	"asldb/engine/value"
)

// costly are machines in which every kind of field takes some thousand steps to evaluate.
var costly = map[string]string{
	"JSONata": `{"QueryLanguage":"JSONata","StartAt":"A","States":{
		"A":{"Type":"Pass","Assign":{"total":"{% $sum([1..1500].($ * 2)) %}","drawn":"{% $random() & $uuid() %}"},"Output":{"n":"{% [1..1200].($ + 1) %}","in":"{% $states.input %}"},"Next":"C"},
		"C":{"Type":"Choice","Choices":[{"Condition":"{% $sum([1..1500].($ * $random())) < 0 %}","Next":"F"},{"Condition":"{% $count([1..1500].($string($))) > 5 and $random() >= 0 %}","Output":"{% $states.input.in %}","Next":"T"}],"Default":"F"},
		"T":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","TimeoutSeconds":"{% $count([1..1500].($)) %}","Arguments":{"x":"{% $sum([1..1500].($)) + $random() %}","y":"{% $uuid() %}"},
			"Credentials":{"RoleArn":"{% 'arn:aws:iam::123456789012:role/' & $count([1..1500].($)) %}"},
			"Retry":[{"ErrorEquals":["Again"],"MaxAttempts":2,"JitterStrategy":"FULL"}],"Catch":[{"ErrorEquals":["States.ALL"],"Assign":{"c":"{% $count([1..1500].($)) %}"},"Output":"{% $states.errorOutput %}","Next":"W"}],"Next":"W"},
		"W":{"Type":"Wait","Seconds":"{% $count([1..1500].($)) %}","Next":"M"},
		"M":{"Type":"Map","Items":"{% [1..12] %}","MaxConcurrency":"{% $count([1..1500].($)) - 1495 %}","ItemSelector":{"v":"{% $sum([1..400].($)) + $states.context.Map.Item.Value %}","r":"{% $random() %}"},
			"ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","Output":"{% $sum([1..900].($)) + $states.input.v %}","End":true}}},"Output":"{% $states.result %}","Next":"D"},
		"D":{"Type":"Map","Items":"{% $states.input %}","ToleratedFailureCount":"{% $count([1..1500].($)) %}","ItemSelector":{"v":"{% $sum([1..700].($)) + $random() %}"},
			"ItemBatcher":{"BatchInput":{"b":"{% $count([1..1500].($)) %}"},"MaxItemsPerBatch":"{% $count([1..1500].($)) - 1497 %}"},
			"ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"J","States":{"J":{"Type":"Pass","Output":"{% $count([1..900].($)) %}","End":true}}},
			"ResultWriter":{"Resource":"arn:aws:states:::s3:putObject","Arguments":{"Bucket":"{% 'b' & $count([1..1500].($)) %}"}},"Next":"P"},
		"P":{"Type":"Parallel","Arguments":"{% $count([1..1500].($)) %}","Branches":[{"StartAt":"X","States":{"X":{"Type":"Pass","Output":"{% $count([1..1500].($)) %}","End":true}}},{"StartAt":"Y","States":{"Y":{"Type":"Pass","Output":"{% $count([1..1500].($)) + $random() %}","End":true}}}],"Next":"F"},
		"F":{"Type":"Fail","Error":"{% 'E' & $count([1..1500].($)) %}","Cause":"{% $uuid() & $count([1..1500].($)) %}"}}}`,
	"JSONPath": `{"StartAt":"A","States":{
		"A":{"Type":"Pass","InputPath":"$..data","Parameters":{"all.$":"$..v","u.$":"States.UUID()","items.$":"$[0].list","unique.$":"States.ArrayUnique($[0].list[*].v)"},"ResultPath":"$.a","Next":"S"},
		"S":{"Type":"Pass","Assign":{"vs.$":"$..v","r.$":"States.MathRandom(0, 100)"},"Next":"C"},
		"C":{"Type":"Choice","Choices":[{"Variable":"$..nope","StringEquals":"x","Next":"F"},{"And":[{"Variable":"$..v","IsPresent":true},{"Variable":"$.data..v","IsNull":false}],"Next":"T"}],"Default":"F"},
		"T":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","Parameters":{"k.$":"$.data.list[?(@.v > 5)].v"},"ResultSelector":{"s.$":"$..v"},"ResultPath":"$.t",
			"Retry":[{"ErrorEquals":["Again"],"MaxAttempts":2,"JitterStrategy":"FULL"},{"ErrorEquals":["Other"],"MaxAttempts":1}],"Next":"M"},
		"M":{"Type":"Map","ItemsPath":"$.data.list","MaxConcurrency":3,"ItemSelector":{"i.$":"$$.Map.Item.Value","n.$":"$.data.list[?(@.v == 7)].v","r.$":"States.MathRandom(0, 100)"},
			"ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","Parameters":{"m.$":"$..v"},"OutputPath":"$.m","End":true}}},"OutputPath":"$[0:5]","Next":"F"},
		"F":{"Type":"Fail","ErrorPath":"States.Format('E{}', States.ArrayLength($))","CausePath":"States.UUID()"}}}`,
}

// costlyInput has a list that takes some hundred steps to look through.
func costlyInput() string {
	items := make([]string, 300)
	for i := range items {
		items[i] = fmt.Sprintf(`{"v":%d,"o":{"p":[%d]}}`, i%50, i)
	}
	return `{"data":{"list":[` + strings.Join(items, ",") + `]}}`
}

var errEnough = errors.New("enough")

// randomInterrupts interrupts at looks drawn at random, a step at most twice.
type randomInterrupts struct {
	random      *rand.Rand
	looks, left int
	hits        int // in this step
}

func (w *randomInterrupts) check() error {
	w.looks++
	if w.left--; w.left >= 0 || w.hits == 2 {
		return nil
	}
	w.hits++
	w.left = w.random.IntN(6)
	return errEnough
}

// failing answers the first task with an error that is retried, and then caught.
func failing() answers { return inTurn(fails("Again"), fails("Other"), gives(`{"v":1}`)) }

// A step that is interrupted has not happened: the execution is exactly as before the step, and continues to the same
// events as one that was left alone.
func TestAnInterruptedStepHasNotHappened(t *testing.T) {
	for name, kinds := range map[string]int{"JSONata": 20, "JSONPath": 6} {
		for _, dialect := range []engine.Dialect{engine.AWS, engine.Spec} {
			machine := compile(t, costly[name], dialect)
			input := value.Must(costlyInput())
			alone := drive(t, machine.Start(input, engine.StartOptions{Seed: 4}), failing())
			if failure := alone[len(alone)-1].Failure(); failure == nil || failure.Origin == nil ||
				failure.Origin.State.Name != "F" || failure.Err != nil {
				t.Fatalf("%s ended with %v", name, failure)
			}
			interrupted := make(map[string]bool)
			for seed := range uint64(2) {
				sameEvents(t, driveInterrupted(t, machine, input, seed, interrupted), alone)
			}
			if len(interrupted) < kinds {
				t.Errorf("%s was interrupted in %d kinds of steps, want %d: %v", name, len(interrupted), kinds,
					interrupted)
			}
		}
	}
}

// driveInterrupted runs to the end with interruptions, and adds the interrupted steps.
func driveInterrupted(t *testing.T, machine *engine.Machine, input value.Value, seed uint64,
	interrupted map[string]bool) []engine.Event {
	t.Helper()
	w := &randomInterrupts{random: rand.New(rand.NewPCG(seed, 0))}
	e := machine.Start(input, engine.StartOptions{Seed: 4, Interrupt: w.check})
	answer := failing()
	var events []engine.Event
	for !e.Status().Done() {
		if e.Status() == engine.AwaitingTime {
			next, _ := e.NextTimer()
			if err := e.AdvanceTo(next); err != nil {
				t.Fatal(err)
			}
		}
		before := e.Snapshot().Restore()
		happened := e.Step()
		if err := e.Interrupted(); err != nil {
			if len(happened) > 0 || !errors.Is(err, errEnough) || !interrupt.Is(err) {
				t.Fatalf("%d events, %v", len(happened), err)
			}
			if !engine.Same(before, e) {
				t.Fatalf("after event %d the execution is not as before the step", e.Seq())
			}
			continue
		}
		if w.hits > 0 && len(happened) > 0 {
			name := happened[0].Type.String() + " " + happened[0].Stage.String()
			if visit := happened[0].Visit; visit != nil {
				name += " " + visit.State.Name
			}
			interrupted[name] = true
		}
		w.hits = 0
		events = append(events, happened...)
		for r := e.Unanswered(); r != nil; r = e.Unanswered() {
			if err := e.Answer(r.ID, answer(r)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return events
}

func sameEvents(t *testing.T, got, want []engine.Event) {
	t.Helper()
	a, b := describe(got), describe(want)
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			t.Fatalf("%d events, want %d; event %d is\n%s, want\n%s", len(a), len(b), i+1,
				a[min(i, len(a)):min(i+1, len(a))], b[min(i, len(b)):min(i+1, len(b))])
		}
	}
}

// A thread that was chosen by the driver keeps its turn when its step is interrupted.
func TestInterruptedThreadKeepsItsTurn(t *testing.T) {
	const branch = `{"StartAt":"%s","States":{"%s":{"Type":"Pass","Output":"{%% $count([1..3000].($)) %%}","End":true}}}`
	definition := `{"QueryLanguage":"JSONata","StartAt":"P","States":{"P":{"Type":"Parallel","Branches":[` +
		fmt.Sprintf(branch, "X", "X") + "," + fmt.Sprintf(branch, "Y", "Y") + `],"End":true}}}`
	looks := 0
	check := func() error {
		if looks++; looks == 2 {
			return errEnough
		}
		return nil
	}
	e := compile(t, definition, engine.AWS).Start(value.Must(`{}`), engine.StartOptions{Interrupt: check})
	for len(e.Threads()) < 3 {
		e.Step()
	}
	if err := e.Focus(2); err != nil {
		t.Fatal(err)
	}
	for e.Interrupted() == nil {
		e.Step()
	}
	if e.Focused() != 2 {
		t.Errorf("thread %d has the focus", e.Focused())
	}
	if events := e.Step(); len(events) != 1 || events[0].Thread != 2 {
		t.Errorf("it went on with %v", events)
	}
}

// A check can be given to an execution that runs, and be taken away again.
func TestSetInterrupt(t *testing.T) {
	e := compile(t, costly["JSONata"], engine.AWS).Start(value.Must(`{}`), engine.StartOptions{})
	e.SetInterrupt(func() error { return errEnough })
	for range 10 {
		e.Step()
	}
	if e.Seq() != 2 || !errors.Is(e.Interrupted(), errEnough) {
		t.Errorf("%d events, %v", e.Seq(), e.Interrupted())
	}
	e.SetInterrupt(nil)
	if e.Step(); e.Interrupted() != nil || e.Seq() != 3 {
		t.Errorf("%d events, %v", e.Seq(), e.Interrupted())
	}
}

// An event says how long its expressions took where that was long, and gives their random numbers once more.
func TestEvaluation(t *testing.T) {
	const definition = `{"QueryLanguage":"JSONata","StartAt":"A","States":{
		"A":{"Type":"Pass","Output":"{% [$random(), $random()] %}","Next":"B"},
		"B":{"Type":"Pass","Output":"{% $count([1..100000].($ * 2)) %}","Next":"C"},
		"C":{"Type":"Pass","Output":"{% 1 %}","End":true}}}`
	x := compile(t, definition, engine.AWS).Start(value.Must(`{}`), engine.StartOptions{Seed: 1})
	var events []engine.Event
	evaluations := make(map[int64]*engine.Evaluation)
	for !x.Status().Done() {
		events = append(events, x.Step()...)
		for _, v := range x.Evaluations() {
			evaluations[v.Event] = v
		}
	}
	for i := range events {
		e, evaluation := &events[i], evaluations[events[i].Seq]
		if e.Type != engine.StageCompleted {
			if evaluation != nil {
				t.Errorf("event %d, %v, has an evaluation", i+1, e.Type)
			}
			continue
		}
		switch e.Visit.State.Name {
		case "A":
			numbers := e.After.(*value.Array)
			if numbers.Len() != 2 || evaluation.Steps != 0 {
				t.Fatalf("%v after %d steps", numbers, evaluation.Steps)
			}
			for range 2 { // it gives the same again, however often it is asked
				random := evaluation.Random()
				for _, want := range numbers.All() {
					if got := float64(random.Uint64()>>11) / (1 << 53); got != want.(value.Number).Float64() {
						t.Errorf("the run drew %v, and once more it is %v", want, got)
					}
				}
			}
		case "B":
			if evaluation == nil || evaluation.Steps < engine.SlowSteps || evaluation.Random() != nil {
				t.Errorf("a slow evaluation: %+v", evaluation)
			}
		case "C":
			if evaluation != nil {
				t.Errorf("a quick evaluation: %+v", evaluation)
			}
		}
	}
}
