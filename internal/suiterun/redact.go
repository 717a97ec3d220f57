package suiterun

import (
	"sync"

	"asldb/engine/debug"
	"asldb/engine/path"
	"asldb/engine/value"
	"asldb/internal/suite"
	"asldb/recorder"
)

// Redactions are the paths whose values are kept out of outcomes and snapshots, in all runs of a command. Each value of
// a run is the $ of a path, as it is in a trace. Several goroutines may share them.
type Redactions struct {
	paths []*recorder.Redaction

	mutex sync.Mutex
	found map[string]bool // the paths that have led to something
}

// NewRedactions returns the redactions of some paths.
func NewRedactions(paths []*recorder.Redaction) *Redactions {
	return &Redactions{paths: paths, found: map[string]bool{}}
}

// Unfound returns the paths that have led to nothing in any run.
func (r *Redactions) Unfound() []string {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	var unfound []string
	for _, p := range r.paths {
		if text := p.String(); !r.found[text] {
			unfound = append(unfound, text)
		}
	}
	return unfound
}

// any reports whether there are paths to redact.
func (r *Redactions) any() bool { return r != nil && len(r.paths) > 0 }

// of returns the redactor of a run, which knows the secrets of all its events; nil where nothing is redacted.
func (r *Redactions) of(session *debug.Session) *recorder.Redactor {
	if !r.any() {
		return nil
	}
	redactor := recorder.NewRedactor(r.paths)
	if session != nil {
		for event := range session.Log().All() {
			redactor.Learn(event)
		}
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	unfound := map[string]bool{}
	for _, text := range redactor.Unfound() {
		unfound[text] = true
	}
	for _, p := range r.paths {
		if text := p.String(); !unfound[text] {
			r.found[text] = true
		}
	}
	return redactor
}

// redactSnapshot replaces secrets in a snapshot: in its payloads, output and cause each for itself, and then in the
// whole.
func redactSnapshot(redactor *recorder.Redactor, snapshot value.Value) value.Value {
	object, ok := snapshot.(*value.Object)
	if redactor == nil || !ok {
		return snapshot
	}
	for key, v := range object.All() {
		switch tasks, isObject := v.(*value.Object); {
		case key == "tasks" && isObject:
			for state, payloads := range tasks.All() {
				list, _ := payloads.(*value.Array)
				for i, payload := range list.All() {
					list = list.With(i, redactor.Value(payload))
				}
				tasks = tasks.With(state, list)
			}
			object = object.With(key, tasks)
		case key == "output":
			object = object.With(key, redactor.Value(v))
		}
	}
	return redactor.Value(object)
}

// redactOutcome replaces secrets in the texts and values of an outcome.
func redactOutcome(redactor *recorder.Redactor, outcome *suite.Outcome) {
	if redactor == nil {
		return
	}
	outcome.Reason = redactor.Text(outcome.Reason)
	for i, line := range outcome.Noticed {
		outcome.Noticed[i] = redactor.Text(line)
	}
	for i := range outcome.Findings {
		finding := &outcome.Findings[i]
		finding.Wanted, finding.Found = redactor.Value(finding.Wanted), redactor.Value(finding.Found)
		finding.Wanted, finding.Found = redactAt(redactor, "", finding.Wanted), redactAt(redactor, "", finding.Found)
		for k, line := range finding.Because {
			finding.Because[k] = redactor.Text(line)
		}
		for k := range finding.Differences {
			d := &finding.Differences[k]
			d.Wanted, d.Found = redactAt(redactor, d.Path, d.Wanted), redactAt(redactor, d.Path, d.Found)
			d.Reason, d.From = redactor.Text(d.Reason), redactor.Text(d.From)
		}
	}
}

// redactAt replaces secrets in a value at a path of a larger one.
func redactAt(redactor *recorder.Redactor, text string, v value.Value) value.Value {
	if v == nil {
		return nil
	}
	p, err := path.Parse(text)
	if text == "" || err != nil {
		return redactor.Value(v)
	}
	whole := v
	for i := p.Len() - 1; i >= 0; i-- {
		switch segment := p.Segment(i); segment.Kind {
		case path.NameSegment:
			whole = value.ObjectOf(value.Member{Key: segment.Name, Value: whole})
		case path.IndexSegment:
			items := make([]value.Value, segment.Index+1)
			for k := range items {
				items[k] = value.Null{}
			}
			items[segment.Index] = whole
			whole = value.NewArray(items)
		default:
			return redactor.Value(v)
		}
	}
	whole = redactor.Value(whole)
	for i := range p.Len() {
		segment := p.Segment(i)
		switch container := whole.(type) {
		case *value.Object:
			whole = container.At(0).Value
		case *value.Array:
			whole = container.At(segment.Index)
		default: // a value around it was replaced
			return whole
		}
	}
	return whole
}
