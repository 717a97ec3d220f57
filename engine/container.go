package engine

import (
	"fmt"

	"asldb/engine/asl"
	"asldb/engine/rules"
	"asldb/engine/value"
)

// inlineConcurrency is how many iterations of an inline Map state Step Functions runs at a time.
const inlineConcurrency = 40

// selectItems finds the array of a Map state (section "Map State").
func (p process) selectItems() {
	before := p.effective
	found := before
	text := "$"
	if field := p.state.def.ItemsPath; field != nil && !field.Null {
		text = field.Path.String()
		roots := p.e.rootsFor(p.thread, before, p.state.contextual(StageItemsPath))
		found = field.Path.Find(roots)
		if p.e.evaluated(); found == nil {
			_, err := field.Path.Get(roots)
			p.e.evaluated()
			p.e.stageFailed(p.thread, StageItemsPath, before, p.e.pathFailure(p.thread, "ItemsPath", field.Path, err))
			return
		}
	}
	items, ok := itemsOf(p.state.def, found)
	if !ok {
		p.e.stageFailed(p.thread, StageItemsPath, before, &Failure{
			Name: ErrorRuntime, Origin: p.visit, Field: "ItemsPath",
			Cause: fmt.Sprintf("Reference path %q must point to array.", referenceText(text)),
		})
		return
	}
	_, p.keyed = found.(*value.Object)
	p.e.stageDone(p.thread, StageItemsPath, before, items)
}

// referenceText prints a path of the context object as Step Functions does: with one $.
func referenceText(text string) string {
	if len(text) > 1 && text[:2] == "$$" {
		return text[1:]
	}
	return text
}

// container does the work of a Parallel or Map state: it begins branches or iterations and gathers their results.
type container struct {
	e *Execution
	*thread
}

// begin begins the branches of a Parallel state or the iterations of a Map state.
func (c container) begin() {
	def := c.state.def
	if failure := misplaced(c.visit); failure != nil {
		c.e.stageFailed(c.thread, StageResult, c.data, failure)
		return
	}
	c.payload = c.data
	c.work = &work{}
	event := ParallelStarted
	if def.Type == asl.Map {
		event = MapStarted
		c.work.items = noItems
		if def.ItemReader == nil {
			c.work.items, _ = c.data.(*value.Array)
			c.work.keyed = c.keyed
		}
		c.work.length = c.work.items.Len()
		c.setLimits()
	} else {
		c.work.length = len(c.state.branches)
		c.limits.concurrency = 0
	}
	c.work.results = newResults(c.work.length)
	c.phase = phaseSpawn
	if def.Type == asl.Map && boundsLater(def) {
		c.phase = phaseMapBounds
	}
	if c.e.options.Quiet {
		c.e.emit(c.thread, &Event{Type: event})
		return
	}
	c.e.emit(c.thread, &Event{
		Type: event, Stage: StageResult, Before: c.payload,
		Detail: &StartDetail{Length: c.work.length, Done: c.done(), MaxConcurrency: c.limits.concurrency},
	})
}

// done returns the number of branches or iterations that a redrive does not run again.
func (c container) done() int {
	if c.redriven == nil {
		return 0
	}
	return len(c.redriven.Kept)
}

func (c container) setLimits() {
	def, bound := c.state.def, &c.limits
	if field := def.MaxConcurrency; field != nil && field.Literal != nil {
		bound.concurrency = int(literalSeconds(field))
	}
	most := inlineConcurrency
	if def.Distributed() {
		most = distributedConcurrency
	}
	if c.e.machine.dialect.Does(rules.RunsFortyIterations) && (bound.concurrency == 0 || bound.concurrency > most) {
		bound.concurrency = most
	}
	bound.distributed.take(def)
	if field := def.ToleratedFailureCount; field != nil && field.Literal != nil {
		bound.failureCount = int(literalSeconds(field))
	}
	if field := def.ToleratedFailurePercentage; field != nil && field.Literal != nil {
		bound.failurePercentage = literalSeconds(field)
	}
}

// spawn begins as many branches or iterations as may run, and lets the container wait for them.
func (c container) spawn() {
	w := c.work
	if w.run != nil && w.ended == nil && c.state.def.ResultWriter != nil {
		w.ended = make([]childEnd, w.length)
	}
	for c.startable() > 0 {
		if kept := c.kept(w.begun); kept != nil {
			w.results.set(w.begun, kept)
			w.begun++
			continue
		}
		if !c.spawnOne(w.begun) {
			return
		}
		w.begun++
		w.live++
	}
	if w.live > 0 {
		c.block = onChildren
		return
	}
	c.childrenDone()
}

// threadDetail returns the detail of a branch or iteration.
func (j *journal) threadDetail(t *thread) *ThreadDetail {
	detail := j.details().begun.next()
	detail.Thread, detail.Index = t.id, t.index
	return detail
}

// startable returns how many branches or iterations may begin now.
func (c container) startable() int {
	left := c.work.length - c.work.begun
	if c.limits.concurrency > 0 {
		left = min(left, c.limits.concurrency-c.work.live)
	}
	return left
}

// spawnOne begins branch or iteration number index. It reports false when the ItemSelector failed.
func (c container) spawnOne(index int) bool {
	w := c.work
	scope, input, event := c.state.branches[0], c.payload, BranchStarted
	switch {
	case w.items == nil:
		scope = c.state.branches[index]
	case w.batches != nil:
		event, input = IterationStarted, w.batches.At(index)
	default:
		event, input = IterationStarted, w.items.At(index)
		if field := c.state.def.ItemSelector; field != nil {
			selected, ok := c.selectItem(field, input, index)
			if !ok {
				return false
			}
			input = selected
		}
	}
	if w.variables == nil {
		w.variables = &frame{outer: c.variables, values: noVariables}
	}
	child := c.e.newThread(scope, c.startable())
	child.index, child.parent, child.raw, child.variables, child.child = index, c.thread, input, w.variables, c.child
	var again *Resumption
	if c.redriven != nil {
		again = c.redriven.Below[index]
	}
	if w.run != nil {
		c.e.setApart(child, w.run, index, again)
	}
	if again != nil {
		child.resume(again)
	}
	c.e.begin(child)
	if c.e.options.Quiet {
		c.e.emit(child, &Event{Type: event})
		return true
	}
	c.e.emit(child, &Event{Type: event, Visit: c.visit, After: input, Detail: c.e.threadDetail(child)})
	return true
}

var (
	noVariables = value.ObjectOf()
	noItems     = value.ArrayOf()
	// outermost is the frame with which an execution begins. A frame never changes.
	outermost = &frame{values: noVariables}
)

// selectItem runs ItemSelector for one item: $ is the effective input, $$.Map.Item the item.
func (c container) selectItem(field *asl.TemplateField, item value.Value, index int) (value.Value, bool) {
	selected, failure := c.e.evalSelector(c.thread, field, item, index)
	if failure != nil {
		c.abortChildren()
		if c.work != nil && c.work.run != nil {
			distributed(c).fail(StageParameters, c.effective, failure)
			return nil, false
		}
		c.e.stageFailed(c.thread, StageParameters, c.effective, failure)
		return nil, false
	}
	c.e.emit(c.thread, &Event{Type: StageCompleted, Stage: StageParameters, Before: item, After: selected})
	return selected, true
}

// childEnded is called when a branch or iteration has come to its end.
func (c container) childEnded() {
	c.work.live--
	switch {
	case c.work.begun < c.work.length:
		c.e.resume(c.thread, phaseSpawn)
	case c.work.live == 0:
		c.e.resume(c.thread, phaseChildrenDone)
	}
}

// childrenDone gathers the results in the order of branches or items.
func (c container) childrenDone() {
	w := c.work
	event := ParallelSucceeded
	if w.items != nil {
		event = MapSucceeded
	}
	results := w.results.array()
	c.result = results
	before := c.payload
	if w.run != nil && !distributed(c).end(results) {
		return
	}
	c.data, c.work, c.phase = c.result, nil, phaseStage
	c.e.emit(c.thread, &Event{Type: event, Stage: StageResult, Before: before, After: c.result})
}

// childFailed is called when a branch or iteration ends with an error that nothing in it caught.
func (e *Execution) childFailed(child *thread, failure *Failure) {
	parent := child.parent
	e.kill(child)
	event := Event{Type: BranchFailed, Visit: parent.visit, Detail: failure}
	if parent.work.run != nil {
		event.Type = IterationFailed
		e.emit(child, &event)
		e.noteEnd(child, failure)
		if !(distributed{e, parent}).lostTooMany(child.index) {
			parent.work.failed++
			parent.work.results.set(child.index, failedResult(failure))
			container{e, parent}.childEnded()
			return
		}
		failure = thresholdExceeded(parent)
	} else if parent.work.items != nil {
		event.Type = IterationFailed
		e.emit(child, &event)
		if (container{e, parent}).tolerates(failure) {
			parent.work.failed++
			container{e, parent}.childEnded()
			return
		}
		if parent.limits.tolerant() && failure.catchable() {
			failure = thresholdExceeded(parent)
		}
	} else {
		e.emit(child, &event)
		if e.machine.dialect.Does(rules.NamesBranchFailed) && failure.catchable() {
			failure = &Failure{
				Name: ErrorBranchFailed, Cause: failure.Error(), Origin: failure.Origin, Err: failure, other: failure,
			}
		}
	}
	parent.failure = failure
	container{e, parent}.abortChildren()
	e.resume(parent, phaseContainerFail)
}

func thresholdExceeded(t *thread) *Failure {
	return &Failure{
		Name: ErrorToleratedFailure, Cause: "The specified tolerated failure threshold was exceeded", Origin: t.visit,
	}
}

func (l *limits) tolerant() bool { return l.failureCount > 0 || l.failurePercentage > 0 }

// tolerates reports whether a Map state continues after one more failed iteration.
func (c container) tolerates(failure *Failure) bool {
	bound := &c.limits
	if !bound.tolerant() || !failure.catchable() {
		return false
	}
	// Of two bounds either one trips, also a bound of 0 (section "Map State").
	def, failed := c.state.def, c.work.failed+1
	if def.ToleratedFailureCount != nil && failed > bound.failureCount {
		return false
	}
	return def.ToleratedFailurePercentage == nil || 100*float64(failed)/float64(c.work.length) <= bound.failurePercentage
}

// abortChildren stops the branches or iterations, with all that are below them.
func (c container) abortChildren() {
	var aborted []*thread
	for _, child := range c.e.threads {
		if !child.dead && child.below(c.thread) {
			aborted = append(aborted, child)
		}
	}
	for _, child := range aborted {
		event := Event{Type: BranchAborted, Visit: child.parent.visit}
		if child.parent.work != nil && child.parent.work.items != nil {
			event.Type = IterationAborted
		}
		if !c.e.options.Quiet {
			detail := c.e.threadDetail(child)
			if child.phase != phaseEnter {
				detail.Visit = child.visit
			}
			event.Detail = detail
		}
		c.e.emit(child, &event)
		c.e.kill(child)
	}
}

func (t *thread) below(ancestor *thread) bool {
	for p := t.parent; p != nil; p = p.parent {
		if p == ancestor {
			return true
		}
	}
	return false
}

func (c container) fail() {
	if c.work != nil && c.work.run != nil {
		distributed(c).fail(StageResult, c.payload, c.failure)
		return
	}
	event := ParallelFailed
	if c.work != nil && c.work.items != nil {
		event = MapFailed
	}
	c.work, c.closing = nil, true
	c.e.workFailed(c.thread, event, c.failure)
}
