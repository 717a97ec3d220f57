package why

import (
	"cmp"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"asldb/engine"
	"asldb/engine/explain"
	"asldb/engine/provenance"
	"asldb/engine/value"
)

// The JSON of an explanation: how the execution ended, the chain from there back to the cause, the errors that were
// being handled, the values that the cause had to do with, the errors that were survived, and the next steps. Numbers
// of events, attempts, retriers, catchers and rules count from 1; "id" is the one of an event in the history of Step
// Functions.
type (
	document struct {
		Explained bool        `json:"explained"`
		Status    string      `json:"status,omitempty"`
		Error     string      `json:"error,omitempty"`
		Cause     string      `json:"cause,omitempty"`
		State     string      `json:"state,omitempty"`
		Execution string      `json:"execution,omitempty"`
		Started   string      `json:"started,omitempty"`
		Seconds   value.Value `json:"seconds,omitempty"`
		Chain     []any       `json:"chain"` // of link and nested
		Sureness  string      `json:"sureness,omitempty"`
		Handled   []any       `json:"handled,omitzero"`
		Values    []involved  `json:"values,omitzero"`
		Survived  []survivor  `json:"survived"`
		Partial   bool        `json:"partial,omitempty"`
		Noticed   any         `json:"noticed"`
		Notes     value.Value `json:"notes"`
		Next      []Step      `json:"next"`
	}
	// nested is an execution that a task had started.
	nested struct {
		Kind      string `json:"kind"`
		Execution string `json:"execution,omitempty"`
		Status    string `json:"status,omitempty"`
		Error     string `json:"error,omitempty"`
		Cause     string `json:"cause,omitempty"`
		Chain     []any  `json:"chain,omitzero"`
	}
	stateOf struct {
		State string `json:"state,omitempty"`
		Path  string `json:"path,omitempty"`
		Type  string `json:"type,omitempty"`
	}
	moment struct {
		Event   int64       `json:"event,omitempty"`
		ID      int64       `json:"id,omitempty"`
		Time    string      `json:"time,omitempty"`
		Seconds value.Value `json:"seconds"`
	}
	link struct {
		Kind string `json:"kind"`
		stateOf
		Error  string `json:"error,omitempty"`
		Cause  string `json:"cause,omitempty"`
		Reason string `json:"reason,omitempty"`
		Field  string `json:"field,omitempty"`
		moment
		Attempt  int               `json:"attempt,omitempty"`
		Inside   int               `json:"failedInside,omitempty"`
		MapRun   string            `json:"mapRun,omitempty"`
		Rule     any               `json:"rule,omitempty"` // its number, or "default"
		Compared value.Value       `json:"compared,omitempty"`
		Place    *explain.Location `json:"place,omitempty"`
		Retries  []retry           `json:"retries,omitempty"`
		Handlers []handler         `json:"handlers,omitempty"`
		Bound    *bound            `json:"bound,omitempty"`
		Missing  *missing          `json:"missing,omitempty"`
	}
	retry struct {
		Attempt int    `json:"attempt,omitempty"`
		Error   string `json:"error,omitempty"`
		Cause   string `json:"cause,omitempty"`
		moment
		Retrier int         `json:"retrier"`
		Delay   value.Value `json:"delaySeconds"`
	}
	handler struct {
		Kind        string            `json:"kind"`
		Number      int               `json:"number,omitempty"`
		ErrorEquals value.Value       `json:"errorEquals,omitempty"`
		Verdict     string            `json:"verdict,omitempty"`
		Near        string            `json:"near,omitempty"`
		Next        string            `json:"next,omitempty"`
		Attempts    *int64            `json:"attempts,omitempty"` // of a retrier, as MaxAttempts
		MaxAttempts *int64            `json:"maxAttempts,omitempty"`
		Place       *explain.Location `json:"place,omitempty"`
	}
	bound struct {
		Field     string      `json:"field,omitempty"`
		Limit     value.Value `json:"limitSeconds,omitempty"`
		Waited    value.Value `json:"waitedSeconds"`
		Heartbeat string      `json:"lastHeartbeat,omitempty"`
	}
	// missing says how far a path got, and where its value was lost.
	missing struct {
		Path       string      `json:"path,omitempty"`
		Found      string      `json:"found,omitempty"`
		Missing    string      `json:"missing,omitempty"`
		Suggestion string      `json:"suggestion,omitempty"`
		At         value.Value `json:"at,omitempty"`
		Hints      any         `json:"hints,omitempty"`
		Lost       *lost       `json:"lost,omitempty"`
	}
	lost struct {
		Kind string `json:"kind"`
		stateOf
		Field string `json:"field,omitempty"`
		moment
		Place   *explain.Location `json:"place,omitempty"`
		HadPath string            `json:"hadPath,omitempty"`
		Value   value.Value       `json:"value,omitempty"`
		Remedy  string            `json:"remedy,omitempty"`
		Without string            `json:"without,omitempty"`
	}
	involved struct {
		Path       string      `json:"path,omitempty"`
		Value      value.Value `json:"value,omitempty"`
		From       string      `json:"from,omitempty"`
		Expression string      `json:"expression,omitempty"`
		Origin     any         `json:"origin"` // the event that made it, or "input"
	}
	survivor struct {
		stateOf
		Error  string `json:"error,omitempty"`
		Cause  string `json:"cause,omitempty"`
		Fate   string `json:"fate,omitempty"`
		By     string `json:"by,omitempty"`
		Count  int    `json:"count,omitempty"`
		Places int    `json:"places,omitempty"`
		moment
		Place *explain.Location `json:"place,omitempty"`
	}
)

func seconds(d time.Duration) value.Value { return value.Float(d.Seconds()) }

// data is the document, without secrets.
func (a *Answer) data() any {
	text, err := json.Marshal(a.document())
	v, wrong := value.Parse(text, value.Limits{})
	if err = errors.Join(err, wrong); err != nil {
		panic(err) // numbers are finite
	}
	return a.redactor.Scrub(v)
}

func (a *Answer) document() *document {
	e := a.Ending
	root := e.Chain.Root()
	d := &document{
		Explained: root != nil, Status: e.Status.String(), Chain: a.chain(e.Run, e.Chain, false),
		Survived: a.survivors(e.Run, e.Chain), Partial: e.Chain.Partial, Noticed: explain.NoticedJSON(e.Run),
		Notes: value.Texts(a.Notes), Next: append([]Step{}, a.Next...),
	}
	if f := e.Failure; f != nil {
		if d.Error, d.Cause = f.Name, f.Cause; f.Origin != nil {
			d.State = f.Origin.State.Name
		}
	}
	if a.Recording != nil {
		d.Execution = a.Recording.Execution.ARN
	}
	if last := e.Run.Log.Last(); last != nil {
		d.Started, d.Seconds = engine.FormatInstant(e.Run.Start), seconds(last.At().Sub(e.Run.Start))
	}
	if mark, ok := e.Sureness(); ok {
		d.Sureness = mark.String()
	}
	if root != nil {
		d.Handled, d.Values = a.links(e.Run, e.Chain.Handled, false), a.values(e.Run, root)
	}
	return d
}

// chain has the links of a run, and behind the last one the links of the executions that its task had started. The
// events of such a nested run have no ids of this history.
func (a *Answer) chain(r *provenance.RunAgain, c *provenance.Chain, inside bool) []any {
	list := a.links(r, c.Links, inside)
	root := c.Root()
	if root == nil {
		return list
	}
	for child := r.Child(root); child != nil; child = child.Child {
		n := nested{Kind: "execution", Execution: child.Arn, Status: child.Status, Error: child.Error,
			Cause: child.Cause}
		if child.Run != nil {
			n.Chain = a.chain(child.Run, child.Chain, true)
		}
		list = append(list, n)
	}
	return list
}

func (a *Answer) links(r *provenance.RunAgain, links []provenance.Link, inside bool) []any {
	return value.Each(links, func(l provenance.Link) any { return a.link(r, &l, inside) })
}

func (a *Answer) link(r *provenance.RunAgain, l *provenance.Link, inside bool) *link {
	entry := &link{
		Kind: l.Kind.String(), stateOf: stateIn(l.Visit), moment: a.when(r, l.Event, l.At, inside),
		Place: explain.LocationOf(l.Place), Handlers: handlersOf(l, r.Derived), Bound: boundOf(r, l),
	}
	if f := l.Failure; f != nil {
		entry.Error, entry.Cause, entry.Field = f.Name, f.Cause, f.Field
		entry.Reason = cmp.Or(f.Explanation(), unpacked(f))
	}
	switch l.Kind {
	case provenance.Failed:
		entry.Attempt, entry.Inside, entry.MapRun = l.Attempt, l.Inside, r.MapRun(l)
		if loss, hints := r.Missing(l.Event); loss != nil || len(hints) > 0 {
			entry.Missing = a.missing(r, loss, hints, inside)
		}
	case provenance.Decided:
		if entry.Rule, entry.Compared = "default", value.Texts(l.Compared); l.Rule >= 0 {
			entry.Rule = l.Rule + 1
		}
	case provenance.OutOfTime, provenance.Stopped: // nothing but the link
	}
	for _, again := range r.Retries(l) {
		entry.Retries = append(entry.Retries, retry{again.Attempt, again.Failure.Name, again.Failure.Cause,
			a.when(r, again.Event, again.At, inside), again.Retrier + 1, seconds(again.Delay)})
	}
	return entry
}

// unpacked returns the reason of an error in its Cause, where that has more around it.
func unpacked(f *engine.Failure) string {
	if reason := explain.Reason(f); reason != f.Cause {
		return reason
	}
	return ""
}

// when has the number of an event, its id and its time.
func (a *Answer) when(r *provenance.RunAgain, i int, at time.Time, inside bool) moment {
	m := moment{Event: r.Log.At(i).Seq, Time: engine.FormatInstant(at), Seconds: seconds(at.Sub(r.Start))}
	if !inside && a.Recording != nil {
		m.ID = a.id(i)
	}
	return m
}

func stateIn(visit *engine.Visit) stateOf {
	if visit == nil {
		return stateOf{}
	}
	return stateOf{visit.State.Name, visit.Path(), visit.State.Type.String()}
}

func handlersOf(l *provenance.Link, rebuilt bool) (list []handler) {
	for _, h := range l.Handlers {
		one := handler{Kind: "retrier", Verdict: h.Verdict.String(), Near: h.Near, Next: h.Next}
		field := "Retry"
		if h.Catcher {
			one.Kind, field = "catcher", "Catch"
		} else {
			one.Attempts, one.MaxAttempts = &h.Attempts, &h.MaxAttempts
		}
		if !rebuilt {
			place := l.Visit.State.Place(field + "[" + strconv.Itoa(h.Index) + "]")
			one.Number, one.ErrorEquals, one.Place = h.Index+1, value.Texts(h.Names), explain.LocationOf(&place)
		}
		list = append(list, one)
	}
	return list
}

func boundOf(r *provenance.RunAgain, l *provenance.Link) *bound {
	b := r.Bound(l.Event)
	if b == nil {
		return nil
	}
	entry := &bound{Field: b.Field, Waited: seconds(b.Waited)}
	if b.Limit > 0 {
		entry.Limit = seconds(b.Limit)
	}
	if !b.Heartbeat.IsZero() {
		entry.Heartbeat = engine.FormatInstant(b.Heartbeat)
	}
	return entry
}

func (a *Answer) missing(r *provenance.RunAgain, loss *provenance.Loss, hints []provenance.Hint, inside bool) *missing {
	m := &missing{}
	if loss != nil && loss.Miss != nil {
		miss := loss.Miss
		if m.Found, m.Missing, m.Suggestion, m.At = miss.Found, miss.Missing, miss.Suggestion,
			miss.At; miss.Path != nil {
			m.Path = miss.Path.String()
		}
		hints = loss.Hints
	}
	if len(hints) > 0 {
		m.Hints = explain.HintsJSON(hints)
	}
	if loss == nil || loss.Kind == provenance.NeverThere {
		return m
	}
	m.Lost = &lost{Kind: loss.Kind.String(), stateOf: stateIn(loss.Visit), Field: loss.Field,
		moment: a.when(r, loss.At, r.Log.At(loss.At).At(), inside), Place: explain.LocationOf(loss.Place),
		HadPath: loss.HadPath, Value: loss.Value}
	if loss.Remedy != nil {
		m.Lost.Remedy, m.Lost.Without = loss.Remedy.Line, loss.Remedy.Without
	}
	return m
}

func (a *Answer) values(r *provenance.RunAgain, l *provenance.Link) []involved {
	return value.Each(r.Values(l), func(v provenance.Value) involved {
		entry := involved{v.Path, v.Value, v.From, strings.TrimSpace(v.Expression), "input"}
		if v.Visit != nil {
			entry.Origin = struct {
				stateOf
				moment
			}{stateIn(v.Visit), a.when(r, v.Event, r.Log.At(v.Event).At(), false)}
		}
		return entry
	})
}

func (a *Answer) survivors(r *provenance.RunAgain, c *provenance.Chain) []survivor {
	return value.Each(c.Survived, func(s provenance.Survivor) survivor {
		entry := survivor{stateOf: stateIn(s.Visit), Error: s.Failure.Name, Cause: s.Failure.Cause,
			Fate:  s.Fate.String(),
			Count: s.Count, moment: a.when(r, s.Event, s.At, false), Place: explain.LocationOf(s.Place)}
		if s.By != nil {
			entry.By = s.By.Path()
		}
		if s.Places > 1 {
			entry.Places = s.Places
		}
		return entry
	})
}
