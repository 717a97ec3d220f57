package recorder

import (
	"asldb/engine"
	"asldb/engine/path"
	"asldb/engine/value"
)

// RedactionCheck finds the redactions of a trace that led to nothing: of a path with a slip in it the secrets are all there.
type RedactionCheck struct{ redactor *redactor }

// NewRedactionCheck returns a check that has seen the header of a trace.
func NewRedactionCheck(h *Header) *RedactionCheck {
	var redactions []*Redaction
	for _, text := range h.Redactions {
		if redaction, err := ParseRedaction(text); err == nil {
			redactions = append(redactions, redaction)
		}
	}
	c := &RedactionCheck{newRedactor(redactions)}
	if c.redactor != nil {
		c.redactor.header(*h)
		c.see(h.Input)
		c.see(h.Context)
	}
	return c
}

// Add takes in an event.
func (c *RedactionCheck) Add(e *engine.Event) {
	if c.redactor == nil {
		return
	}
	c.see(e.Before)
	c.see(e.After)
	switch d := e.Detail.(type) {
	case *engine.TaskRequest:
		c.see(d.Credentials)
	case *engine.AssignDetail:
		if d.Assigned != nil {
			c.see(d.Assigned)
		}
	}
}

// see follows the paths through a value that was redacted. One that leads into a value that was replaced as a whole has
// matched.
func (c *RedactionCheck) see(v value.Value) {
	if v != nil {
		c.redactor.learn(v)
		c.redactor.replaced(v, c.redactor.roots)
	}
}

// replaced notes the paths that end inside of a replaced value.
func (r *redactor) replaced(v value.Value, places []place) {
	places = settle(places)
	if text, ok := v.(value.String); ok {
		if text != Redacted {
			return
		}
		for _, p := range places {
			if p.at > 0 && p.at < p.path.Len() && !r.descends(p) {
				r.found[p.path] = true
			}
		}
	}
	below(v, places, r.replaced)
}

// descends reports whether a path has come no further than a "..", which leads everywhere.
func (r *redactor) descends(p place) bool {
	descent := func(at int) bool { return p.path.Segment(at).Kind == path.DescentSegment }
	return descent(p.at) || descent(p.at-1)
}

// Unfound returns the paths that have matched no value so far.
func (c *RedactionCheck) Unfound() []string {
	if c.redactor == nil {
		return nil
	}
	return c.redactor.unfound()
}
