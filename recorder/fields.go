package recorder

import (
	"encoding/base64"
	"fmt"
	"math/big"
	"time"

	"asldb.dev/asldb/engine/value"
)

// fields reads the members of a line, and notes the first that is not as it should be. A member that is absent
// is the zero value.
type fields struct {
	object *value.Object
	fault  string
}

func asObject(v value.Value) *value.Object {
	if object, ok := v.(*value.Object); ok {
		return object
	}
	return value.ObjectOf()
}

func (f *fields) get(key string) value.Value { return f.object.Get(key) }

// wrong notes that a member is not what it should be.
func (f *fields) wrong(key, expected string) {
	if f.fault == "" {
		f.fault = fmt.Sprintf("has under %q %s, and %s was expected", key, clip(value.Preview(f.get(key), 60)), expected)
	}
}

func (f *fields) text(key string) string {
	v := f.get(key)
	text, ok := v.(value.String)
	if v != nil && !ok {
		f.wrong(key, "a string")
	}
	return string(text)
}

func (f *fields) integer(key string) int64 {
	v := f.get(key)
	if v == nil {
		return 0
	}
	if number, ok := v.(value.Number); ok {
		if n, whole := number.Int64(); whole {
			return n
		}
	}
	f.wrong(key, "a whole number")
	return 0
}

func (f *fields) boolean(key string) bool {
	v := f.get(key)
	truth, ok := v.(value.Bool)
	if v != nil && !ok {
		f.wrong(key, "true or false")
	}
	return bool(truth)
}

func (f *fields) time(key string) time.Time {
	text := f.text(key)
	if text == "" {
		return time.Time{}
	}
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		f.wrong(key, "a time (RFC 3339)")
	}
	return at.UTC()
}

// seconds reads a number of seconds exactly.
func (f *fields) seconds(key string) time.Duration {
	v := f.get(key)
	if v == nil {
		return 0
	}
	if number, ok := v.(value.Number); ok && len(number.Text()) <= 40 {
		if exact, ok := new(big.Rat).SetString(number.Text()); ok {
			exact.Mul(exact, big.NewRat(int64(time.Second), 1))
			if exact.IsInt() && exact.Num().IsInt64() {
				return time.Duration(exact.Num().Int64())
			}
		}
	}
	f.wrong(key, "a number of seconds")
	return 0
}

// bytes reads what stands as a text under key, or in base64 under the key with this suffix.
func (f *fields) bytes(key string) []byte {
	if encoded := f.text(key + base64Suffix); encoded != "" {
		data, err := base64.StdEncoding.DecodeString(encoded)
		if err != nil {
			f.wrong(key+base64Suffix, "base64")
		}
		return data
	}
	if f.get(key) == nil {
		return nil
	}
	return []byte(f.text(key))
}

const base64Suffix = "Base64"
