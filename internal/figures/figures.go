// Package figures has figures over many recorded executions: durations of states and of executions, errors and retries, the sizes of
// payloads and the numbers of events beside the service's quotas, and the units by which the service is paid for.
package figures

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/internal/report"
)

// NearQuota is the part of a quota above which a size or a number is listed.
const NearQuota = 0.8

// maxNear bounds how many payloads and executions near a quota are listed.
const maxNear = 100

// Figures are the figures over recordings.
type Figures struct {
	// Definition is the name of the definition; empty without one.
	Definition string
	// Machines are the state machines by their names. Recordings that name none are one without a name.
	Machines []*Machine
	// NeverEntered are the states of the definition that no execution has entered, in the order of the text.
	NeverEntered []Never
	// Skipped are files of folders that have no recording, with the reason.
	Skipped []Flaw
	// LeftOut are folders with executions that tasks and Map Runs started, in folders of "asldb fetch".
	LeftOut []string
	// Head is the head of the shard that the executions are; nil: they are all.
	Head *report.ShardHead
}

// Never is a state that no execution has entered.
type Never struct {
	State string `json:"state,omitempty"`
	Place string `json:"place,omitempty"`
}

// Defined is the place of a state in the definition: the line and the offset in its text.
type Defined struct {
	Place  string
	Offset int
}

// definedBy returns the place of a state; nil of none.
func definedBy(s *asl.State) *Defined {
	if s == nil {
		return nil
	}
	return &Defined{statePlace(s), s.Span.Start.Offset}
}

// place is the line, and empty of none.
func (d *Defined) place() string {
	if d == nil {
		return ""
	}
	return d.Place
}

// Executions returns the number of executions.
func (f *Figures) Executions() int {
	n := 0
	for _, m := range f.Machines {
		n += m.Executions
	}
	return n
}

// Flaw is a file, or an execution in it, with something missing.
type Flaw struct {
	File   string `json:"file,omitempty"`
	Reason string `json:"reason,omitempty"`
	Order  uint64 `json:"order,omitempty"` // as [Where] has it
}

// shown is the flaw as the JSON of the whole has it.
func (f Flaw) shown() Flaw {
	f.Order = 0
	return f
}

// Count is a name with a number.
type Count struct {
	Name  string `json:"name,omitempty"`
	Count int64  `json:"count"`
}

// Machine has the figures of the executions of one state machine.
type Machine struct {
	// Name is that in the ARN of the executions; of those that a Map Run started with the label of the Map state after a slash.
	Name string
	// Executions is the number of executions, Express the number of Express executions among them.
	Executions, Express int
	// Redriven is the number of executions that were redriven; their times include the time until then.
	Redriven int
	// Unfinished executions have no end in their recording. Of Damaged ones events are missing.
	Unfinished, Damaged []Flaw
	// Time is the time from start to end, in nanoseconds; of executions with both.
	Time Distribution
	// Events are the numbers of events, of Standard executions.
	Events Distribution
	// NearEvents are the executions near the quota of events, the longest first, of NearEventsCount in all.
	NearEvents      []Near
	NearEventsCount int64
	// NearPayloads are the payloads near the quota, the largest first, of NearPayloadsCount in all.
	NearPayloads      []Payload
	NearPayloadsCount int64
	// Largest is the largest payload.
	Largest Payload
	// Truncated is the number of payloads that the service has cut off, whose size is not known.
	Truncated int64
	// Usage has the units by which the service is paid for, by region.
	Usage []*Usage

	statuses map[string]int64
	errors   map[string]int64
	states   map[string]*State
	maps     map[string]*Map
}

// Near is an execution near a quota.
type Near struct {
	Where
	Count int64
}

// Payload is a payload with its size in bytes, as the service counts it.
type Payload struct {
	// State is the path of the state; empty for the execution itself.
	State string `json:"state,omitempty"`
	// Field is "input", "output", "payload", "result", "submitted" or "variable NAME".
	Field string `json:"field,omitempty"`
	Size  int64  `json:"bytes"`
	Where
}

// shown is the payload as the JSON of the whole has it.
func (p Payload) shown() Payload {
	p.Order = 0
	return p
}

func (p Payload) compare(other Payload) int {
	return cmp.Or(cmp.Compare(other.Size, p.Size), cmp.Compare(p.Order, other.Order), cmp.Compare(p.Field, other.Field))
}

func newMachine(name string) *Machine {
	return &Machine{Name: name, statuses: map[string]int64{}, errors: map[string]int64{}, states: map[string]*State{}, maps: map[string]*Map{}}
}

// State has the figures of one state.
type State struct {
	// Path is the definition path, as "Each/Iterations[*]/Charge". Without a definition all branches are Branches[*].
	Path string
	// Type is the state's type: "Task".
	Type string
	// Of is the state's place in the definition; nil where it has none, or there is no definition.
	Of *Defined
	// Visits is how often the state was entered; NotLeft counts the visits without an exit: the state failed or was
	// stopped.
	Visits, NotLeft int64
	// Attempts counts the attempts of a task, Retries the repeated ones, and of a Parallel or Map state its repeated
	// starts.
	Attempts, Retries int64
	// Time is the time from entry to exit, in nanoseconds as all times. Of the attempts of a task, Wait is the time until the service
	// has started it, Work that until it ended or was submitted, Callback that from then to the end, and Backoff the
	// time before a retry.
	Time, Wait, Work, Callback, Backoff Distribution

	errors  map[string]*Failure
	largest map[string]Payload
	first   uint64
}

// Failure is the number of failures of a state with one Error Name.
type Failure struct {
	Name  string `json:"name,omitempty"`
	Count int64  `json:"count"`
	// Retried, Caught and Passed say how many of them a retrier took, a catcher took, and none: those fail the state.
	Retried int64 `json:"retried"`
	Caught  int64 `json:"caught"`
	Passed  int64 `json:"notHandled"`
}

// Errors returns the failures by Error Name, the most frequent first.
func (s *State) Errors() []*Failure {
	list := slices.Collect(maps.Values(s.errors))
	slices.SortFunc(list, func(a, b *Failure) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// Failures returns the number of failures.
func (s *State) Failures() int64 {
	n := int64(0)
	for _, e := range s.errors {
		n += e.Count
	}
	return n
}

// Payloads returns the largest payload of each field, the largest first.
func (s *State) Payloads() []Payload {
	list := slices.Collect(maps.Values(s.largest))
	slices.SortFunc(list, Payload.compare)
	return list
}

// Map has the events of the items of an inline Map state.
type Map struct {
	// Path is the state's; Of is its place in the definition, or nil.
	Path string
	Of   *Defined
	// Executions is the number of executions with items that have succeeded, Items the number of these items, and
	// Events the number of their events.
	Executions, Items, Events int64
	// Least and Most are the least and greatest number of events of an item.
	Least, Most int64
	// Outside are the events of each execution beside the items' events, MostItems the greatest number of items in an
	// execution.
	Outside   Distribution
	MostItems int64
	MostAt    Where
}

// PerItem returns the mean number of events of an item.
func (m *Map) PerItem() float64 { return float64(m.Events) / float64(m.Items) }

// Reaches returns the greatest number of items in one execution with which it stays within the quota of events: with as many events
// beside them as half of the executions have at most.
func (m *Map) Reaches() int64 {
	left := max(EventQuota()-m.Outside.Percentile(50), 0)
	return int64(float64(left) / m.PerItem())
}

// EventQuota is the greatest number of events in the history of a Standard execution.
func EventQuota() int64 { return int64(engine.ServiceLimits().History) }

// PayloadQuota is the greatest size of a payload in bytes.
func PayloadQuota() int64 { return int64(engine.ServiceLimits().Payload) }

// States returns the states in the order of the definition; without one, and after it, in the order in which they were first entered, with
// those inside of a state after it.
func (m *Machine) States() []*State {
	list := slices.Collect(maps.Values(m.states))
	chains := make(map[*State][]uint64, len(list))
	for _, s := range list {
		chains[s] = m.chain(s.Path)
	}
	slices.SortFunc(list, func(a, b *State) int {
		switch {
		case a.Of != nil && b.Of != nil:
			return cmp.Compare(a.Of.Offset, b.Of.Offset)
		case a.Of != nil:
			return -1
		case b.Of != nil:
			return 1
		}
		return slices.Compare(chains[a], chains[b])
	})
	return list
}

// chain has the first entries of the states around a state, from the outside, and its own.
func (m *Machine) chain(path string) []uint64 {
	var chain []uint64
	for _, kind := range [...]string{"/Branches[*]/", "/Iterations[*]/"} {
		for at := 0; ; {
			next := strings.Index(path[at:], kind)
			if next < 0 {
				break
			}
			if around := m.states[path[:at+next]]; around != nil {
				chain = append(chain, around.first)
			}
			at += next + len(kind)
		}
	}
	slices.Sort(chain) // a state is entered before those inside of it
	if s := m.states[path]; s != nil {
		chain = append(chain, s.first)
	}
	return chain
}

// Maps returns the inline Map states with items, by their paths.
func (m *Machine) Maps() []*Map {
	list := slices.Collect(maps.Values(m.maps))
	slices.SortFunc(list, func(a, b *Map) int { return cmp.Compare(a.Path, b.Path) })
	return list
}

// statusNames are the statuses of executions, in the order of reports.
var statusNames = []string{"SUCCEEDED", "FAILED", "TIMED_OUT", "ABORTED", "RUNNING"}

// Statuses returns the numbers of executions by their status; RUNNING are those without an end.
func (m *Machine) Statuses() []Count {
	var list []Count
	for _, name := range statusNames {
		if n := m.statuses[name]; n > 0 {
			list = append(list, Count{name, n})
		}
	}
	return list
}

// Errors returns the Error Names with which executions ended, the most frequent first.
func (m *Machine) Errors() []Count {
	var list []Count
	for name, n := range m.errors {
		list = append(list, Count{name, n})
	}
	slices.SortFunc(list, func(a, b Count) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// Unknown returns the paths of the states that the definition does not have; none without a definition.
func (f *Figures) Unknown() []string {
	var list []string
	if f.Definition == "" {
		return nil
	}
	for _, m := range f.Machines {
		for _, s := range m.States() {
			if s.Of == nil && !slices.Contains(list, s.Path) {
				list = append(list, s.Path)
			}
		}
	}
	return list
}
