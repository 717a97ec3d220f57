package jsonata

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"asldb/engine/value"
	"asldb/internal/wording"
)

// writer writes the JSON text of a value as $string gives it.
type writer struct {
	run    *run
	out    []byte
	pretty bool
}

// textOf is $string: the text of a value, "" for nothing and for a function.
func (r *run) textOf(v any, pretty bool) (string, error) {
	switch v := v.(type) {
	case nil:
		return "", nil
	case value.String:
		return string(v), nil
	case *function:
		return "", nil
	case float64:
		if math.IsInf(v, 0) || v != v {
			return "", fail("D3001").value(v)
		}
	case *list:
		if v.wrapper {
			return r.textOf(v.items[0], pretty)
		}
	}
	w := writer{run: r, pretty: pretty}
	if err := w.write(v, 0); err != nil {
		return "", err
	}
	return string(w.out), nil
}

// preciseText is the text of a number, rounded to 15 digits; down where it is Java's. From 2.1 on integers are not rounded.
func preciseText(f float64, extended, java bool) (string, error) {
	if math.IsInf(f, 0) {
		return "", fail("D1001").value(f)
	}
	if f == math.Trunc(f) && (extended || math.Abs(f) < 1e15) {
		return numberText(f), nil
	}
	text := strconv.FormatFloat(f, 'e', 14, 64)
	if java {
		text = roundedDown(f)
	}
	rounded, err := strconv.ParseFloat(text, 64)
	if err != nil {
		rounded = f
	}
	if java && math.Abs(f) >= 1e15 {
		return strconv.FormatFloat(rounded, 'e', -1, 64), nil
	}
	return numberText(rounded), nil
}

// roundedDown is the text of a number with 15 digits, rounded towards negative infinity on the decimal as it is written.
func roundedDown(f float64) string {
	digits, exponent, _ := strings.Cut(strconv.FormatFloat(math.Abs(f), 'e', -1, 64), "e")
	const most = 16 // with the point
	cut := digits[:min(len(digits), most)]
	switch {
	case f >= 0:
		return cut + "e" + exponent
	case len(digits) <= most:
		return "-" + cut + "e" + exponent
	}
	last, _ := strconv.ParseUint(strings.Replace(cut, ".", "", 1), 10, 64)
	power, _ := strconv.Atoi(exponent)
	return "-" + strconv.FormatUint(last+1, 10) + "e" + strconv.Itoa(power-most+2)
}

func (w *writer) write(v any, depth int) error {
	if depth > maxNesting {
		return tooDeep()
	}
	if err := w.run.step(1); err != nil {
		return err
	}
	before := len(w.out)
	switch v := v.(type) {
	case float64, value.Number:
		f, _ := value.Double(v)
		if f != f {
			w.out = append(w.out, "null"...)
			break
		}
		if n, ok := v.(value.Number); ok && w.run.profile.java {
			if i, whole := n.Int64(); whole {
				w.out = strconv.AppendInt(w.out, i, 10)
				break
			}
		}
		text, err := preciseText(f, w.run.options.Extended || w.run.profile.java, w.run.profile.java)
		if err != nil {
			return err
		}
		w.out = append(w.out, text...)
	case value.String:
		w.quoted(string(v))
	case value.Bool:
		w.out = strconv.AppendBool(w.out, bool(v))
	case *function:
		w.out = append(w.out, `""`...)
	default:
		if items, ok := viewOf(v); ok {
			return w.array(items, depth)
		}
		if o, ok := fieldsOf(v); ok {
			return w.object(o, depth)
		}
		w.out = append(w.out, "null"...)
	}
	return w.run.takeText(len(w.out) - before)
}

func (w *writer) array(items view, depth int) error {
	w.out = append(w.out, '[')
	n := items.len()
	for i := 0; i < n; i++ {
		w.line(i, depth+1)
		if err := w.write(items.at(i), depth+1); err != nil {
			return err
		}
	}
	if n > 0 {
		w.line(0, depth)
	}
	w.out = append(w.out, ']')
	return nil
}

func (w *writer) object(o fields, depth int) error {
	w.out = append(w.out, '{')
	written := 0
	for i, n := 0, o.len(); i < n; i++ {
		key, v := o.at(i)
		if v == nil {
			continue
		}
		w.line(written, depth+1)
		written++
		w.quoted(key)
		w.out = append(w.out, ':')
		if w.pretty {
			w.out = append(w.out, ' ')
		}
		if err := w.write(v, depth+1); err != nil {
			return err
		}
	}
	if written > 0 {
		w.line(0, depth)
	}
	w.out = append(w.out, '}')
	return nil
}

// quoted writes a string. In Java's profile control characters without a letter are not escaped.
func (w *writer) quoted(s string) {
	before := len(w.out)
	w.out = value.AppendQuoted(w.out, s)
	if text := w.out[before:]; w.run.profile.java && bytes.Contains(text, []byte(`\u00`)) {
		raw := control().ReplaceAllFunc(text, func(escape []byte) []byte {
			if escape[1] == '\\' {
				return escape
			}
			code, _ := strconv.ParseUint(string(escape[4:]), 16, 8)
			return []byte{byte(code)}
		})
		w.out = append(w.out[:before], raw...)
	}
}

// control is an escaped control character, or an escaped backslash, after which no escape begins.
var control = wording.Pattern(`\\\\|\\u00[01][0-9a-f]`)

// line writes the separator and indentation before item i.
func (w *writer) line(i, depth int) {
	if i > 0 {
		w.out = append(w.out, ',')
	}
	if !w.pretty {
		return
	}
	w.out = append(w.out, '\n')
	for ; depth > 0; depth-- {
		w.out = append(w.out, ' ', ' ')
	}
}
