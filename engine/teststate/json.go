package teststate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"asldb/engine/value"
)

// Object returns the response as the API writes it: payloads and stages are strings that hold JSON. With
// values they are the JSON itself, which is easier to read.
func (r *Response) Object(values bool) *value.Object {
	var b value.ObjectBuilder
	text := func(v value.Value, exact string) value.Value {
		switch {
		case values:
			return v
		case exact != "":
			return value.String(exact)
		}
		return value.String(value.Compact(v))
	}
	if r.Output != nil {
		b.Set("output", text(r.Output, r.outputText))
	}
	if r.Error != "" {
		b.Set("error", value.String(r.Error))
	}
	if r.Cause != "" {
		b.Set("cause", value.String(r.Cause))
	}
	if r.Inspection != nil {
		var inspection value.ObjectBuilder
		for key, v := range r.Inspection.All() {
			if !isCount(key) {
				v = text(v, "")
			}
			inspection.Set(key, v)
		}
		b.Set("inspectionData", inspection.Object())
	}
	if r.NextState != "" {
		b.Set("nextState", value.String(r.NextState))
	}
	b.Set("status", value.String(r.Status.String()))
	return b.Object()
}

// isCount tells the members of inspectionData that are not JSON texts.
func isCount(key string) bool {
	switch key {
	case "maxConcurrency", "toleratedFailureCount", "toleratedFailurePercentage", "errorDetails":
		return true
	}
	return false
}

// ParseMock reads TestState's mock: {"result": JSON text} or {"errorOutput": {"error", "cause"}}, and
// "fieldValidationMode". A result that is JSON other than a string is taken as it is. The error is a *[Refusal].
func ParseMock(v value.Value) (*Mock, error) {
	p := parameters{name: "mock"}
	object := p.object(v, "result", "errorOutput", "fieldValidationMode")
	mock := &Mock{}
	if result := object.Get("result"); result != nil {
		text, isText := result.(value.String)
		if !isText {
			text = value.String(value.Compact(result))
		}
		exact := string(text)
		mock.Result = &exact
	}
	if output := object.Get("errorOutput"); output != nil {
		of := parameters{name: "mock.errorOutput"}
		members := of.object(output, "error", "cause")
		mock.Error = &ErrorOutput{Error: of.text(members, "error"), Cause: of.text(members, "cause")}
		p.first(of.err)
	}
	mode, err := memberOf(validations, p.text(object, "fieldValidationMode"), "mock.fieldValidationMode")
	if p.first(err); p.err != nil {
		return nil, p.err
	}
	mock.Validation = Validation(mode)
	return mock, nil
}

// ParseConfiguration reads TestState's stateConfiguration. Data of an ItemReader that is JSON other than a
// string is taken as it is. The error is a *[Refusal].
func ParseConfiguration(v value.Value) (Configuration, error) {
	p := parameters{name: "stateConfiguration"}
	object := p.object(v, "retrierRetryCount", "errorCausedByState", "mapIterationFailureCount", "mapItemReaderData")
	c := Configuration{ErrorCausedByState: p.text(object, "errorCausedByState")}
	if object.Get("errorCausedByState") == value.String("") {
		p.first(badLength("stateConfiguration.errorCausedByState"))
	}
	if count := p.count(object, "retrierRetryCount"); count != nil {
		c.RetrierRetryCount = *count
	}
	c.MapIterationFailureCount = p.count(object, "mapIterationFailureCount")
	if data := object.Get("mapItemReaderData"); data != nil {
		text, isText := data.(value.String)
		if !isText {
			text = value.String(value.Compact(data))
		}
		exact := string(text)
		c.MapItemReaderData = &exact
	}
	if p.err != nil {
		return Configuration{}, p.err
	}
	return c, nil
}

// parameters reads the members of one parameter and keeps the first fault.
type parameters struct {
	name string
	err  error
}

func (p *parameters) first(err error) {
	p.err = cmp.Or(p.err, err)
}

func (p *parameters) fail(format string, args ...any) {
	p.first(&Refusal{Name: badParameter, Message: "Parameter validation failed:\n" + fmt.Sprintf(format, args...)})
}

// object returns v, or an empty object where it is none, and notes the members that it should not have.
func (p *parameters) object(v value.Value, known ...string) *value.Object {
	object, ok := v.(*value.Object)
	if !ok {
		p.fail("Invalid type for parameter %s: expected an object, found %s", p.name, value.KindOf(v))
		return value.ObjectOf()
	}
	for key := range object.All() {
		if !slices.Contains(known, key) {
			p.fail("Unknown parameter in %s: \"%s\", must be one of: %s", p.name, key, strings.Join(known, ", "))
		}
	}
	return object
}

func (p *parameters) text(object *value.Object, key string) string {
	v := object.Get(key)
	text, ok := v.(value.String)
	if v != nil && !ok {
		p.fail("Invalid type for parameter %s.%s: expected a string, found %s", p.name, key, value.KindOf(v))
	}
	return string(text)
}

func (p *parameters) count(object *value.Object, key string) *int64 {
	v := object.Get(key)
	if v == nil {
		return nil
	}
	number, _ := v.(value.Number)
	count, whole := number.Int64()
	if v.Kind() != value.KindNumber || !whole {
		p.fail("Invalid type for parameter %s.%s: expected a whole number, found %s", p.name, key, value.Preview(v, 40))
		return nil
	}
	return &count
}
