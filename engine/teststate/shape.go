package teststate

import (
	"slices"
	"unicode/utf16"

	"asldb/engine/services"
	"asldb/engine/value"
)

// checkShape refuses a mocked result that the service would not give.
func checkShape(resource string, result value.Value, mode Validation) error {
	call, ok := services.CallOf(resource)
	if mode == None || !ok {
		return nil
	}
	return check(call.Mock(), result, &fitter{required: mode != Present})
}

// CheckResult refuses a result that the task of a Resource would not give, as far as its shape is known: in the words of
// TestState about a mock (a *[Refusal]). A time may be a number, as executions have it.
func CheckResult(resource string, result value.Value) error {
	call, ok := services.CallOf(resource)
	if !ok {
		return nil
	}
	known, _ := call.Result()
	// The descriptions of ended jobs are not recorded but for executions': no member must be in them.
	return check(known.Shape, result, &fitter{required: call.Pattern == "" || known.Complete, numericTimes: true})
}

func check(shape *services.Shape, result value.Value, f *fitter) error {
	switch {
	case shape == nil || shape.Kind != services.Structure || len(shape.Members) == 0:
		return nil
	case result.Kind() != value.KindObject:
		return refuse("Mocked result must be a JSON object.")
	}
	return f.fits(shape, result, "")
}

// Unchecked returns the action (SERVICE:ACTION) of an SDK integration whose results cannot be checked, since the table of
// services does not have it; empty for any other Resource.
func Unchecked(resource string) string {
	call, ok := services.CallOf(resource)
	if !ok || !call.SDK || call.Operation != nil || call.Pattern != "" {
		return ""
	}
	return call.ServiceName + ":" + call.Action
}

// fitter compares a result with its model.
type fitter struct {
	required     bool // members that are required must be there
	numericTimes bool // a time may be a number
}

// fits checks the value of the field called name.
func (f *fitter) fits(shape *services.Shape, v value.Value, name string) error {
	switch shape.Kind {
	case services.Any:
		return nil
	case services.Structure:
		object, ok := v.(*value.Object)
		if !ok {
			return wrongKind(name, "an object")
		}
		return f.members(shape, object)
	case services.Map:
		object, ok := v.(*value.Object)
		if !ok {
			return wrongKind(name, "an object")
		}
		for _, member := range object.All() {
			if err := f.fits(shape.Item, member, name); err != nil {
				return err
			}
		}
		return nil
	case services.List:
		array, ok := v.(*value.Array)
		if !ok {
			return wrongKind(name, "an array")
		}
		for _, item := range array.All() {
			if err := f.fits(shape.Item, item, name); err != nil {
				return err
			}
		}
		return nil
	case services.Boolean:
		if v.Kind() != value.KindBool {
			return wrongKind(name, "a boolean")
		}
		return nil
	case services.Integer, services.Float:
		return checkNumber(shape, v, name)
	case services.String, services.Blob, services.Timestamp:
	}
	if shape.Kind == services.Timestamp && f.numericTimes && v.Kind() == value.KindNumber {
		return nil
	}
	return text(shape, v, name)
}

func (f *fitter) members(shape *services.Shape, object *value.Object) error {
	if f.required {
		for i := range shape.Members {
			if m := &shape.Members[i]; m.Required && memberValue(shape, object, m) == nil {
				return refuse("Mock result schema validation error: Required field '%s' is missing", m.Name)
			}
		}
	}
	for field, v := range object.All() {
		of, found := shape.Member(field)
		if !found {
			continue
		}
		if err := f.fits(of.Shape, v, field); err != nil {
			return err
		}
	}
	return nil
}

// memberValue returns the value of a member, nil where there is none.
func memberValue(shape *services.Shape, object *value.Object, m *services.Member) value.Value {
	if v := object.Get(m.Name); v != nil {
		return v
	}
	if known, found := shape.Member(m.Model); found && known == m {
		return object.Get(m.Model)
	}
	return nil
}

func checkNumber(shape *services.Shape, v value.Value, name string) error {
	n, ok := v.(value.Number)
	if !ok {
		return wrongKind(name, "a number")
	}
	switch f := n.Float64(); {
	case shape.Min != nil && f < *shape.Min:
		return refuse("Mock result schema validation error: Field '%s' is less than the minimum value", name)
	case shape.Max != nil && f > *shape.Max:
		return refuse("Mock result schema validation error: Field '%s' exceeds the maximum value", name)
	}
	return nil
}

// text checks a string, a blob or a time. The text of a blob is longer than its content.
func text(shape *services.Shape, v value.Value, name string) error {
	s, ok := v.(value.String)
	if !ok {
		return wrongKind(name, "a string")
	}
	length := float64(len(utf16.Encode([]rune(string(s)))))
	switch {
	case len(shape.Enum) > 0 && !slices.Contains(shape.Enum, string(s)):
		return refuse("Mock result schema validation error: Field '%s' is not an expected value", name)
	case shape.Min != nil && length < *shape.Min:
		return refuse("Mock result schema validation error: Field '%s' is smaller than the minimum length", name)
	case shape.Max != nil && length > *shape.Max && shape.Kind == services.String:
		return refuse("Mock result schema validation error: Field '%s' exceeds the maximum length", name)
	}
	return nil
}

func wrongKind(field, expected string) error {
	return refuse("Mock result schema validation error: Field '%s' must be %s", field, expected)
}
