package items

import (
	"bytes"
	"errors"
	"strconv"
	"strings"

	"asldb/engine/value"
)

// nonIterable is the recorded cause of a JSON dataset that is no array.
const nonIterable = "Attempting to map over non-iterable node."

// jsonArray reads an object that is a JSON array, or has one at the ItemsPointer.
func jsonArray(r *Reading, from Object, body []byte) error {
	v, err := value.Parse(body, value.Limits{})
	if err != nil {
		return r.fault(from, "The dataset is not JSON: %v", err)
	}
	if pointer := r.config.ItemsPointer; pointer != "" {
		found, ok := at(v, pointer)
		if !ok {
			return r.fault(from, "The ItemsPointer %q points to nothing in the dataset", pointer)
		}
		v = found
	}
	array, ok := v.(*value.Array)
	if !ok {
		return r.fault(from, nonIterable)
	}
	for _, item := range array.All() {
		if !r.add(item) {
			break
		}
	}
	return nil
}

// at finds the value that a JSON Pointer (RFC 6901) points to.
func at(v value.Value, pointer string) (value.Value, bool) {
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		token = value.UnescapePointer(token)
		switch container := v.(type) {
		case *value.Object:
			if v = container.Get(token); v == nil {
				return nil, false
			}
		case *value.Array:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= container.Len() || strconv.Itoa(i) != token {
				return nil, false
			}
			v = container.At(i)
		default:
			return nil, false
		}
	}
	return v, true
}

// jsonLines reads an object that has one JSON value in each line. Lines without any are passed over.
func jsonLines(r *Reading, from Object, body []byte) error {
	number := 0
	for line := range bytes.Lines(body) {
		number++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		item, err := value.Parse(line, value.Limits{})
		if err != nil {
			var syntax *value.SyntaxError
			if errors.As(err, &syntax) {
				return r.fault(from, "Line %d, column %d of the dataset is not JSON: %s", number, syntax.Col, syntax.Msg)
			}
			return r.fault(from, "Line %d of the dataset is not JSON: %v", number, err)
		}
		if !r.add(item) {
			break
		}
	}
	return nil
}
