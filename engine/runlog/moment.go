package runlog

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/value"
)

// Moment is the state of a run at a position, as it follows from the events and the inputs between them: its status, threads,
// requests, timers and time. They equal the execution's own.
type Moment struct {
	events, effects int // how many are in it
	now             int64
	status          engine.Status
	expired         bool // the machine's TimeoutSeconds are over
	ahead           bool // the clock has moved since the newest event and effect
	threads         map[engine.ThreadID]*thread
	timers          timers
	timeout         time.Duration // the machine's TimeoutSeconds; 0: it has none
	order           int64         // of timers
	sweepAt         int
	open            int // requests, and requests for objects, without an answer
	running         int // threads that wait for nothing
}

// thread is a live thread.
type thread struct {
	info engine.ThreadInfo
	turn int32
	// request is the newest one of the state's work; open is set while it has no answer.
	request *engine.TaskRequest
	open    bool
	object  bool // a request for an object has no answer

	// The times of the outcome of the task, where it is known.
	answered     bool
	delay, every time.Duration

	beats, beatDue int64 // as in the engine
	beating        bool  // a heartbeat of the task is due
	byHand         bool  // the next TaskHeartbeat is by hand

	isMap               bool // the work is a Map's
	length, begun, live int  // of branches or iterations
}

func newMoment(log *Log) *Moment {
	m := &Moment{now: log.started, threads: map[engine.ThreadID]*thread{0: {}}, running: 1}
	if log.deadline != 0 {
		m.timeout = time.Duration(log.deadline - log.started)
		m.timers.Push(timer{due: log.deadline, kind: engine.TimerExecutionTimeout})
	}
	return m
}

func (m *Moment) clone() *Moment {
	c := *m
	c.timers = slices.Clone(m.timers)
	c.threads = maps.Clone(m.threads)
	for id, t := range c.threads {
		twin := *t
		c.threads[id] = &twin
	}
	return &c
}

// Status returns what the execution needs to continue, or its end.
func (m *Moment) Status() engine.Status {
	switch {
	case m.status.Done():
		return m.status
	case m.events == 0 || m.expired || m.running > 0:
		return engine.Runnable
	case m.open > 0:
		return engine.AwaitingAnswer
	}
	return engine.AwaitingTime
}

// Now returns the virtual time, in UTC.
func (m *Moment) Now() time.Time { return time.Unix(0, m.now).UTC() }

// Threads returns the live threads by id.
func (m *Moment) Threads() []engine.ThreadInfo {
	infos := make([]engine.ThreadInfo, 0, len(m.threads))
	for _, t := range m.threads {
		infos = append(infos, t.info)
	}
	slices.SortFunc(infos, func(a, b engine.ThreadInfo) int { return cmp.Compare(a.ID, b.ID) })
	return infos
}

// HasThread reports whether a thread is live.
func (m *Moment) HasThread(id engine.ThreadID) bool { return m.threads[id] != nil }

// Requests returns the requests for outcomes that have no answer, in the order in which they were made.
func (m *Moment) Requests() []*engine.TaskRequest {
	var requests []*engine.TaskRequest
	if m.open == 0 {
		return nil
	}
	for _, t := range m.threads {
		if t.open {
			requests = append(requests, t.request)
		}
	}
	slices.SortFunc(requests, func(a, b *engine.TaskRequest) int { return cmp.Compare(a.ID, b.ID) })
	return requests
}

// Timers returns the pending timers, the earliest first.
func (m *Moment) Timers() []engine.Timer {
	var live timers
	for i := range m.timers {
		if m.alive(&m.timers[i]) {
			live = append(live, m.timers[i])
		}
	}
	slices.SortFunc(live, func(a, b timer) int {
		if a.Before(&b) {
			return -1
		}
		return 1
	})
	list := make([]engine.Timer, len(live))
	for i, t := range live {
		list[i] = engine.Timer{At: time.Unix(0, t.due).UTC(), Kind: t.kind}
		if t.kind != engine.TimerExecutionTimeout {
			list[i].Visit = m.threads[t.thread].info.Visit
		}
	}
	return list
}

// NextTimer returns the time of the earliest pending timer; ok is false when there is none.
func (m *Moment) NextTimer() (at time.Time, ok bool) {
	m.dropDead()
	if len(m.timers) == 0 {
		return time.Time{}, false
	}
	return time.Unix(0, m.timers[0].due).UTC(), true
}

func (m *Moment) alive(t *timer) bool {
	if t.kind == engine.TimerExecutionTimeout {
		return true
	}
	thread := m.threads[t.thread]
	if thread == nil || thread.turn != t.turn && t.kind != engine.TimerChildTimeout {
		return false
	}
	// A heartbeat has come since this heartbeat timeout was set.
	return t.kind != engine.TimerHeartbeatTimeout || t.due >= engine.Later(thread.beats, thread.request.Heartbeat)
}

func (m *Moment) dropDead() {
	for len(m.timers) > 0 && !m.alive(&m.timers[0]) {
		m.timers.Pop()
	}
}

// fewTimers is how many timers are not worth a sweep.
const fewTimers = 64

func (m *Moment) setTimer(t *thread, due int64, kind engine.TimerKind) {
	if len(m.timers) >= m.sweepAt {
		var live timers
		for i := range m.timers {
			if m.alive(&m.timers[i]) {
				live.Push(m.timers[i])
			}
		}
		m.timers, m.sweepAt = live, max(fewTimers, 2*len(live))
	}
	m.order++
	m.timers.Push(timer{due: due, order: m.order, thread: t.info.ID, turn: t.turn, kind: kind})
}

// block sets the reason for which a thread waits.
func (m *Moment) block(t *thread, on engine.Block) {
	if t.info.Blocked == engine.NotBlocked {
		m.running--
	}
	if t.info.Blocked = on; on == engine.NotBlocked {
		m.running++
	}
}

// resume lets a thread continue. Its timers are dead from now on.
func (m *Moment) resume(t *thread) {
	m.close(t)
	m.block(t, engine.NotBlocked)
	t.turn++
	t.beating = false
}

// close takes back the requests of a thread.
func (m *Moment) close(t *thread) {
	if t.open {
		m.open--
		t.open = false
	}
	if t.object {
		m.open--
		t.object = false
	}
}

// end removes a thread.
func (m *Moment) end(id engine.ThreadID) {
	t := m.threads[id]
	if t == nil {
		return
	}
	m.close(t)
	if t.info.Blocked == engine.NotBlocked {
		m.running--
	}
	delete(m.threads, id)
}

// advance moves the clock and fires the timers that are due.
func (m *Moment) advance(to int64) {
	if to <= m.now {
		return
	}
	m.now = to
	for {
		if m.dropDead(); len(m.timers) == 0 || m.timers[0].due > to {
			return
		}
		due := m.timers.Pop()
		if due.kind == engine.TimerExecutionTimeout {
			m.expired = true
			continue
		}
		t := m.threads[due.thread]
		if due.kind == engine.TimerTaskHeartbeat { // the task continues after it
			m.block(t, engine.NotBlocked)
			t.beating, t.beats = true, m.now
			continue
		}
		m.resume(t)
	}
}

// apply takes in the effect of an input.
func (m *Moment) apply(e *effect) {
	m.effects++
	m.advance(e.now)
	t := m.threads[e.thread]
	if t == nil {
		return
	}
	switch e.kind {
	case EffectNone:
	case EffectOutcome:
		m.close(t)
		t.answered, t.delay, t.every = true, e.delay, e.every
		if e.submits {
			m.block(t, engine.NotBlocked)
			return
		}
		m.awaitOutcome(t)
	case EffectObject, EffectTimeout:
		m.resume(t)
	case EffectMapRun:
		if e.delay > 0 {
			m.block(t, engine.OnTime)
			m.setTimer(t, engine.Later(m.now, e.delay), engine.TimerMapRun)
		}
	case EffectHeartbeat:
		t.byHand = true
	}
}

// awaitOutcome lets a task take the time that its outcome says.
func (m *Moment) awaitOutcome(t *thread) {
	if t.delay == 0 {
		m.resume(t)
		return
	}
	m.block(t, engine.OnTime)
	m.setTimer(t, engine.Later(m.now, t.delay), engine.TimerTask)
	m.nextHeartbeat(t)
}

func (m *Moment) nextHeartbeat(t *thread) {
	if t.every > 0 {
		m.setTimer(t, engine.Later(m.now, t.every), engine.TimerTaskHeartbeat)
	}
}

// expectHeartbeat restarts HeartbeatSeconds.
func (m *Moment) expectHeartbeat(t *thread) {
	if t.request == nil || t.request.Heartbeat <= 0 {
		return
	}
	if due := engine.Later(m.now, t.request.Heartbeat); due != t.beatDue {
		t.beatDue = due
		m.setTimer(t, due, engine.TimerHeartbeatTimeout)
	}
}

// add takes in an event.
func (m *Moment) add(event *engine.Event) {
	m.events++
	m.advance(event.Time)
	switch traits := event.Type.Traits(); {
	case traits.Scope == engine.OfExecution:
		if traits.Ends.Done() {
			m.finish(traits.Ends)
		}
		if event.Type == engine.ExecutionRedriven {
			m.redrive()
		}
		return
	case traits.Scope == engine.OfThread && traits.Opens:
		m.begin(event)
		return
	case traits.Scope == engine.OfThread:
		m.childEnded(event)
		return
	}
	if t := m.threads[event.Thread]; t != nil {
		m.addTo(t, event)
	}
}

// finish ends the execution. After an error nothing is left of it.
func (m *Moment) finish(status engine.Status) {
	if m.status = status; status != engine.Succeeded {
		m.threads, m.timers, m.open, m.running = nil, nil, 0, 0
	}
}

// redrive lets an execution that is over continue.
func (m *Moment) redrive() {
	m.status, m.expired = engine.Runnable, false
	m.threads, m.running, m.open = map[engine.ThreadID]*thread{0: {}}, 1, 0
	m.timers = nil
	if m.timeout > 0 {
		m.timers.Push(timer{due: engine.Later(m.now, m.timeout), kind: engine.TimerExecutionTimeout})
	}
}

// begin adds the thread of a branch or an iteration.
func (m *Moment) begin(event *engine.Event) {
	t := &thread{info: engine.ThreadInfo{ID: event.Thread}}
	if detail, ok := event.Detail.(*engine.ThreadDetail); ok {
		t.info.Index = detail.Index
	}
	if event.Visit != nil {
		t.info.Parent = event.Visit.Thread
	}
	m.threads[event.Thread] = t
	m.running++
	if event.Visit != nil && event.Visit.State.Distributed() && event.Visit.State.ProcessorConfig.ExecutionType == asl.TypeExpress {
		m.setTimer(t, engine.Later(event.Time, engine.ExpressTime), engine.TimerChildTimeout)
	}
	parent := m.threads[t.info.Parent]
	if parent == nil {
		return
	}
	parent.begun++
	parent.live++
	on := engine.OnBranches
	if parent.isMap {
		on = engine.OnIterations
	}
	m.block(parent, on)
}

// childEnded removes the thread of a branch or an iteration. The container continues with the next one, or when all are
// over.
func (m *Moment) childEnded(event *engine.Event) {
	t := m.threads[event.Thread]
	if t == nil {
		return
	}
	m.end(event.Thread)
	parent := m.threads[t.info.Parent]
	if parent == nil {
		return
	}
	if parent.live--; parent.begun < parent.length || parent.live <= 0 {
		m.resume(parent)
	}
}

// addTo takes in an event of a thread's own.
func (m *Moment) addTo(t *thread, event *engine.Event) {
	switch event.Type {
	case engine.StateEntered:
		m.resume(t)
		t.info.Visit = event.Visit
		t.request, t.answered = nil, false
	case engine.TaskScheduled:
		m.scheduled(t, event)
	case engine.TaskSubmitted:
		if t.answered {
			m.awaitOutcome(t)
		}
	case engine.TaskHeartbeat:
		m.heartbeat(t)
	case engine.WaitStarted:
		if detail, ok := event.Detail.(*engine.WaitDetail); ok {
			m.waitUntil(t, detail.Until, engine.TimerWait)
		}
	case engine.RetryScheduled:
		if detail, ok := event.Detail.(*engine.RetryDetail); ok {
			m.waitUntil(t, detail.Due, engine.TimerRetry)
		}
	case engine.ParallelStarted, engine.MapStarted:
		t.isMap, t.length, t.begun, t.live = event.Type == engine.MapStarted, 0, 0, 0
		if detail, ok := event.Detail.(*engine.StartDetail); ok {
			t.length = detail.Length - detail.Done
		}
	case engine.ObjectRequested:
		if !t.object {
			m.open++
		}
		t.object = true
		m.block(t, engine.OnAnswer)
	case engine.StageCompleted:
		if event.Stage == engine.StageItemReader || event.Stage == engine.StageItemBatcher {
			items, _ := event.After.(*value.Array)
			t.length = items.Len()
			m.resume(t)
		}
	default:
		if event.Type.Traits().Resumes {
			m.resume(t)
		}
	}
}

// scheduled begins the work of a task.
func (m *Moment) scheduled(t *thread, event *engine.Event) {
	request, ok := event.Detail.(*engine.TaskRequest)
	if !ok {
		return
	}
	if !t.open {
		m.open++
	}
	t.request, t.open, t.answered = request, true, false
	t.beats, t.beatDue = m.now, 0
	m.block(t, engine.OnAnswer)
	if request.Timeout > 0 {
		m.setTimer(t, engine.Later(m.now, request.Timeout), engine.TimerTaskTimeout)
	}
	m.expectHeartbeat(t)
}

// heartbeat takes in that a task is alive: as its outcome says, by hand, or as a history recorded it.
func (m *Moment) heartbeat(t *thread) {
	t.beats = m.now
	m.expectHeartbeat(t)
	if t.beating && !t.byHand {
		t.beating = false
		m.block(t, engine.OnTime)
		m.nextHeartbeat(t)
	}
	t.byHand = false
}

// waitUntil lets a thread wait for an instant.
func (m *Moment) waitUntil(t *thread, at time.Time, kind engine.TimerKind) {
	m.resume(t)
	if due := at.UnixNano(); due > m.now {
		m.block(t, engine.OnTime)
		m.setTimer(t, due, kind)
	}
}
