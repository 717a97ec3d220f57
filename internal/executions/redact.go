package executions

import (
	"slices"

	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/recorder"
)

// Redact replaces the values at the paths in all payloads of the execution, wherever they come up in it again, and in the
// definition, as in a trace. Payloads that are not JSON, such as those that the service has cut off, are replaced as a whole. It
// returns the paths that have led to nothing.
func (x *Execution) Redact(redactions []*recorder.Redaction) (unfound []string) {
	if len(redactions) == 0 {
		return nil
	}
	r := recorder.NewRedactor(redactions)
	x.payloads(func(v value.Value) value.Value { r.Value(v); return v }) // all secrets are known before the first text is cleaned
	if d := x.Definition; d != nil {
		r.LearnHeader(&recorder.Header{Definition: &source.File{Name: d.Name, Data: []byte(d.Text)}})
		cleaned := *d
		cleaned.Text = r.Text(d.Text)
		x.Definition = &cleaned
	}
	x.payloads(r.Value)
	for i, event := range x.Events {
		key, d := details(event)
		if d == nil {
			continue
		}
		cleaned := d
		for name, member := range d.All() {
			if !slices.Contains(structural, name) {
				cleaned = cleaned.With(name, r.Scrub(member))
			}
		}
		x.Events[i] = event.With(key, cleaned)
	}
	return r.Unfound()
}

// structural are the details that come from the definition and not from data: a run is compared with its history by them.
var structural = []string{"name", "resource", "resourceType", "region", "index", "length", "inputDetails", "outputDetails", "assignedVariablesDetails"}

// payloads replaces each payload of the events, which are JSON texts.
func (x *Execution) payloads(replace func(value.Value) value.Value) {
	payload := func(text value.String) value.Value {
		v, err := value.ParseString(string(text))
		if err != nil {
			v = value.String(recorder.Redacted)
		}
		return value.String(value.Compact(replace(v)))
	}
	for i, event := range x.Events {
		key, d := details(event)
		if d == nil {
			continue
		}
		cleaned := d
		for name, member := range d.All() {
			switch m := member.(type) {
			case value.String:
				if name == "input" || name == "output" || name == "parameters" {
					cleaned = cleaned.With(name, payload(m))
				}
			case *value.Object:
				if name != "assignedVariables" {
					continue
				}
				variables := m
				for variable, held := range m.All() {
					if text, ok := held.(value.String); ok {
						// $..password finds a variable of that name, too.
						variables = variables.With(variable, named(variable, text, payload, replace))
					}
				}
				cleaned = cleaned.With(name, variables)
			}
		}
		if cleaned != d {
			x.Events[i] = event.With(key, cleaned)
		}
	}
}

// named replaces the payload of a variable, which is a member of an object with its name.
func named(name string, text value.String, payload func(value.String) value.Value, replace func(value.Value) value.Value) value.Value {
	v, err := value.ParseString(string(text))
	if err != nil {
		return payload(text)
	}
	object, _ := replace(value.ObjectOf(value.Member{Key: name, Value: v})).(*value.Object)
	if cleaned := object.Get(name); cleaned != nil {
		return value.String(value.Compact(cleaned))
	}
	return value.String(`"` + recorder.Redacted + `"`)
}
