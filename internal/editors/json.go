package editors

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// JSONError returns an error of reading the JSON of a message in words for the user of an editor: the member, what it should be, and
// what it is.
func JSONError(err error) error {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return err
	}
	expected := "an object"
	switch wrong.Type.Kind() {
	case reflect.String:
		expected = "a string"
	case reflect.Bool:
		expected = "true or false"
	case reflect.Slice, reflect.Array:
		expected = "an array"
	case reflect.Int, reflect.Int32, reflect.Int64:
		expected = "an integer"
	case reflect.Float64:
		expected = "a number"
	default:
	}
	name := "it"
	if wrong.Field != "" {
		name = wrong.Field
	}
	found := "a " + wrong.Value
	switch {
	case wrong.Value == "bool":
		found = "true or false"
	case wrong.Value == "array" || wrong.Value == "object":
		found = "an " + wrong.Value
	case strings.HasPrefix(wrong.Value, "number "):
		found = strings.TrimPrefix(wrong.Value, "number ")
	}
	return fmt.Errorf("%s should be %s, not %s", name, expected, found)
}
