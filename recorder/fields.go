package recorder

import (
	"encoding/base64"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"

	"asldb/engine/value"
)

// fields reads the members of a line, and notes the first that is not as it should be. A member that is absent
// is the zero value. Only the members that are asked for are decoded.
type fields struct {
	object  *value.Object // nil where the line was only taken apart
	members []member
	fault   string
}

// member is a member of a line as it is written there.
type member struct {
	key, text []byte
	value     value.Value // nil until it was asked for
}

// fields takes a line apart. The result is to be given back with done.
func (d *decoder) fields(line []byte) (*fields, error) {
	f := &fields{}
	if n := len(d.spare); n > 0 {
		f, d.spare = d.spare[n-1], d.spare[:n-1]
	}
	if f.members == nil {
		f.members = make([]member, 0, 24)
	}
	if f.split(line) {
		return f, nil
	}
	f.members = f.members[:0]
	object, err := parseLine(line) // it has an unusual form, or is wrong
	if err != nil {
		d.done(f)
		return nil, err
	}
	f.object = object
	return f, nil
}

// done gives back the members of a line, which are not used any more: their memory serves for the next line.
func (d *decoder) done(f *fields) {
	clear(f.members)
	*f = fields{members: f.members[:0]}
	d.spare = append(d.spare, f)
}

// split finds where the members of a line begin and end, if it is written as asldb writes lines.
func (f *fields) split(line []byte) bool {
	if len(line) < 2 || line[0] != '{' {
		return false
	}
	for i := 1; i < len(line); {
		if line[i] != '"' {
			return false
		}
		end := i + 1
		for end < len(line) && line[end] != '"' {
			if c := line[end]; c < ' ' || c >= 0x7f || c == '\\' {
				return false
			}
			end++
		}
		if end+1 >= len(line) || line[end+1] != ':' {
			return false
		}
		m := member{key: line[i+1 : end]}
		from := end + 2
		i = endOfValue(line, from)
		if i == from || i >= len(line) {
			return false
		}
		m.text = line[from:i]
		f.members = append(f.members, m)
		if line[i] == '}' {
			return i == len(line)-1
		}
		i++
	}
	return false
}

// endOfValue returns where the value ends that begins at i: at the comma or the bracket behind it, or at the end of the
// line. What is wrong in it comes out when it is decoded.
func endOfValue(line []byte, i int) int {
	for depth := 0; i < len(line); i++ {
		switch line[i] {
		case '"':
			for i++; i < len(line) && line[i] != '"'; i++ {
				if line[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return i
			}
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
	return len(line)
}

// find returns the member of a line that was only taken apart, or nil.
func (f *fields) find(key string) *member {
	for i := range f.members {
		if string(f.members[i].key) == key {
			return &f.members[i]
		}
	}
	return nil
}

// has reports whether there is such a member.
func (f *fields) has(key string) bool {
	if f.object != nil {
		return f.object.Get(key) != nil
	}
	return f.find(key) != nil
}

func (f *fields) get(key string) value.Value {
	if f.object != nil {
		return f.object.Get(key)
	}
	m := f.find(key)
	if m == nil {
		return nil
	}
	if m.value == nil {
		v, err := value.Parse(m.text, lineLimits)
		if err != nil {
			if f.fault == "" {
				f.fault = fmt.Sprintf("is not JSON: under %q: %v", key, err)
			}
			return nil
		}
		m.value = v
	}
	return m.value
}

// plain returns the text of a member that is a string without escapes, and of nothing but ASCII.
func (f *fields) plain(key string) (text []byte, ok bool) {
	m := f.find(key)
	if m == nil || len(m.text) < 2 || m.text[0] != '"' || m.text[len(m.text)-1] != '"' {
		return nil, false
	}
	text = m.text[1 : len(m.text)-1]
	for _, c := range text {
		if c < ' ' || c >= 0x7f || c == '\\' || c == '"' {
			return nil, false
		}
	}
	return text, true
}

func asObject(v value.Value) *value.Object {
	if object, ok := v.(*value.Object); ok {
		return object
	}
	return value.ObjectOf()
}

// wrong notes that a member is not of the expected form.
func (f *fields) wrong(key, expected string) {
	if f.fault == "" {
		f.fault = fmt.Sprintf("has under %q %s, and %s was expected", key, clip(value.Preview(f.get(key), 60)), expected)
	}
}

func (f *fields) text(key string) string {
	if text, ok := f.plain(key); ok {
		return string(text)
	}
	v := f.get(key)
	text, ok := v.(value.String)
	if v != nil && !ok {
		f.wrong(key, "a string")
	}
	return string(text)
}

func (f *fields) integer(key string) int64 {
	if m := f.find(key); m != nil && len(m.text) > 0 && len(m.text) < 18 && (m.text[0] != '0' || len(m.text) == 1) {
		n, whole := int64(0), true
		for _, c := range m.text {
			n, whole = 10*n+int64(c-'0'), whole && c >= '0' && c <= '9'
		}
		if whole {
			return n
		}
	}
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

// number reads a number from 0 to most.
func (f *fields) number(key string, most int64) int64 {
	n := f.integer(key)
	if n < 0 || n > most {
		f.wrong(key, "a number from 0 to "+strconv.FormatInt(most, 10))
		return 0
	}
	return n
}

func (f *fields) boolean(key string) bool {
	v := f.get(key)
	truth, ok := v.(value.Bool)
	if v != nil && !ok {
		f.wrong(key, "true or false")
	}
	return bool(truth)
}

// Times are nanoseconds since 1970 in 64 bits, which holds these years whole.
const (
	earliestYear = 1678
	latestYear   = 2261
)

func (f *fields) time(key string) time.Time {
	text := f.text(key)
	if text == "" {
		return time.Time{}
	}
	at, err := time.Parse(time.RFC3339Nano, text)
	switch {
	case err != nil:
		f.wrong(key, "a time (RFC 3339)")
	case at.Year() < earliestYear || at.Year() > latestYear:
		f.wrong(key, fmt.Sprintf("a time of the years %d to %d", earliestYear, latestYear))
		return time.Time{}
	}
	return at.UTC()
}

// seconds reads a number of seconds exactly.
func (f *fields) seconds(key string) time.Duration {
	v := f.get(key)
	if v == nil {
		return 0
	}
	// An exponent, which no trace has, could make an exact number of any length.
	if number, ok := v.(value.Number); ok && len(number.Text()) <= 40 && !strings.ContainsAny(number.Text(), "eE") {
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

// bytes reads the text under key, or the base64 under the key with this suffix.
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
