package engine

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"time"

	"asldb/engine/asl"
	"asldb/engine/items"
	"asldb/engine/rules"
	"asldb/engine/value"
)

// distributedConcurrency is how many executions of one Map Run Step Functions has at a time.
const distributedConcurrency = 10_000

// distributedLimits are the bounds that only a distributed Map has; 0 means none.
type distributedLimits struct{ items, batchItems, batchBytes int64 }

// set takes over the value found for a field's path.
func (l *distributedLimits) set(field string, count int64) {
	switch field {
	case "MaxItems":
		l.items = count
	case "MaxItemsPerBatch":
		l.batchItems = count
	case "MaxInputBytesPerBatch":
		l.batchBytes = count
	}
}

// take reads the literals of the fields.
func (l *distributedLimits) take(def *asl.State) {
	literal := func(target *int64, field *asl.Quantity) {
		if field != nil && field.Literal != nil {
			*target = int64(literalSeconds(field))
		}
	}
	if reader := def.ItemReader; reader != nil {
		literal(&l.items, reader.Config.MaxItems)
	}
	if batcher := def.ItemBatcher; batcher != nil {
		literal(&l.batchItems, batcher.MaxItemsPerBatch)
		literal(&l.batchBytes, batcher.MaxInputBytesPerBatch)
	}
}

// laterLimits are the bounds of a Map state that are evaluated only once it has begun; nil where absent.
func laterLimits(def *asl.State) []*asl.Quantity {
	fields := []*asl.Quantity{def.ToleratedFailureCount, def.ToleratedFailurePercentage}
	if def.ItemReader != nil {
		fields = append(fields, def.ItemReader.Config.MaxItems)
	}
	if def.ItemBatcher != nil {
		fields = append(fields, def.ItemBatcher.MaxItemsPerBatch, def.ItemBatcher.MaxInputBytesPerBatch)
	}
	return fields
}

// unsupportedMap returns the error of a Map state that the language allows and this engine does not run.
func unsupportedMap(def *asl.State) error {
	if reader := def.ItemReader; reader != nil {
		if _, ok := items.ActionOf(reader.Resource); !ok {
			return &UnsupportedError{
				State: def, Span: reader.Span,
				What: fmt.Sprintf("an ItemReader reads with s3:getObject or s3:listObjectsV2, not with %q", reader.Resource),
			}
		}
	}
	return nil
}

// misplaced returns the failure of an inline Map with fields of a distributed one: Step Functions accepts the definition, and the
// state fails when it is to run.
func misplaced(visit *Visit) *Failure {
	def := visit.State
	if def.Type != asl.Map || def.Distributed() {
		return nil
	}
	field := ""
	switch {
	case def.ItemReader != nil:
		field = "ItemReader"
	case def.ItemBatcher != nil:
		field = "ItemBatcher"
	case def.ResultWriter != nil:
		field = "ResultWriter"
	default:
		return nil
	}
	return &Failure{
		Name: ErrorRuntime, Origin: visit, Field: field,
		Cause: "The ItemReader, ItemBatcher and ResultWriter fields are not supported for INLINE maps",
	}
}

// distributedWork is the work of a distributed Map that an inline one does not have.
type distributedWork struct {
	run *mapRun // nil before the Map Run and in other states
	// total is the number of items, lost how many of them failed with their executions.
	total, lost int
	// keyed: the items are the members of an object.
	keyed bool
	readerWork
	batchWork
	// ended is the end of each execution, where the Map has a ResultWriter.
	ended []childEnd
}

func (w distributedWork) clone() distributedWork {
	if w.reading != nil {
		w.reading = w.reading.Clone()
	}
	w.selected = append([]value.Value(nil), w.selected...)
	w.ended = append([]childEnd(nil), w.ended...)
	return w
}

// distributed does the work of a distributed Map that an inline one does not have: it reads items, gathers them into
// batches and writes results.
type distributed struct {
	e *Execution
	*thread
}

// mapRun is one Map Run. It never changes.
type mapRun struct {
	prefix   string // of every name: "arn:aws:states:us-east-1:123456789012:"
	machine  string // of the executions: "<state machine>/<label>"
	arn, id  string
	redriven int // counts its redrives
}

// childExecution is one execution of a Map Run. It never changes.
type childExecution struct {
	run     *mapRun
	express bool
	name    string
	input   value.Value
	started int64
	// redriven counts the redrives of a STANDARD one.
	redriven int
}

// childEnd is how an execution of a Map Run ended.
type childEnd struct {
	child   *childExecution
	output  value.Value // nil where it failed
	failure *Failure
	stopped int64
}

// arn returns the execution's name as the service forms it.
func (c *childExecution) arn() string {
	if c.express {
		return c.run.prefix + "express:" + c.run.machine + ":" + c.name + ":" + c.run.id
	}
	return c.run.prefix + "execution:" + c.run.machine + ":" + c.name
}

// Execution returns the ARN of the execution of a Map Run that the visit belongs to; empty outside.
func (v *Visit) Execution() string {
	if v.child == nil {
		return ""
	}
	return v.child.arn()
}

func (c *childExecution) machineARN() string { return c.run.prefix + "stateMachine:" + c.run.machine }

// execution is the context object's member Execution, in an execution of a Map Run (c is not nil) or in
// the whole one.
func (c *childExecution) execution(base *contextParts) value.Value {
	if c == nil {
		return base.execution
	}
	members, ok := base.execution.(*value.Object)
	if !ok {
		return base.execution
	}
	members = members.With("RedriveCount", value.Int(int64(c.redriven)))
	if c.redriven == 0 {
		members = members.Without("RedriveTime")
	}
	return members.With("Id", value.String(c.arn())).With("Input", c.input).With("Name", value.String(c.name)).
		With("StartTime", value.String(FormatInstant(time.Unix(0, c.started))))
}

// stateMachine is the context object's member StateMachine, as execution is.
func (c *childExecution) stateMachine(base *contextParts) value.Value {
	if c == nil {
		return base.stateMachine
	}
	return value.ObjectOf(
		value.Member{Key: "Id", Value: value.String(c.machineARN())},
		value.Member{Key: "Name", Value: value.String(c.run.machine)},
	)
}

// withSource adds where an item came from to the context object's member Map.
func withSource(t *thread, item value.Value, index int) value.Value {
	if !t.state.def.Distributed() {
		return item
	}
	source := "STATE_DATA"
	if t.work != nil && t.state.def.ItemReader != nil {
		source = t.work.sources.Of(index)
	}
	more := value.ObjectOf(value.Member{Key: "Source", Value: value.String(source)})
	if t.work != nil && t.work.keyed {
		member := t.work.items.At(index).(*value.Object)
		more = more.With("Key", member.Get("Key"))
		item = mapItem(member.Get("Value"), index)
	}
	return MergeContext(item, value.ObjectOf(value.Member{Key: "Item", Value: more}))
}

// itemsOf returns the items of a Map state: an array, or for a distributed Map an object, whose members become {"Key", "Value"}.
func itemsOf(def *asl.State, found value.Value) (items *value.Array, ok bool) {
	object, keyed := found.(*value.Object)
	if !keyed || !def.Distributed() {
		items, ok = found.(*value.Array)
		return items, ok
	}
	list := make([]value.Value, 0, object.Len())
	for key, v := range object.All() {
		list = append(list, value.ObjectOf(value.Member{Key: "Key", Value: value.String(key)}, value.Member{Key: "Value", Value: v}))
	}
	return value.NewArray(list), true
}

// uuid makes a UUID (version 4 in form) of a text, so that a run can be repeated.
func uuid(text string) string {
	sum := sha256.Sum256([]byte(text))
	sum[6], sum[8] = sum[6]&0x0f|0x40, sum[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[0:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

// name names a Map Run. Its random part comes from the seed; a Map without a Label
// has one that depends on its place in the definition only.
func (d distributed) name() *mapRun {
	if d.redriven != nil && d.redriven.MapRun != nil {
		return mapRunOf(d.redriven.MapRun)
	}
	if d.e.base == nil {
		d.e.base = newContextParts(&d.e.evaluator)
	}
	prefix, machine := accountPrefix, defaultMachine
	if parts, ok := d.e.base.stateMachine.(*value.Object); ok {
		text, _ := parts.Get("Id").(value.String)
		if before, name, found := strings.Cut(string(text), "stateMachine:"); found {
			prefix, machine = before, name
		}
	}
	label := d.state.def.Label
	if label == "" {
		label = uuid("label " + d.state.def.Pointer)
	}
	d.e.lastMapRun++
	id := uuid(fmt.Sprintf("map run %d %d%s", d.e.options.Seed, d.e.lastMapRun, d.e.options.Tokens))
	machine += "/" + label
	return &mapRun{prefix: prefix, machine: machine, id: id, arn: prefix + "mapRun:" + machine + ":" + id}
}

// mapRunOf reads the name of a Map Run that is redriven.
func mapRunOf(again *MapRunDetail) *mapRun {
	prefix, name, _ := strings.Cut(again.Arn, "mapRun:")
	at := max(strings.LastIndexByte(name, ':'), 0)
	return &mapRun{prefix: prefix, machine: name[:at], id: strings.TrimPrefix(name[at:], ":"), arn: again.Arn, redriven: again.Redriven}
}

// evaluateBounds evaluates the bounds of a Map that has begun: on Step Functions a fault in one of them comes after
// MapStateStarted.
func (d distributed) evaluateBounds() {
	read, ok := process(d).readQuantities(laterLimits(d.state.def))
	if !ok {
		return
	}
	if read {
		d.e.emit(d.thread, &Event{Type: StageCompleted, Stage: StageLimits, Before: d.effective, After: d.effective})
	}
	d.phase = phaseSpawn
	if d.state.def.Distributed() && d.prepareReader() {
		d.phase = phaseMapRun
	}
}

// boundsLater reports whether a Map has something to evaluate once it has begun.
func boundsLater(def *asl.State) bool {
	for _, field := range laterLimits(def) {
		if field != nil && field.Literal == nil {
			return true
		}
	}
	return def.Distributed()
}

func (d distributed) start() {
	w := d.work
	w.run = d.name()
	w.total = w.length
	switch {
	case d.state.def.ItemReader != nil:
		d.phase = phaseReadItems
	default:
		d.phase = d.afterItems()
	}
	d.e.emit(d.thread, &Event{Type: MapRunStarted, Stage: StageResult, Detail: &MapRunDetail{Arn: w.run.arn, Redriven: w.run.redriven}})
}

// afterItems returns the phase that follows when the items are there.
func (d distributed) afterItems() phase {
	switch {
	case d.state.def.ItemBatcher == nil:
		return phaseSpawn
	case d.state.def.ItemSelector == nil:
		return phaseBatch
	}
	return phaseSelectItem
}

// setApart makes a thread a separate execution: it has its own history and context, and does not see the variables of
// the state that started it. again is where a redrive lets it continue, nil where it begins.
func (e *Execution) setApart(child *thread, run *mapRun, index int, again *Resumption) {
	child.apart = true
	child.variables = outermost
	own := &childExecution{
		run: run, name: fmt.Sprintf("execution %s %d", run.id, index), started: e.now,
		express: child.parent.state.def.ProcessorConfig.ExecutionType == asl.TypeExpress,
	}
	if again != nil { // the same execution continues
		own.started, own.redriven, child.history = again.Started, again.Redriven, again.History
	} else if run.redriven > 0 {
		own.name += fmt.Sprintf(" redriven %d", run.redriven)
	}
	own.name, own.input, child.child = uuid(own.name), child.raw, own
	if own.express {
		child.deadline = Later(e.now, ExpressTime)
		e.set(child, child.deadline, TimerChildTimeout)
	}
}

// noteEnd stores the end of an execution, where the Map has a ResultWriter.
func (e *Execution) noteEnd(child *thread, failure *Failure) {
	parent := child.parent
	if parent.work.run == nil || parent.state.def.ResultWriter == nil {
		return
	}
	end := childEnd{child: child.child, failure: failure, stopped: e.now}
	if failure == nil {
		end.output = child.data
	}
	parent.work.ended[child.index] = end
}

// lostTooMany notes that an execution of a Map Run failed, and reports whether that is one too many. Items
// are counted, not executions: all items of a batch fail with it. An execution can fail with any error.
func (d distributed) lostTooMany(index int) bool {
	w := d.work
	if w.sizes != nil {
		w.lost += w.sizes[index]
	} else {
		w.lost++
	}
	// A bound of 0 counts as none, as measured; of two, exceeding either is too much.
	count, percentage := d.limits.failureCount, d.limits.failurePercentage
	return count == 0 && percentage == 0 || count > 0 && w.lost > count ||
		percentage > 0 && 100*float64(w.lost)/float64(w.total) > percentage
}

// failedResult is the result of an execution whose failure is tolerated, in its place among the others.
func failedResult(failure *Failure) value.Value {
	result := value.ObjectOf(value.Member{Key: "Status", Value: value.String("FAILED")})
	for key, text := range failure.ErrorOutput().All() {
		if text != value.String("") {
			result = result.With(key, text)
		}
	}
	return result
}

// end ends a Map Run whose executions are over: the results, after ResultWriter, become the result of the state.
// It reports false when that failed.
func (d distributed) end(results *value.Array) bool {
	d.result = results
	if d.state.def.ResultWriter != nil {
		written, ok := d.writeResults(results)
		if !ok {
			return false
		}
		d.result = written
	}
	d.e.emit(d.thread, &Event{Type: MapRunSucceeded, Stage: StageResult, After: results})
	return true
}

// fail ends a Map Run for a fault of the Map's own. before is the data that the failed stage read.
func (d distributed) fail(stage Stage, before value.Value, failure *Failure) {
	if failure.Name == ErrorRuntime && d.e.machine.dialect.Does(rules.WritesServiceCauses) {
		failure.addPreface(d.visit)
	}
	d.e.emit(d.thread, &Event{Type: MapRunFailed, Stage: stage, Before: before, Detail: failure})
	d.work, d.closing = nil, true
	d.e.workFailed(d.thread, MapFailed, failure)
}

// keepHistory lets an execution fail whose history has no more than one event left: event number bound is the failure
// (floci-io/floci#2734). Events of the same step beyond it are not in the history.
func (e *Execution) keepHistory(t *thread, bound int) {
	apart := t
	for apart != nil && !apart.apart {
		apart = apart.parent
	}
	if *e.historyOf(t) < bound-1 || (apart != nil && (apart.dead || apart.child.express)) {
		return
	}
	failure := &Failure{
		Name: ErrorRuntime, Origin: t.visit,
		Cause: fmt.Sprintf("The execution reached the maximum number of history events (%d).", bound),
	}
	if apart == nil {
		e.history = bound - 1
		e.finish(Failed, failure)
		return
	}
	e.endApart(apart, failure, bound-1)
}

// endApart ends an execution of a Map Run by an error that nothing in it can catch, after so many events of its history.
func (e *Execution) endApart(apart *thread, failure *Failure, history int) {
	container{e, apart}.abortChildren()
	if apart.phase != phaseEnter { // between two states none has failed
		e.emit(apart, &Event{Type: StateFailed, Before: apart.raw, Detail: failure})
	}
	apart.history = history
	e.childFailed(apart, failure)
}
