package figures

import (
	"strings"
	"time"

	"asldb/engine/value"
	"asldb/recorder/history"
)

// recording is one execution, as it was read.
type recording struct {
	file    string
	events  []history.Event
	arn     string
	express bool
	// flaw says why the recording is damaged; empty: it is not, as far as was seen. trace is set of one that was made of a trace: its ids
	// are made, too.
	flaw  string
	trace bool
}

// identity takes the name of the state machine and the region from an ARN.
func identity(arn string) (machine, region string) {
	parts := strings.Split(arn, ":")
	if len(parts) < 8 || parts[2] != "states" || parts[5] != "execution" && parts[5] != "express" {
		return "", ""
	}
	return parts[6], parts[3]
}

// counter adds the figures of one execution to the figures of its machine.
type counter struct {
	*Machine
	of      *recording
	run     *history.Run
	names   *naming
	options *Options
	order   uint64
	// own are the numbers of events of each thread, without the events of threads below.
	own     map[*history.Thread]int64
	largest int64
	threads int64
	entries int64
	retries int64
}

// at returns the place of an event, or with -1 the execution's.
func (c *counter) at(i int) Where {
	c.order++
	w := Where{File: c.of.file, Order: c.order}
	if i >= 0 {
		w.Event = c.of.events[i].ID
	}
	return w
}

// count returns the figures of one execution. order is its place among all, and is counted up for everything in it.
func count(of *recording, names *naming, o *Options, order uint64) (m *Machine, next uint64) {
	name, region := identity(of.arn)
	c := &counter{Machine: newMachine(name), of: of, run: history.Follow(of.events), names: names, options: o, order: order, own: make(map[*history.Thread]int64)}
	c.names.reset()
	c.Executions = 1
	if c.run.Redriven > 0 {
		c.Redriven = 1
	}
	for i := range c.run.Of {
		c.own[c.run.Of[i].Thread]++
		c.event(i)
	}
	c.thread(c.run.Root)
	c.mapStates(c.run.Root)
	c.ends(region)
	return c.Machine, c.order
}

// ends adds the outcome, the time and the units of the execution.
func (c *counter) ends(region string) {
	x := history.Execution{Events: c.of.events}
	start, end := x.Started(), x.End()
	status := "RUNNING"
	if end != nil {
		status = endNames[end.Kind().Phase]
		if name := end.Text("error"); name != "" {
			c.errors[name]++
		} else if end.Kind().Phase == history.TimedOut {
			c.errors["States.Timeout"]++
		}
	} else {
		c.Unfinished = append(c.Unfinished, Flaw{c.of.file, "the recording ends before the execution", c.at(-1).Order})
	}
	c.statuses[status]++
	if flaw := c.flaw(start); flaw != "" {
		c.Damaged = append(c.Damaged, Flaw{c.of.file, flaw, c.at(-1).Order})
	}
	u := c.usage(region)
	took := time.Duration(0)
	if start != nil && end != nil {
		took = time.Duration(max(end.Time-start.Time, 0))
		c.Time.add(int64(took), c.at(-1))
	}
	if !c.of.express {
		u.Transitions += c.entries + c.retries
		n := int64(len(c.of.events))
		c.Events.add(n, c.at(-1))
		if float64(n) > NearQuota*float64(EventQuota()) {
			c.NearEventsCount++
			c.NearEvents = append(c.NearEvents, Near{c.at(-1), n})
		}
		return
	}
	c.Express = 1
	u.Requests++
	if start == nil || end == nil {
		u.Unfinished++
		return
	}
	memory := c.options.Memory
	if memory == 0 {
		memory = estimatedMemory(c.names.size(), c.largest, c.threads)
	}
	u.Megabytes += billedMemory(memory) * billedTime(took).Milliseconds()
}

var endNames = map[history.Phase]string{
	history.Succeeded: "SUCCEEDED", history.Failed: "FAILED", history.TimedOut: "TIMED_OUT", history.Aborted: "ABORTED",
}

// flaw says why the recording is damaged; empty: it is not.
func (c *counter) flaw(start *history.Event) string {
	if c.of.flaw != "" {
		return c.of.flaw
	}
	last := c.of.events[len(c.of.events)-1].ID
	missing := last - int64(len(c.of.events))
	if c.of.trace {
		missing = 0
	}
	switch {
	case c.entries == 0 && c.of.express:
		return "it has no event of a state being entered: the level of the log is below ALL"
	case start == nil:
		return "its first events are missing"
	case missing == 1:
		return "1 event is missing"
	case missing > 1:
		return value.Compact(value.Int(missing)) + " events are missing"
	}
	return ""
}

// event adds the payloads of an event, and a failed evaluation.
func (c *counter) event(i int) {
	e, at := &c.of.events[i], &c.run.Of[i]
	kind := e.Kind()
	if kind.Family == history.OfState && kind.Phase == history.Entered {
		c.entries++
	}
	c.payloads(i, e, kind)
	if v := at.Visit; kind.Family == history.OfEvaluation && v != nil && !at.Dropped {
		c.failed(v, e, false)
	}
}

func (c *counter) payloads(i int, e *history.Event, kind history.Kind) {
	if e.Details == nil {
		return
	}
	for _, key := range [...]string{"input", "output", "parameters"} {
		if held := e.Details.Get(key); held != nil {
			if _, is := e.Payload(key); is == history.Truncated {
				c.Truncated++
				continue
			}
			c.payload(i, fieldOf(kind, key), sizeOf(held))
		}
	}
	if texts, ok := e.Details.Get("assignedVariables").(*value.Object); ok {
		for name, held := range texts.All() {
			c.payload(i, "variable "+name, sizeOf(held))
		}
	}
}

// sizeOf is the size of a payload in bytes: the size of its text, or of the text that a tool has parsed.
func sizeOf(v value.Value) int64 {
	if text, ok := v.(value.String); ok {
		return int64(len(text))
	}
	return int64(value.Size(v))
}

// fieldOf names a payload of an event.
func fieldOf(kind history.Kind, key string) string {
	switch {
	case kind.Family == history.OfExecution || kind.Family == history.OfState:
		return key
	case kind.Phase == history.Scheduled:
		return "payload"
	case kind.Phase == history.Submitted:
		return "submitted"
	}
	return "result"
}

func (c *counter) payload(i int, field string, size int64) {
	p := Payload{Where: c.at(i), Field: field, Size: size}
	if v := c.run.Of[i].Visit; v != nil {
		s := c.state(v)
		p.State = s.Path
		s.largest[field] = larger(s.largest[field], p)
	}
	c.Largest = larger(c.Largest, p)
	c.largest = max(c.largest, size)
	if float64(size) > NearQuota*float64(PayloadQuota()) {
		c.NearPayloadsCount++
		if c.NearPayloads = append(c.NearPayloads, p); len(c.NearPayloads) > 2*maxNear {
			c.shorten()
		}
	}
}

// state returns the figures of a visit's state.
func (c *counter) state(v *history.Visit) *State {
	path, of := c.names.of(v)
	s := c.states[path]
	if s == nil {
		c.order++
		s = &State{
			Path: path, Type: v.Type, Of: definedBy(of), errors: map[string]*Failure{},
			largest: map[string]Payload{}, first: c.order,
		}
		c.states[path] = s
	}
	return s
}

// thread adds the visits of a thread and of those below it.
func (c *counter) thread(t *history.Thread) {
	for _, v := range t.Visits {
		s := c.state(v)
		s.Visits++
		if v.Entered >= 0 && v.Exited >= 0 {
			c.span(&s.Time, v.Entered, v.Exited)
		}
		if v.Exited < 0 && v.Type != "Fail" {
			s.NotLeft++
		}
		c.attempts(s, v)
		for n, round := range v.Rounds {
			if n > 0 {
				s.Retries++
				c.retries++
			}
			if round.MapRunEnd >= 0 && c.of.events[round.MapRunEnd].Kind().Phase == history.Failed {
				c.failed(v, &c.of.events[round.MapRunEnd], n+1 < len(v.Rounds))
			}
			for _, child := range round.Threads {
				c.threads++
				c.thread(child)
			}
		}
	}
}

// span adds the time between two events.
func (c *counter) span(d *Distribution, from, to int) {
	if from >= 0 && to >= 0 {
		d.add(max(c.of.events[to].Time-c.of.events[from].Time, 0), c.at(to))
	}
}

func (c *counter) attempts(s *State, v *history.Visit) {
	for n, a := range v.Attempts {
		s.Attempts++
		c.span(&s.Wait, a.Scheduled, a.Started)
		if a.Submitted >= 0 {
			c.span(&s.Work, a.Started, a.Submitted)
			c.span(&s.Callback, a.Submitted, a.Ended)
		} else {
			c.span(&s.Work, a.Started, a.Ended)
		}
		if n > 0 {
			s.Retries++
			c.retries++
			c.span(&s.Backoff, v.Attempts[n-1].Ended, a.Scheduled)
		}
		if a.Ended >= 0 {
			if e := &c.of.events[a.Ended]; e.Kind().Phase != history.Succeeded {
				c.failed(v, e, n+1 < len(v.Attempts))
			}
		}
	}
}

// failed adds a failure of a state.
func (c *counter) failed(v *history.Visit, e *history.Event, retried bool) {
	name := e.Text("error")
	switch {
	case name != "":
	case e.Kind().Phase == history.TimedOut:
		name = "States.Timeout"
	default:
		name = "(no name)"
	}
	f := c.state(v).failure(name)
	f.Count++
	switch {
	case retried:
		f.Retried++
	case v.Exited >= 0:
		f.Caught++
	default:
		f.Passed++
	}
}

// inside returns the number of events of a thread with the events of all threads below it.
func (c *counter) inside(t *history.Thread) int64 {
	n := c.own[t]
	for _, v := range t.Visits {
		for _, round := range v.Rounds {
			for _, child := range round.Threads {
				n += c.inside(child)
			}
		}
	}
	return n
}

// items are the items of a Map state in one execution.
type items struct {
	visit          *history.Visit
	done, all      int64 // the items that succeeded, and all that began
	events, inside int64 // of those that succeeded, and of all
	least, most    int64
}

// mapStates adds the items of inline Map states.
func (c *counter) mapStates(root *history.Thread) {
	found := make(map[string]*items)
	var paths []string
	c.gatherItems(root, found, &paths)
	for _, path := range paths {
		in := found[path]
		if in.done == 0 || c.of.express {
			continue
		}
		_, of := c.names.of(in.visit)
		m := &Map{
			Path: path, Of: definedBy(of), Executions: 1, Items: in.done, Events: in.events, Least: in.least, Most: in.most, MostItems: in.all, MostAt: c.at(-1),
		}
		m.Outside.add(int64(len(c.of.events))-in.inside, c.at(-1))
		c.maps[path] = m
	}
}

func (c *counter) gatherItems(t *history.Thread, found map[string]*items, paths *[]string) {
	for _, v := range t.Visits {
		for _, round := range v.Rounds {
			for _, child := range round.Threads {
				if v.Type == "Map" {
					path, _ := c.names.of(v)
					in := found[path]
					if in == nil {
						in = &items{visit: v, least: 1 << 62}
						found[path] = in
						*paths = append(*paths, path)
					}
					in.add(c.inside(child), child.End == history.Succeeded)
				}
				c.gatherItems(child, found, paths)
			}
		}
	}
}

func (in *items) add(events int64, succeeded bool) {
	in.all++
	in.inside += events
	if succeeded {
		in.done++
		in.events += events
		in.least, in.most = min(in.least, events), max(in.most, events)
	}
}
