package value

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Limits bound the input of a decoder. A zero field means its default.
type Limits struct {
	// Bytes is the greatest size of a document. Default: [DefaultBytes].
	Bytes int64
	// Depth is the greatest nesting of arrays and objects. Default: [DefaultDepth].
	Depth int
}

// The limits that hold where none are given.
const (
	DefaultBytes = 256 << 20
	DefaultDepth = 1000
)

func (l Limits) withDefaults() Limits {
	if l.Bytes <= 0 {
		l.Bytes = DefaultBytes
	}
	if l.Depth <= 0 {
		l.Depth = DefaultDepth
	}
	return l
}

// SyntaxError says where a text stops being JSON.
type SyntaxError struct {
	Offset    int64 // in bytes, from 0
	Line, Col int   // from 1; Col counts characters
	Msg       string
}

// Error implements error: "line 3, column 7: …".
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Col, e.Msg)
}

// LimitError says that a document is larger or deeper than allowed.
type LimitError struct {
	What  string // "bytes" or "levels of nesting"
	Limit int64
}

// Error implements error.
func (e *LimitError) Error() string {
	return fmt.Sprintf("the document has more than %d %s, the limit", e.Limit, e.What)
}

// byteOrderMark is put before a text by some editors; it is not part of the JSON.
var byteOrderMark = []byte("\xef\xbb\xbf")

// Parse decodes the one JSON value in data. White space and a byte order mark around it are
// accepted, anything else is not. Of members with the same key the last value holds, in the place of the first:
// [ParseNoting] returns them. Bytes that are not UTF-8 are refused; the escape of half a surrogate pair
// (\ud800), which the grammar of JSON allows, becomes U+FFFD.
// Errors are *[SyntaxError] and *[LimitError].
func Parse(data []byte, limits Limits) (Value, error) { return parse(data, limits, nil) }

// RepeatedKey is the key of a member that its object already has.
type RepeatedKey struct {
	Key       string
	Line, Col int // of the later member; both from 1, Col in characters
}

// maxRepeated bounds the number of repeated keys noted: repeated by mistake, they are few.
const maxRepeated = 100

// ParseNoting is [Parse], and returns the members that replaced one with the same key, in their
// order and at most the first hundred.
func ParseNoting(data []byte, limits Limits) (Value, []RepeatedKey, error) {
	var repeated []RepeatedKey
	v, err := parse(data, limits, &repeated)
	return v, repeated, err
}

func parse(data []byte, limits Limits, repeated *[]RepeatedKey) (Value, error) {
	limits = limits.withDefaults()
	if int64(len(data)) > limits.Bytes {
		return nil, &LimitError{What: "bytes", Limit: limits.Bytes}
	}
	data = bytes.TrimPrefix(data, byteOrderMark)
	if err := checkUTF8(data); err != nil {
		return nil, err
	}
	if repeated == nil {
		q := quick{data: data, depth: limits.Depth}
		if v, ok := q.decode(); ok {
			return v, nil
		}
	}
	return parseTokens(data, limits, repeated)
}

// parseTokens is [Parse] by a tokenizer, of a valid text without a byte order mark.
func parseTokens(data []byte, limits Limits, repeated *[]RepeatedKey) (Value, error) {
	d := decoder{
		data: data, repeated: repeated,
		// It would refuse half a surrogate pair, too.
		tokens: jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)),
		depth:  limits.Depth,
	}
	v, err := d.value(0)
	if err == nil {
		err = d.end(data)
	}
	if err != nil {
		return nil, locate(err, data, d.tokens)
	}
	return v, nil
}

// checkUTF8 returns a *SyntaxError at the first byte that is not UTF-8.
func checkUTF8(data []byte) error {
	if utf8.Valid(data) {
		return nil
	}
	if IsUTF16(data) {
		return &SyntaxError{Line: 1, Col: 1, Msg: "the text is UTF-16: save it as UTF-8"}
	}
	at := 0
	for {
		c, size := utf8.DecodeRune(data[at:])
		if c == utf8.RuneError && size <= 1 {
			break
		}
		at += size
	}
	line, col := LineCol(data, int64(at))
	return &SyntaxError{Offset: int64(at), Line: line, Col: col, Msg: fmt.Sprintf("the text is not UTF-8: byte 0x%02X", data[at])}
}

// ParseString is [Parse] with the default limits.
func ParseString(text string) (Value, error) { return Parse([]byte(text), Limits{}) }

// Must returns the value that text is the JSON form of, and panics when text is not JSON.
// It is for literals in programs and tests.
func Must(text string) Value {
	v, err := ParseString(text)
	if err != nil {
		panic(fmt.Sprintf("value.Must(%q): %v", text, err))
	}
	return v
}

type decoder struct {
	tokens *jsontext.Decoder
	depth  int
	keys   map[string]string // one copy of each key, by its literal: documents repeat them

	data     []byte
	repeated *[]RepeatedKey // nil: they are not noted
}

// value decodes the next value, which is inside depth containers.
func (d *decoder) value(depth int) (Value, error) {
	token, err := d.tokens.ReadToken()
	if err != nil {
		return nil, err
	}
	switch token.Kind() {
	case 'n':
		return Null{}, nil
	case 't', 'f':
		return Bool(token.Kind() == 't'), nil
	case '"':
		return String(token.String()), nil
	case '0':
		text := token.String()
		if len(text) <= 3 && text[0] != '-' { // share the small integers; -0 is not 0 as written
			if n, ok := smallInteger(text); ok {
				return smallInts[n], nil
			}
		}
		return Number{text}, nil
	}
	if depth >= d.depth {
		return nil, &LimitError{What: "levels of nesting", Limit: int64(d.depth)}
	}
	if token.Kind() == '[' {
		return d.array(depth + 1)
	}
	return d.object(depth + 1)
}

func (d *decoder) array(depth int) (Value, error) {
	var items []Value
	for d.tokens.PeekKind() != ']' {
		item, err := d.value(depth)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	_, err := d.tokens.ReadToken()
	return NewArray(trimCapacity(items)), err
}

func (d *decoder) object(depth int) (Value, error) {
	var b ObjectBuilder
	for d.tokens.PeekKind() != '}' {
		key, length, err := d.key()
		if err != nil {
			return nil, err
		}
		start := d.tokens.InputOffset() - int64(length)
		v, err := d.value(depth)
		if err != nil {
			return nil, err
		}
		if isNew := b.Set(key, v); !isNew {
			d.note(key, start)
		}
	}
	_, err := d.tokens.ReadToken()
	b.members = trimCapacity(b.members)
	return b.Object(), err
}

// note remembers a repeated key whose literal begins at offset start.
func (d *decoder) note(key string, start int64) {
	if d.repeated == nil || len(*d.repeated) == maxRepeated {
		return
	}
	line, col := LineCol(d.data, start)
	*d.repeated = append(*d.repeated, RepeatedKey{Key: key, Line: line, Col: col})
}

// trimCapacity frees the spare capacity of a slice, where that is much.
func trimCapacity[T any](s []T) []T {
	if cap(s) <= 4 || cap(s)-len(s) <= len(s)/8 {
		return s
	}
	return append(make([]T, 0, len(s)), s...)
}

// maxInterned bounds the table of keys, for documents that use ids as keys.
const maxInterned = 4096

// key reads the key of a member, and returns the length of its literal as well. A known one costs no allocation.
func (d *decoder) key() (key string, length int, err error) {
	raw, err := d.tokens.ReadValue()
	if err != nil {
		return "", 0, err
	}
	if known, ok := d.keys[string(raw)]; ok {
		return known, len(raw), nil
	}
	// The tokenizer has checked the literal: an error only says that half a surrogate pair was replaced, as intended.
	unquoted, _ := jsontext.AppendUnquote(nil, raw)
	key = string(unquoted)
	if d.keys == nil {
		d.keys = make(map[string]string)
	}
	if len(d.keys) < maxInterned {
		d.keys[string(raw)] = key
	}
	return key, len(raw), nil
}

// end checks that nothing follows the value.
func (d *decoder) end(data []byte) error {
	after := d.tokens.InputOffset()
	_, err := d.tokens.ReadToken()
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err == nil {
		rest := data[after:]
		blanks := len(rest) - len(bytes.TrimLeft(rest, " \t\r\n"))
		return &SyntaxError{Offset: after + int64(blanks), Msg: "unexpected text after the value"}
	}
	return err
}

// locate turns an error of the tokenizer into one with line and column.
func locate(err error, data []byte, tokens *jsontext.Decoder) error {
	var limit *LimitError
	if errors.As(err, &limit) {
		return limit
	}
	offset, msg := tokens.InputOffset(), err.Error()
	var own *SyntaxError
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.As(err, &own):
		offset, msg = own.Offset, own.Msg
	case errors.As(err, &syntactic):
		offset, msg = syntactic.ByteOffset, syntactic.Err.Error()
	case errors.Is(err, io.EOF):
		offset, msg = int64(len(data)), "the document is empty"
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		offset, msg = int64(len(data)), "the text ends inside the value"
	}
	if closing := trailingComma(data, offset); closing != "" {
		msg = "a comma before " + closing
	}
	line, col := LineCol(data, offset)
	return &SyntaxError{Offset: offset, Line: line, Col: col, Msg: msg}
}

// trailingComma returns the closing bracket when a comma at offset is right before one.
func trailingComma(data []byte, offset int64) string {
	if offset < 0 || offset >= int64(len(data)) || data[offset] != ',' {
		return ""
	}
	rest := bytes.TrimLeft(data[offset+1:], " \t\r\n")
	if len(rest) > 0 && (rest[0] == ']' || rest[0] == '}') {
		return string(rest[:1])
	}
	return ""
}

// LineCol returns the line and the column, both from 1, of the byte at offset. A column is a
// character, whatever its width; an offset beyond the text means its end.
func LineCol(data []byte, offset int64) (line, col int) {
	before := data[:min(max(offset, 0), int64(len(data)))]
	line = 1 + bytes.Count(before, []byte("\n"))
	last := bytes.LastIndexByte(before, '\n')
	return line, 1 + utf8.RuneCount(before[last+1:])
}

// UTF8 returns a text in UTF-8. One that begins with the byte order mark of UTF-16, as the shell of Windows writes it into a file, is
// converted; half a surrogate pair becomes U+FFFD. Any other text is returned as it is.
func UTF8(data []byte) []byte {
	order := orderOfUTF16(data)
	if order == nil || len(data)%2 != 0 {
		return data
	}
	units := make([]uint16, 0, len(data)/2)
	for i := 2; i < len(data); i += 2 {
		units = append(units, order.Uint16(data[i:]))
	}
	out := make([]byte, 0, len(units))
	for _, c := range utf16.Decode(units) {
		out = utf8.AppendRune(out, c)
	}
	return out
}

// IsUTF16 reports whether a text begins with the byte order mark of UTF-16.
func IsUTF16(data []byte) bool { return orderOfUTF16(data) != nil }

// orderOfUTF16 returns the order of the bytes that a mark names, nil where there is none.
func orderOfUTF16(data []byte) binary.ByteOrder {
	switch {
	case len(data) < 2:
	case data[0] == 0xFF && data[1] == 0xFE:
		return binary.LittleEndian
	case data[0] == 0xFE && data[1] == 0xFF:
		return binary.BigEndian
	}
	return nil
}
