package engine

import (
	"fmt"
	"time"

	"asldb/engine/asl"
	"asldb/engine/rules"
	"asldb/engine/value"
)

var emptyObject = value.Value(value.ObjectOf())

// process runs the stages of a visit.
type process struct {
	e *Execution
	*thread
}

// run runs the next stage.
func (p process) run() {
	stage := p.stages[p.at]
	p.at++
	def := p.state.def
	switch stage {
	case StageInputPath:
		p.selectPath(stage, def.InputPath)
		p.effective = p.data
	case StageLimits:
		p.readLimits()
	case StageItemsPath:
		if def.QueryLanguage == asl.JSONata {
			p.queryItems()
		} else {
			p.selectItems()
		}
	case StageParameters:
		parameters := def.Parameters
		if def.QueryLanguage == asl.JSONata {
			parameters = def.Arguments
		}
		p.fill(stage, parameters, p.state.contextual(stage))
		p.payload = p.data
	case StageChoices:
		p.choose()
	case StageWait:
		p.wait()
	case StageFail:
		p.failState()
	case StageResult:
		p.beginWork()
	case StageResultSelector:
		p.fill(stage, def.ResultSelector, p.state.contextual(stage))
	case StageAssign:
		p.assign()
	case StageResultPath:
		p.putResult()
	case StageOutputPath:
		if def.QueryLanguage == asl.JSONata {
			p.putOutput()
		} else {
			p.selectPath(stage, def.OutputPath)
		}
	case StageOutput:
		p.e.leave(p.thread)
	}
}

// stageDone notes that a stage turned before into after, which the next stage reads.
func (e *Execution) stageDone(t *thread, stage Stage, before, after value.Value) {
	t.data = after
	e.emit(t, &Event{Type: StageCompleted, Stage: stage, Before: before, After: after})
}

// selectPath runs InputPath or OutputPath: null gives an empty object (section "InputPath, OutputPath").
func (p process) selectPath(stage Stage, field *asl.PathField) {
	before := p.data
	if field.Null {
		p.e.stageDone(p.thread, stage, before, emptyObject)
		return
	}
	roots := p.e.rootsFor(p.thread, before, p.state.contextual(stage))
	after := field.Path.Find(roots)
	p.e.evaluated()
	if after == nil {
		_, err := field.Path.Get(roots)
		p.e.evaluated()
		p.e.stageFailed(p.thread, stage, before, p.e.pathFailure(p.thread, stage.String(), field.Path, err))
		return
	}
	p.e.stageDone(p.thread, stage, before, after)
}

// fill runs a payload template (section "Payload Template"), or its counterpart in JSONata.
func (p process) fill(stage Stage, field *asl.TemplateField, contextual bool) {
	before := p.data
	after, failure := p.e.evalField(p.thread, stage.String(), field, before, contextual)
	if failure != nil {
		p.e.stageFailed(p.thread, stage, before, failure)
		return
	}
	p.e.stageDone(p.thread, stage, before, after)
}

// putResult runs ResultPath: the result replaces the raw input or is put into it, never into the effective input
// (section "ResultPath").
func (p process) putResult() {
	field, name := p.state.def.ResultPath, StageResultPath.String()
	if p.catching > 0 {
		field, name = p.state.catches[p.catching-1].def.ResultPath, fmt.Sprintf("Catch[%d]/%s", p.catching-1, name)
	}
	switch {
	case field == nil:
		p.e.stageDone(p.thread, StageResultPath, p.raw, p.data)
	case field.Null:
		p.e.stageDone(p.thread, StageResultPath, p.raw, p.raw)
	default:
		after, err := field.Path.Set(p.raw, p.data)
		if err != nil {
			failure := &Failure{Name: ErrorResultPathMatchFailure, Cause: err.Error(), Err: err, Origin: p.visit, Field: name}
			if p.e.machine.dialect.Does(rules.NamesOutputMatchFailure) {
				appendix := *failure // which has the later name
				failure.Name, failure.other = ErrorOutputMatchFailure, &appendix
			}
			if p.e.machine.dialect.Does(rules.WritesServiceCauses) {
				// Reported once, without the Error Name (aws/aws-cdk#29473); the name is the developer guide's.
				failure.Cause = fmt.Sprintf("Unable to apply ReferencePath %s to input %s",
					field.Path, value.Compact(value.String(value.Preview(p.raw, maxCause))))
			}
			p.e.stageFailed(p.thread, StageResultPath, p.raw, failure)
			return
		}
		p.e.stageDone(p.thread, StageResultPath, p.raw, after)
	}
}

// assign evaluates Assign against the variables as they were at the state's entry; the new values hold
// from the next state on.
func (p process) assign() {
	field, contextual := p.state.def.Assign, p.state.contextual(StageAssign)
	source := p.data // of Pass, Choice and Wait
	switch {
	case p.catching > 0:
		catcher := &p.state.catches[p.catching-1]
		field, contextual = catcher.def.Assign, catcher.flow().contextual
	case p.state.def.Type == asl.Choice && p.rule >= 0:
		// A matched rule's Assign replaces the state's, which belongs to Default.
		field = p.state.rules[p.rule].def.Assign
	case p.result != nil:
		source = p.result
	}
	if field == nil {
		return
	}
	before := value.Value(p.variables.values)
	assigned, failure := p.e.evalField(p.thread, "Assign", field, source, contextual)
	if failure != nil {
		p.e.stageFailed(p.thread, StageAssign, source, failure)
		return
	}
	values := p.variables.values
	object, _ := assigned.(*value.Object) // a payload template gives an object
	for name, v := range object.All() {
		values = values.With(name, v)
	}
	if failure := p.e.variablesTooLarge(p.thread, object, values); failure != nil {
		p.e.stageFailed(p.thread, StageAssign, source, failure)
		return
	}
	p.assigned = values
	p.e.emit(p.thread, &Event{
		Type: StageCompleted, Stage: StageAssign, Before: before, After: values,
		Detail: &AssignDetail{Assigned: object},
	})
}

// choose evaluates the rules of a Choice state in their order (section "Choice State").
func (p process) choose() {
	roots := p.e.rootsFor(p.thread, p.data, p.state.contextual(StageChoices))
	p.e.forgetKnown(p.state.shared)
	for i := range p.state.rules {
		rule := &p.state.rules[i]
		holds, failure := p.e.ruleHolds(p.thread, rule, roots)
		if failure != nil {
			p.e.stageFailed(p.thread, StageChoices, p.data, failure)
			return
		}
		if holds {
			p.next, p.exit, p.rule = rule.next, rule.exit, i
			p.e.stageDone(p.thread, StageChoices, p.data, p.data)
			return
		}
	}
	if p.state.otherwise == nil {
		failure := &Failure{Name: ErrorNoChoiceMatched, Cause: "No rule matched and the state has no Default.", Origin: p.visit}
		if !p.e.machine.dialect.Does(rules.NamesNoChoiceMatched) {
			failure.Name = ErrorRuntime
			failure.Cause = "Failed to transition out of the state. The state does not point to a next state."
		}
		p.e.stageFailed(p.thread, StageChoices, p.data, failure)
		return
	}
	p.next, p.exit = p.state.otherwise, p.state.byDefault
	p.e.stageDone(p.thread, StageChoices, p.data, p.data)
}

// failState ends a Fail state with its error (section "Fail State").
func (p process) failState() {
	failure := &Failure{Origin: p.visit}
	for _, part := range []struct {
		field *asl.TextField
		text  *string
	}{{p.state.def.Error, &failure.Name}, {p.state.def.Cause, &failure.Cause}} {
		text, fault := p.e.textOf(p.thread, part.field)
		if fault != nil {
			if p.e.machine.dialect.Does(rules.WritesServiceCauses) {
				fault.addPreface(p.visit)
			}
			p.e.stageFailed(p.thread, StageFail, p.raw, fault)
			return
		}
		*part.text = text
	}
	p.e.stageFailed(p.thread, StageFail, p.raw, failure)
}

// maxWait is the greatest delay that Step Functions takes for a Wait state.
const maxWait = 24856 * 24 * time.Hour

// wait begins the wait of a Wait state (section "Wait State").
func (p process) wait() {
	until, failure := p.e.waitUntil(p.thread)
	if failure == nil && p.e.machine.dialect.Does(rules.BoundsWaits) &&
		until > p.e.now && until-p.e.now >= int64(maxWait) {
		failure = &Failure{Name: ErrorRuntime, Cause: "Wait state delay is too long.", Origin: p.visit}
	}
	if failure != nil {
		p.e.stageFailed(p.thread, StageWait, p.data, failure)
		return
	}
	p.e.emit(p.thread, &Event{
		Type: WaitStarted, Stage: StageWait, Before: p.data,
		Detail: &WaitDetail{Until: time.Unix(0, until).UTC()},
	})
	if until <= p.e.now {
		p.phase = phaseWaitOver
		return
	}
	p.block = onTimer
	p.e.set(p.thread, until, TimerWait)
}

// The years at which nanoseconds since the epoch end are 1677 and 2262: the instants, in seconds since the epoch.
var (
	firstSecond = time.Date(1678, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	lastSecond  = time.Date(2262, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
)

// nanosecondsOf returns the instant in nanoseconds since the epoch, the nearest that there is.
func nanosecondsOf(instant time.Time) int64 {
	switch second := instant.Unix(); {
	case second < firstSecond:
		return -1 << 63
	case second >= lastSecond:
		return 1<<63 - 1
	}
	return instant.UnixNano()
}
