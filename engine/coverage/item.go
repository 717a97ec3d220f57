package coverage

import (
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/jsonata"
	"asldb/internal/wording"
)

// Kind is the kind of an Item.
type Kind uint8

// The kinds of items, in the order of reports.
const (
	// Entered: the state was entered.
	Entered Kind = iota + 1
	// Rule: the Choice state took the rule with the number Index.
	Rule
	// Default: the Choice state took Default.
	Default
	// Retried: the retrier with the number Index scheduled a retry.
	Retried
	// Exhausted: the retrier with the number Index matched an error after all its attempts.
	Exhausted
	// Caught: the catcher with the number Index took an error.
	Caught
	// Uncaught: an error that the state could have caught ended it.
	Uncaught
	// Branch: the branch with the number Index of a Parallel state ran.
	Branch
	// MapSome: the Map state had items.
	MapSome
	// MapNone: the Map state had no items.
	MapNone
	// MapFailed: an iteration of the Map state failed.
	MapFailed
	// MapTolerated: the Map state succeeded though iterations had failed.
	MapTolerated
	// TimedOut: the task took longer than its TimeoutSeconds. A result of the error States.Timeout does not count.
	TimedOut
	// HeartbeatMissed: the task sent no heartbeat for HeartbeatSeconds.
	HeartbeatMissed
	// ConditionTrue and ConditionFalse: a part of a Choice rule's condition, or the condition of a conditional in JSONata,
	// was true, or was false. Part tells the parts apart.
	ConditionTrue
	ConditionFalse
)

// kinds has the name of each kind in a profile, in the order of the constants.
var kinds = [...]string{
	Entered: "entered", Rule: "rule", Default: "default", Retried: "retried", Exhausted: "exhausted", Caught: "caught",
	Uncaught: "uncaught", Branch: "branch", MapSome: "items", MapNone: "noItems", MapFailed: "failedIteration",
	MapTolerated: "tolerated", TimedOut: "timeout", HeartbeatMissed: "heartbeat", ConditionTrue: "true", ConditionFalse: "false",
}

// String returns the kind's name in a profile, such as "entered".
func (k Kind) String() string { return wording.KindName(kinds[:], k) }

// ParseKind returns the kind of a name in a profile; ok is false where there is none.
func ParseKind(name string) (kind Kind, ok bool) { return wording.KindNamed[Kind](kinds[:], name) }

// ID tells the items of a definition apart.
type ID struct {
	// State is the state's path, such as Fulfil/Branches[1]/Notify.
	State string
	Kind  Kind
	// Index is the number of the rule, retrier, catcher or branch, from 0; 0 for other kinds.
	Index int
	// Part names a condition in its state: "Choices[0]/And[1]", or of JSONata the field and the place in its expression,
	// from 1, such as "Output/total 2". It is empty for other kinds.
	Part string
}

// Field returns the field of the state that the item is about, as [asl.State.Place] takes it; it is empty of the state itself.
func (i *ID) Field() string {
	number := "[" + strconv.Itoa(i.Index) + "]"
	switch i.Kind {
	case Rule:
		return "Choices" + number
	case Default:
		return "Default"
	case Retried, Exhausted:
		return "Retry" + number
	case Caught:
		return "Catch" + number
	case Branch:
		return "Branches" + number
	case TimedOut:
		return "TimeoutSeconds"
	case HeartbeatMissed:
		return "HeartbeatSeconds"
	case ConditionTrue, ConditionFalse:
		field, _, _ := strings.Cut(i.Part, " ")
		return field
	case Entered, Uncaught, MapSome, MapNone, MapFailed, MapTolerated:
	}
	return ""
}

// Item is one thing that a run can go through.
type Item struct {
	ID
	// Label describes the rule, retrier, catcher or condition: "$.total > 100", "Card.Timeout, States.Timeout". It is empty for
	// other kinds.
	Label string
	// Line and Column are the item's place in the text of the definition, from 1.
	Line, Column int
	// Count is how often runs went through it.
	Count int64
	// Ignored is the reason for which it does not count; empty: it counts.
	Ignored string
	// Unasked: it is of a kind that only counts on request, and was not asked for. It is counted, and is in no share.
	Unasked bool
}

// Counts reports whether the item is in the shares and in the lists of parts that are missing.
func (i *Item) Counts() bool { return i.Ignored == "" && !i.Unasked }

// Covered reports whether a run has gone through the item.
func (i *Item) Covered() bool { return i.Count > 0 }

// Describe says in words what the item is, without its state: "rule 2 ($.total > 100)", "retrier 1 exhausted (Card.Timeout)".
func (i *Item) Describe() string {
	number, label := strconv.Itoa(i.Index+1), ""
	if i.Label != "" {
		label = " (" + i.Label + ")"
	}
	switch i.Kind {
	case Entered:
		return "state"
	case Rule:
		return "rule " + number + label
	case Default:
		return "Default"
	case Retried:
		return "retrier " + number + label
	case Exhausted:
		return "retrier " + number + " exhausted" + label
	case Caught:
		return "catcher " + number + label
	case Uncaught:
		return "uncaught error"
	case Branch:
		return "branch " + number
	case MapSome:
		return "some items"
	case MapNone:
		return "no items"
	case MapFailed:
		return "failed iteration"
	case MapTolerated:
		return "tolerated failure"
	case TimedOut:
		return "timeout"
	case HeartbeatMissed:
		return "missed heartbeat"
	case ConditionTrue:
		return i.Label + " is true"
	case ConditionFalse:
		return i.Label + " is false"
	}
	return i.Kind.String()
}

// Options choose the kinds of items that only count on request.
type Options struct {
	// Conditions adds each part of the conditions of Choice rules, and the conditions of conditionals in JSONata, both ways.
	Conditions bool
	// Errors are the errors that nothing catches, Timeouts the limits of TimeoutSeconds and HeartbeatSeconds.
	Errors, Timeouts bool
}

// All are all kinds of items.
var All = Options{Conditions: true, Errors: true, Timeouts: true}

// asked reports whether items of a kind count: by themselves, or since the options name the kind.
func (o Options) asked(kind Kind) bool {
	switch kind {
	case Uncaught:
		return o.Errors
	case TimedOut, HeartbeatMissed:
		return o.Timeouts
	default:
		return true
	}
}

// Items are the items of a definition, in the order of its text: the items of a state one after the other, then the
// items of the states inside it.
type Items struct {
	List []Item

	options     Options
	index       map[ID]int
	tests       map[*asl.Test]decision
	expressions map[*jsonata.Expression]*expression
}

// Covered returns how many items runs have gone through.
func (l *Items) Covered() (n int) {
	for i := range l.List {
		if l.List[i].Covered() {
			n++
		}
	}
	return n
}

// count adds n to the count of an item; there may be none of that ID.
func (l *Items) count(id ID, n int64) {
	if i, ok := l.index[id]; ok {
		l.List[i].Count += n
	}
}

// Of lists the items of a definition, with counts of 0.
func Of(machine *asl.StateMachine, options Options) *Items {
	l := &Items{
		options: options, index: map[ID]int{}, tests: map[*asl.Test]decision{}, expressions: map[*jsonata.Expression]*expression{},
	}
	for state := range machine.All() {
		l.state(state)
	}
	return l
}

// add adds an item at a field of the state; an empty field is the state's name.
func (l *Items) add(state *asl.State, id ID, label, field string) {
	id.State = state.Path()
	if _, there := l.index[id]; there {
		return
	}
	place := state.Place(field)
	at := place.Span.Start
	if field == "" || place.Key.Start.Line > 0 {
		at = place.Key.Start
	}
	l.index[id] = len(l.List)
	l.List = append(l.List, Item{
		ID: id, Label: label, Line: at.Line, Column: at.Col, Unasked: !l.options.asked(id.Kind),
	})
}

func (l *Items) state(state *asl.State) {
	l.add(state, ID{Kind: Entered}, "", "")
	for i, rule := range state.Choices {
		l.add(state, ID{Kind: Rule, Index: i}, rule.Label(), "Choices["+strconv.Itoa(i)+"]")
	}
	if state.Default != "" {
		l.add(state, ID{Kind: Default}, "", "Default")
	}
	l.handlers(state)
	l.work(state)
	if l.options.Conditions {
		l.conditions(state)
	}
}

// handlers adds the retriers, the catchers and the uncaught error of a state.
func (l *Items) handlers(state *asl.State) {
	for i, r := range state.Retry {
		field, names := "Retry["+strconv.Itoa(i)+"]", strings.Join(r.ErrorEquals, ", ")
		if r.MaxAttempts > 0 {
			l.add(state, ID{Kind: Retried, Index: i}, names, field)
		}
		l.add(state, ID{Kind: Exhausted, Index: i}, names, field)
	}
	all := false
	for i, c := range state.Catch {
		l.add(state, ID{Kind: Caught, Index: i}, strings.Join(c.ErrorEquals, ", "), "Catch["+strconv.Itoa(i)+"]")
		for _, name := range c.ErrorEquals {
			all = all || name == engine.ErrorAll
		}
	}
	switch state.Type {
	case asl.Task, asl.Parallel, asl.Map:
		if !all {
			l.add(state, ID{Kind: Uncaught}, "", "")
		}
	case asl.Pass, asl.Choice, asl.Wait, asl.Succeed, asl.Fail:
	}
}

// work adds the items of tasks, branches and iterations.
func (l *Items) work(state *asl.State) {
	if state.TimeoutSeconds != nil {
		l.add(state, ID{Kind: TimedOut}, "", state.TimeoutSeconds.Field)
	}
	if state.HeartbeatSeconds != nil {
		l.add(state, ID{Kind: HeartbeatMissed}, "", state.HeartbeatSeconds.Field)
	}
	for i := range state.Branches {
		l.add(state, ID{Kind: Branch, Index: i}, "", "Branches["+strconv.Itoa(i)+"]")
	}
	if state.Type != asl.Map {
		return
	}
	for _, kind := range []Kind{MapSome, MapNone, MapFailed} {
		l.add(state, ID{Kind: kind}, "", "")
	}
	if state.ToleratedFailureCount != nil || state.ToleratedFailurePercentage != nil {
		l.add(state, ID{Kind: MapTolerated}, "", "")
	}
}
