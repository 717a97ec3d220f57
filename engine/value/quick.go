package value

import "bytes"

// quick decodes JSON without a tokenizer. It gives up at what is unusual or wrong, and leaves that, and the message, to the
// tokenizer. The text is valid UTF-8.
type quick struct {
	data  []byte
	at    int
	depth int
	keys  map[string]string // one copy of each key, of a long text
	text  []byte            // of a string with escapes
}

// internFrom is the length of a text, in bytes, from which its keys are shared.
const internFrom = 1 << 10

// decode decodes the whole text; ok is false where it gave up.
func (q *quick) decode() (v Value, ok bool) {
	if len(q.data) >= internFrom {
		q.keys = make(map[string]string)
	}
	if v, ok = q.value(0); !ok {
		return nil, false
	}
	q.blanks()
	return v, q.at == len(q.data)
}

// blanks passes over white space.
func (q *quick) blanks() {
	for q.at < len(q.data) {
		switch q.data[q.at] {
		case ' ', '\t', '\r', '\n':
			q.at++
		default:
			return
		}
	}
}

// next passes over white space and returns the byte behind it; 0 at the end.
func (q *quick) next() byte {
	q.blanks()
	if q.at == len(q.data) {
		return 0
	}
	return q.data[q.at]
}

// value decodes the next value, which is inside depth containers.
func (q *quick) value(depth int) (Value, bool) {
	switch c := q.next(); c {
	case '{', '[':
		if depth >= q.depth {
			return nil, false
		}
		q.at++
		if c == '[' {
			return q.array(depth + 1)
		}
		return q.object(depth + 1)
	case '"':
		raw, ok := q.string()
		if !ok {
			return nil, false
		}
		return String(raw), true
	case 'n':
		return Null{}, q.word("null")
	case 't':
		return Bool(true), q.word("true")
	case 'f':
		return Bool(false), q.word("false")
	}
	return q.number()
}

// word passes over a word.
func (q *quick) word(word string) bool {
	if !bytes.HasPrefix(q.data[q.at:], []byte(word)) {
		return false
	}
	q.at += len(word)
	return true
}

func (q *quick) number() (Value, bool) {
	start := q.at
	for q.at < len(q.data) {
		c := q.data[q.at]
		if (c < '0' || c > '9') && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E' {
			break
		}
		q.at++
	}
	raw := q.data[start:q.at]
	if len(raw) > 0 && len(raw) <= 3 && raw[0] >= '1' && raw[0] <= '9' || len(raw) == 1 && raw[0] == '0' { // share the small integers
		n, whole := 0, true
		for _, c := range raw {
			n, whole = 10*n+int(c-'0'), whole && c >= '0' && c <= '9'
		}
		if whole {
			return smallInts[n], true
		}
	}
	text := string(raw)
	if !isNumber(text) {
		return nil, false
	}
	return Number{text}, true
}

func (q *quick) array(depth int) (Value, bool) {
	var items []Value
	if q.next() == ']' {
		q.at++
		return NewArray(items), true
	}
	for {
		item, ok := q.value(depth)
		if !ok {
			return nil, false
		}
		items = append(items, item)
		switch q.next() {
		case ',':
			q.at++
		case ']':
			q.at++
			return NewArray(trimCapacity(items)), true
		default:
			return nil, false
		}
	}
}

func (q *quick) object(depth int) (Value, bool) {
	var b ObjectBuilder
	if q.next() == '}' {
		q.at++
		return b.Object(), true
	}
	for {
		if q.next() != '"' {
			return nil, false
		}
		key, ok := q.key()
		if !ok || q.next() != ':' {
			return nil, false
		}
		q.at++
		v, ok := q.value(depth)
		if !ok {
			return nil, false
		}
		b.Set(key, v)
		switch q.next() {
		case ',':
			q.at++
		case '}':
			q.at++
			b.members = trimCapacity(b.members)
			return b.Object(), true
		default:
			return nil, false
		}
	}
}

// key decodes a key.
func (q *quick) key() (string, bool) {
	raw, ok := q.string()
	if !ok {
		return "", false
	}
	if q.keys == nil {
		return string(raw), true
	}
	if known, ok := q.keys[string(raw)]; ok {
		return known, true
	}
	key := string(raw)
	if len(q.keys) < maxInterned {
		q.keys[key] = key
	}
	return key, true
}

// string returns the text of a string, which is valid until the next one is decoded.
func (q *quick) string() (raw []byte, ok bool) {
	q.at++
	start := q.at
	for ; q.at < len(q.data); q.at++ {
		switch c := q.data[q.at]; {
		case c == '"':
			raw = q.data[start:q.at]
			q.at++
			return raw, true
		case c == '\\':
			return q.escaped(start)
		case c < ' ':
			return nil, false
		}
	}
	return nil, false
}

// escapes are the characters that escapes of one character mean.
var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escaped is string for one that has an escape, which begins at start. It gives up at \u.
func (q *quick) escaped(start int) (raw []byte, ok bool) {
	q.text = append(q.text[:0], q.data[start:q.at]...)
	for ; q.at < len(q.data); q.at++ {
		c := q.data[q.at]
		switch {
		case c == '"':
			q.at++
			return q.text, true
		case c < ' ':
			return nil, false
		case c == '\\':
			if q.at++; q.at == len(q.data) {
				return nil, false
			}
			if c = escapes[q.data[q.at]]; c == 0 {
				return nil, false
			}
		}
		q.text = append(q.text, c)
	}
	return nil, false
}
