package engine

import (
	"fmt"

	"asldb/engine/asl"
	"asldb/engine/value"
)

// inlineConcurrency is how many iterations of an inline Map state Step Functions runs at a time.
const inlineConcurrency = 40

// selectItems finds the array of a Map state (section "Map State").
func (e *Execution) selectItems(t *thread) {
	before := t.effective
	found := before
	text := "$"
	if field := t.state.def.ItemsPath; field != nil && !field.Null {
		text = field.Path.String()
		roots := e.rootsFor(t, before, t.state.contextual.paths)
		found = field.Path.Find(roots)
		if e.evaluated(); found == nil {
			_, err := field.Path.Get(roots)
			e.evaluated()
			e.stageFailed(t, StageItemsPath, before, e.pathFailure(t, "ItemsPath", field.Path, err))
			return
		}
	}
	items, ok := found.(*value.Array)
	if !ok {
		e.stageFailed(t, StageItemsPath, before, &Failure{
			Name: ErrorRuntime, Origin: t.visit, Field: "ItemsPath",
			Cause: fmt.Sprintf("Reference path %q must point to array.", referenceText(text)),
		})
		return
	}
	e.stageDone(t, StageItemsPath, before, items)
}

// referenceText prints a path of the context object as Step Functions does: with one $.
func referenceText(text string) string {
	if len(text) > 1 && text[:2] == contextMark {
		return text[1:]
	}
	return text
}

// beginContainer begins the branches of a Parallel state or the iterations of a Map state.
func (e *Execution) beginContainer(t *thread) {
	def := t.state.def
	t.payload = t.data
	t.work = &work{}
	event := ParallelStarted
	if def.Type == asl.Map {
		event = MapStarted
		t.work.items = noItems
		if def.ItemReader == nil {
			t.work.items, _ = t.data.(*value.Array)
		}
		t.work.length = t.work.items.Len()
		e.setMapLimits(t)
	} else {
		t.work.length = len(t.state.branches)
		t.limits.concurrency = 0
	}
	t.work.results = make([]value.Value, t.work.length)
	t.phase = phaseSpawn
	if def.Type == asl.Map && boundsLater(def) {
		t.phase = phaseMapBounds
	}
	if e.options.Quiet {
		e.emit(t, Event{Type: event})
		return
	}
	e.emit(t, Event{
		Type: event, Stage: StageResult, Before: t.payload,
		Detail: &StartDetail{Length: t.work.length, MaxConcurrency: t.limits.concurrency},
	})
}

func (e *Execution) setMapLimits(t *thread) {
	def, bound := t.state.def, &t.limits
	if field := def.MaxConcurrency; field != nil && field.Literal != nil {
		bound.concurrency = int(literalSeconds(field))
	}
	most := inlineConcurrency
	if def.Distributed() {
		most = distributedConcurrency
	}
	if e.machine.dialect == AWS && (bound.concurrency == 0 || bound.concurrency > most) {
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
func (e *Execution) spawn(t *thread) {
	w := t.work
	if w.run != nil && w.ended == nil && t.state.def.ResultWriter != nil {
		w.ended = make([]childEnd, w.length)
	}
	for w.begun < w.length && (t.limits.concurrency == 0 || w.live < t.limits.concurrency) {
		if !e.spawnOne(t, w.begun) {
			return
		}
		w.begun++
		w.live++
	}
	if w.live > 0 {
		t.block = onChildren
		return
	}
	e.childrenDone(t)
}

// spawnOne begins branch or iteration number index. It reports false when the ItemSelector failed.
func (e *Execution) spawnOne(t *thread, index int) bool {
	w := t.work
	scope, input, event := t.state.branches[0], t.payload, BranchStarted
	switch {
	case w.items == nil:
		scope = t.state.branches[index]
	case w.batches != nil:
		event, input = IterationStarted, w.batches.At(index)
	default:
		event, input = IterationStarted, w.items.At(index)
		if field := t.state.def.ItemSelector; field != nil {
			selected, ok := e.selectItem(t, field, input, index)
			if !ok {
				return false
			}
			input = selected
		}
	}
	e.lastThread++
	child := &thread{
		id: e.lastThread, index: index, parent: t, scope: scope, state: scope.start, raw: input,
		visits: make([]int32, len(scope.states)), rule: -1,
		variables: &frame{outer: t.variables, values: noVariables}, child: t.child,
	}
	if w.run != nil {
		e.setApart(child, w.run, index)
	}
	e.threads = append(e.threads, child)
	e.queue.push(child)
	if e.options.Quiet {
		e.emit(child, Event{Type: event})
		return true
	}
	e.emit(child, Event{
		Type: event, Visit: t.visit, After: input,
		Detail: &ThreadDetail{Thread: child.id, Index: index},
	})
	return true
}

var (
	noVariables = value.ObjectOf()
	noItems     = value.ArrayOf()
)

// selectItem runs ItemSelector for one item: $ is the effective input, $$.Map.Item the item.
func (e *Execution) selectItem(t *thread, field *asl.TemplateField, item value.Value, index int) (value.Value, bool) {
	selected, failure := e.evalSelector(t, field, item, index)
	if failure != nil {
		e.abortChildren(t)
		if t.work != nil && t.work.run != nil {
			e.failMapRun(t, StageParameters, t.effective, failure)
			return nil, false
		}
		e.stageFailed(t, StageParameters, t.effective, failure)
		return nil, false
	}
	e.emit(t, Event{
		Type: StageCompleted, Stage: StageParameters, Before: item, After: selected,
	})
	return selected, true
}

func (e *Execution) evalSelector(t *thread, field *asl.TemplateField, item value.Value, index int) (value.Value, *Failure) {
	if field.Query != nil {
		return e.evalQuery(t, field.Query, item, index)
	}
	e.roots.Data, e.roots.Context = t.effective, nil
	if t.state.contextual.parameters {
		e.roots.Context = e.context(t, item, index)
	}
	selected, err := field.Template.Eval(&e.roots, &e.random)
	e.evaluated()
	if err != nil {
		return nil, e.templateFailure(t, "ItemSelector", t.effective, err)
	}
	return selected, nil
}

// childEnded is called when a branch or iteration of t has come to its end.
func (e *Execution) childEnded(t *thread) {
	t.work.live--
	switch {
	case t.work.begun < t.work.length:
		e.resume(t, phaseSpawn)
	case t.work.live == 0:
		e.resume(t, phaseChildrenDone)
	}
}

// childrenDone gathers the results in the order of branches or items.
func (e *Execution) childrenDone(t *thread) {
	w := t.work
	event := ParallelSucceeded
	if w.items != nil {
		event = MapSucceeded
	}
	results := w.results
	if w.failed > 0 {
		results = make([]value.Value, 0, len(w.results))
		for _, result := range w.results {
			if result != nil {
				results = append(results, result)
			}
		}
	}
	t.result = value.NewArray(results)
	before := t.payload
	if w.run != nil && !e.endMapRun(t, value.NewArray(results)) {
		return
	}
	t.data, t.work, t.phase = t.result, nil, phaseStage
	e.emit(t, Event{Type: event, Stage: StageResult, Before: before, After: t.result})
}

// childFailed is called when a branch or iteration ends with an error that nothing in it caught.
func (e *Execution) childFailed(child *thread, failure *Failure) {
	parent := child.parent
	e.kill(child)
	event := Event{Type: BranchFailed, Visit: parent.visit, Detail: failure}
	if parent.work.run != nil {
		event.Type = IterationFailed
		e.emit(child, event)
		e.noteEnd(child, failure)
		if !e.lostTooMany(parent, child.index) {
			parent.work.failed++
			e.childEnded(parent)
			return
		}
		failure = thresholdExceeded(parent)
	} else if parent.work.items != nil {
		event.Type = IterationFailed
		e.emit(child, event)
		if e.tolerates(parent, failure) {
			parent.work.failed++
			e.childEnded(parent)
			return
		}
		if parent.limits.tolerant() && failure.catchable() {
			failure = thresholdExceeded(parent)
		}
	} else {
		e.emit(child, event)
		if e.machine.dialect == Spec && failure.catchable() {
			failure = &Failure{Name: ErrorBranchFailed, Cause: failure.Error(), Origin: failure.Origin, Err: failure}
		}
	}
	e.abortChildren(parent)
	parent.failure = failure
	e.resume(parent, phaseContainerFail)
}

func thresholdExceeded(t *thread) *Failure {
	return &Failure{
		Name: ErrorToleratedFailure, Cause: "The specified tolerated failure threshold was exceeded", Origin: t.visit,
	}
}

func (l *limits) tolerant() bool { return l.failureCount > 0 || l.failurePercentage > 0 }

// tolerates reports whether a Map state goes on after one more failed iteration.
func (e *Execution) tolerates(t *thread, failure *Failure) bool {
	bound := &t.limits
	if !bound.tolerant() || !failure.catchable() {
		return false
	}
	// Of two bounds either one trips, also a bound of 0 (section "Map State").
	def, failed := t.state.def, t.work.failed+1
	if def.ToleratedFailureCount != nil && failed > bound.failureCount {
		return false
	}
	return def.ToleratedFailurePercentage == nil || 100*float64(failed)/float64(t.work.length) <= bound.failurePercentage
}

// abortChildren stops every thread below t.
func (e *Execution) abortChildren(t *thread) {
	var aborted []*thread
	for _, child := range e.threads {
		if !child.dead && child.below(t) {
			aborted = append(aborted, child)
		}
	}
	for _, child := range aborted {
		event := Event{Type: BranchAborted, Visit: child.parent.visit}
		if child.parent.work != nil && child.parent.work.items != nil {
			event.Type = IterationAborted
		}
		if !e.options.Quiet {
			detail := &ThreadDetail{Thread: child.id, Index: child.index}
			if child.phase != phaseEnter {
				detail.Visit = child.visit
			}
			event.Detail = detail
		}
		e.emit(child, event)
		e.kill(child)
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

func (e *Execution) containerFailed(t *thread) {
	if t.work != nil && t.work.run != nil {
		e.failMapRun(t, StageResult, t.payload, t.failure)
		return
	}
	event := ParallelFailed
	if t.work != nil && t.work.items != nil {
		event = MapFailed
	}
	t.work, t.closing = nil, true
	e.workFailed(t, event, t.failure)
}
