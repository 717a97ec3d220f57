package jsonata

import (
	"math"
	"strconv"

	"asldb/engine/value"
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

// preciseText is the text of a number, rounded to 15 digits. From 2.1 on integers are not rounded.
func preciseText(f float64, extended bool) (string, error) {
	if math.IsInf(f, 0) {
		return "", fail("D1001").value(f)
	}
	if f == math.Trunc(f) && (extended || math.Abs(f) < 1e15) {
		return numberText(f), nil
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(f, 'e', 14, 64), 64)
	if err != nil {
		rounded = f
	}
	return numberText(rounded), nil
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
		f, _ := numberOf(v)
		if f != f {
			w.out = append(w.out, "null"...)
			break
		}
		if n, ok := v.(value.Number); ok && w.run.profile.wholeDigits {
			if i, whole := n.Int64(); whole {
				w.out = strconv.AppendInt(w.out, i, 10)
				break
			}
		}
		text, err := preciseText(f, w.run.options.Extended || w.run.profile.wholeDigits)
		if err != nil {
			return err
		}
		w.out = append(w.out, text...)
	case value.String:
		w.out = value.AppendQuoted(w.out, string(v))
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
		w.out = append(value.AppendQuoted(w.out, key), ':')
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
