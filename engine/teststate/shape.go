package teststate

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"asldb/engine"
	"asldb/engine/value"
)

// shapesText has the shapes of the responses of services, by service and operation, in the letter case that Step
// Functions gives the fields. A shape is a kind ("string", "number", "boolean", "object", "any"), a kind
// with the words that it takes ("string|ON|OFF"), an array with the shape of its items, or an object with
// those of its fields. A field whose name ends in "!" is required; "*" stands for a field of any name.
// Only common operations are there: the result of any other is taken as it is.
//
//go:embed shapes.json
var shapesText []byte

// The operation that tells how a job has ended, where a task waits for that.
func pollingOperation(operation string) string {
	if operation == "sfn:startExecution" {
		return "sfn:describeExecution"
	}
	return ""
}

// operationOf names the operation whose answer the task's result is; empty where it is none: a function's
// own result, that of an activity, or a result sent with the task token.
func operationOf(resource string) string {
	integration := engine.IntegrationOf(resource)
	service := integration.ResourceType
	switch integration.Kind {
	case engine.SDKTask:
		service = strings.TrimPrefix(service, "aws-sdk:")
	case engine.OptimizedTask:
		switch service {
		case "states":
			service = "sfn"
		case "events":
			service = "eventbridge"
		case "bedrock":
			service = "bedrockruntime"
		}
	default:
		return ""
	}
	action, _, _ := strings.Cut(integration.Resource, ".")
	operation := service + ":" + action
	switch integration.Pattern {
	case engine.RunJob:
		return pollingOperation(operation)
	case engine.WaitForToken:
		return ""
	case engine.RequestResponse:
	}
	return operation
}

// shapes is the table, read once.
var shapes = sync.OnceValue(func() *value.Object {
	read, err := value.Parse(shapesText, value.Limits{})
	if err != nil {
		return value.ObjectOf() // a test reads the file
	}
	return read.(*value.Object)
})

// shapeOf returns the shape of an operation's answer, nil where it is not known.
func shapeOf(operation string) value.Value { return shapes().Get(operation) }

// Shape returns the shape of the response of a task's Resource, in the form of the table that results are
// checked against; nil where it is not known. A shape is the name of a kind ("string", "number", "boolean", "object",
// "any"), such a name with the words that it takes ("string|ON|OFF"), an array with the shape of its items, or an object with
// those of its fields, whose names end in "!" where they are required; the name "*" stands for any.
func Shape(resource string) value.Value { return shapeOf(operationOf(resource)) }

// Sample returns the least that the service of a task's Resource answers: every field that is required, with a value
// that only shows its type. It is nil where the shape is not known, or has no such field.
func Sample(resource string) value.Value {
	shape, ok := shapeOf(operationOf(resource)).(*value.Object)
	if !ok {
		return nil
	}
	return sampleOfFields(shape)
}

func sampleOfFields(shape *value.Object) value.Value {
	var b value.ObjectBuilder
	for field, of := range shape.All() {
		if name, required := strings.CutSuffix(field, "!"); required {
			b.Set(name, sampleOf(of))
		}
	}
	made := b.Object()
	if made.Len() == 0 {
		return nil
	}
	return made
}

func sampleOf(shape value.Value) value.Value {
	switch shape := shape.(type) {
	case *value.Object:
		return value.ObjectOf()
	case *value.Array:
		return value.ArrayOf()
	case value.String:
		kind, words, listed := strings.Cut(string(shape), "|")
		switch {
		case listed: // the first word may be one on the way, such as RUNNING
			for word := range strings.SplitSeq(words, "|") {
				if word == "SUCCEEDED" {
					return value.String(word)
				}
			}
			word, _, _ := strings.Cut(words, "|")
			return value.String(word)
		case kind == "number":
			return value.Int(0)
		case kind == "boolean":
			return value.Bool(true)
		case kind == "object", kind == "any":
			return value.ObjectOf()
		}
	}
	return value.String("")
}

// checkShape refuses a mocked result that the service would not give.
func checkShape(resource string, result value.Value, mode Validation) error {
	if mode == None {
		return nil
	}
	shape := shapeOf(operationOf(resource))
	if shape == nil {
		return nil
	}
	if result.Kind() != value.KindObject {
		return refuse("Mocked result must be a JSON object.")
	}
	return fits(shape, result, "", mode != Present)
}

// fits checks a value of the field called name against a shape.
func fits(shape, v value.Value, name string, strict bool) error {
	switch shape := shape.(type) {
	case *value.Object:
		object, ok := v.(*value.Object)
		if !ok {
			return wrongKind(name, "an object")
		}
		return fieldsFit(shape, object, name, strict)
	case *value.Array:
		array, ok := v.(*value.Array)
		if !ok {
			return wrongKind(name, "an array")
		}
		for _, item := range array.All() {
			if err := fits(shape.At(0), item, name, strict); err != nil {
				return err
			}
		}
		return nil
	}
	text, _ := shape.(value.String)
	return kindFits(string(text), v, name)
}

func fieldsFit(shape, object *value.Object, name string, strict bool) error {
	if every := shape.Get("*"); every != nil {
		for _, member := range object.All() {
			if err := fits(every, member, name, strict); err != nil {
				return err
			}
		}
		return nil
	}
	for field := range shape.All() {
		required, isRequired := strings.CutSuffix(field, "!")
		if strict && isRequired && object.Get(required) == nil {
			return refuse("Mock result schema validation error: Required field '%s' is missing", required)
		}
	}
	for field, member := range object.All() {
		of := shape.Get(field)
		if of == nil {
			of = shape.Get(field + "!")
		}
		if of == nil {
			continue
		}
		if err := fits(of, member, field, strict); err != nil {
			return err
		}
	}
	return nil
}

func kindFits(shape string, v value.Value, name string) error {
	words := strings.Split(shape, "|")
	switch kind := words[0]; kind {
	case "any":
		return nil
	case "object":
		if v.Kind() != value.KindObject {
			return wrongKind(name, "an object")
		}
		return nil
	default:
		if v.Kind().String() != kind {
			return wrongKind(name, "a "+kind)
		}
	}
	if text, ok := v.(value.String); ok && len(words) > 1 && !slices.Contains(words[1:], string(text)) {
		return refuse("Mock result schema validation error: Field '%s' is not an expected value", name)
	}
	return nil
}

func wrongKind(field, expected string) error {
	return refuse("Mock result schema validation error: Field '%s' must be %s", field, expected)
}

// CheckResult refuses a result that the service of a Resource would not give, as far as its shape is known: in the
// words of TestState about a mock (a *[Refusal]).
func CheckResult(resource string, result value.Value) error {
	return checkShape(resource, result, Strict)
}
