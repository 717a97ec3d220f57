package items

import (
	"bytes"

	"asldb/engine/asl"
	"asldb/engine/value"
)

// duplicateHeaders is the recorded cause of a header that is there twice.
const duplicateHeaders = "CSV headers cannot contain duplicates."

var byteOrderMark = []byte("\xef\xbb\xbf")

// delimited reads an object that is delimited text. Each row becomes an object of strings: a short row is
// filled up with "", surplus fields of a long one are dropped.
func delimited(r *Reading, from Object, body []byte) error {
	rows := &rowReader{rest: bytes.TrimPrefix(body, byteOrderMark), delimiter: r.config.CSVDelimiter.Byte()}
	headers := r.config.CSVHeaders
	if r.config.CSVHeaderLocation != asl.HeaderGiven {
		first, ok := rows.next()
		if !ok {
			return nil
		}
		headers = first
	}
	return r.rows(from, rows, headers)
}

// rows reads the remaining rows as objects with the given keys.
func (r *Reading) rows(from Object, rows *rowReader, headers []string) error {
	seen := make(map[string]bool, len(headers))
	for _, header := range headers {
		if seen[header] {
			return r.fault(from, duplicateHeaders)
		}
		seen[header] = true
	}
	for row, ok := rows.next(); ok; row, ok = rows.next() {
		members := make([]value.Member, len(headers))
		for i, header := range headers {
			cell := ""
			if i < len(row) {
				cell = row[i]
			}
			members[i] = value.Member{Key: header, Value: value.String(cell)}
		}
		if !r.add(value.NewObject(members)) {
			break
		}
	}
	return nil
}

// rowReader takes delimited text apart by Step Functions' rules, not by RFC 4180: a backslash escapes the delimiter, a
// quotation mark and itself and is dropped before anything else, and a doubled quotation mark is one even in a cell
// without quotation marks around it.
type rowReader struct {
	rest      []byte
	delimiter byte
}

// next returns the cells of the next row. A line with nothing at all in it isn't a row; one of white space is.
func (rows *rowReader) next() ([]string, bool) {
	for {
		blank := lineEnd(rows.rest)
		if blank == 0 {
			break
		}
		rows.rest = rows.rest[blank:]
	}
	if len(rows.rest) == 0 {
		return nil, false
	}
	var cells []string
	for {
		cell, more := rows.cell()
		cells = append(cells, cell)
		if !more {
			return cells, true
		}
	}
}

// lineEnd returns the length of the line break that text begins with, or 0.
func lineEnd(text []byte) int {
	switch {
	case bytes.HasPrefix(text, []byte("\r\n")):
		return 2
	case bytes.HasPrefix(text, []byte("\n")):
		return 1
	}
	return 0
}

// cell takes one cell off the text. more is false when the row ends with it.
func (rows *rowReader) cell() (text string, more bool) {
	rest := rows.rest
	var cell []byte
	i, quoted := 0, false
	if len(rest) > 0 && rest[0] == '"' {
		i, quoted = 1, true
	}
	for i < len(rest) {
		switch c := rest[i]; {
		case c == '\\':
			i++
			if i < len(rest) && (rest[i] == '\\' || rest[i] == '"' || rest[i] == rows.delimiter) {
				cell = append(cell, rest[i])
				i++
			}
		case c == '"' && i+1 < len(rest) && rest[i+1] == '"':
			cell = append(cell, '"')
			i += 2
		case c == '"' && quoted:
			quoted = false
			i++
		case c == rows.delimiter && !quoted:
			rows.rest = rest[i+1:]
			return string(cell), true
		case !quoted && lineEnd(rest[i:]) > 0:
			rows.rest = rest[i+lineEnd(rest[i:]):]
			return string(cell), false
		default:
			cell = append(cell, c)
			i++
		}
	}
	rows.rest = nil
	return string(cell), false
}
