package lsp

import (
	"bytes"
	"net/url"
	"path/filepath"
	"sort"
	"strings"
	"unicode/utf8"
)

// lines finds the lines of a text.
type lines struct {
	data []byte
	// starts are the offsets of the beginnings of the lines.
	starts []int
}

func linesOf(data []byte) *lines {
	l := &lines{data: data, starts: []int{0}}
	for from := 0; ; {
		i := bytes.IndexByte(data[from:], '\n')
		if i < 0 {
			return l
		}
		from += i + 1
		l.starts = append(l.starts, from)
	}
}

// line returns the offsets of the beginning and the end of a line, without the characters that end it. A line that is not there is the
// nearest that is.
func (l *lines) line(n int) (from, to int) {
	n = min(max(n, 0), len(l.starts)-1)
	from, to = l.starts[n], len(l.data)
	if n+1 < len(l.starts) {
		to = l.starts[n+1] - 1
		if to > from && l.data[to-1] == '\r' {
			to--
		}
	}
	return from, to
}

// offset returns the offset of a position. One behind the end of a line is that end, and one within a character is its
// beginning.
func (l *lines) offset(p position) int {
	if p.Line >= len(l.starts) {
		return len(l.data)
	}
	from, to := l.line(p.Line)
	units := 0
	for at := from; at < to; {
		r, size := utf8.DecodeRune(l.data[at:to])
		if units += width(r); units > p.Character {
			return at
		}
		at += size
	}
	return to
}

// position returns the position of an offset.
func (l *lines) position(offset int) position {
	offset = min(max(offset, 0), len(l.data))
	line := sort.SearchInts(l.starts, offset+1) - 1
	p := position{Line: line}
	for at := l.starts[line]; at < offset; {
		r, size := utf8.DecodeRune(l.data[at:])
		if at+size > offset {
			break
		}
		p.Character += width(r)
		at += size
	}
	return p
}

// after returns the position of an offset behind another one: in a text of one line, they are not counted from its
// beginning.
func (l *lines) after(p position, at, offset int) position {
	if p.Line+1 < len(l.starts) && offset >= l.starts[p.Line+1] {
		return l.position(offset)
	}
	for at < offset {
		r, size := utf8.DecodeRune(l.data[at:])
		p.Character += width(r)
		at += size
	}
	return p
}

// at returns the offset of a line and a column from 1, where columns count characters.
func (l *lines) at(line, column int) int {
	at, to := l.line(line - 1)
	for range column - 1 {
		if at >= to {
			break
		}
		_, size := utf8.DecodeRune(l.data[at:to])
		at += size
	}
	return at
}

// span returns the range between two offsets.
func (l *lines) span(from, to int) span {
	return span{Start: l.position(from), End: l.position(max(from, to))}
}

// width returns the number of UTF-16 code units of a character.
func width(r rune) int {
	if r >= 0x10000 {
		return 2
	}
	return 1
}

// apply returns a text after a change.
func (l *lines) apply(c *change) []byte {
	if c.Range == nil {
		return []byte(c.Text)
	}
	from, to := l.offset(c.Range.Start), l.offset(c.Range.End)
	to = max(from, to)
	out := make([]byte, 0, len(l.data)-(to-from)+len(c.Text))
	return append(append(append(out, l.data[:from]...), c.Text...), l.data[to:]...)
}

// nameOf returns the name of the file of a URI; of a text that is in no file, the URI itself.
func nameOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Path == "" {
		return uri
	}
	name := u.Path
	if u.Host != "" && u.Host != "localhost" { // a computer of a network of Windows
		name = "//" + u.Host + name
	}
	if len(name) > 2 && name[0] == '/' && name[2] == ':' { // a drive
		name = name[1:]
	}
	return filepath.FromSlash(name)
}

// uriOf returns the URI of a file.
func uriOf(name string) string {
	if strings.Contains(name, "://") || strings.HasPrefix(name, "untitled:") {
		return name
	}
	if absolute, err := filepath.Abs(name); err == nil {
		name = absolute
	}
	name = filepath.ToSlash(name)
	if share, ok := strings.CutPrefix(name, "//"); ok {
		host, rest, _ := strings.Cut(share, "/")
		return (&url.URL{Scheme: "file", Host: host, Path: "/" + rest}).String()
	}
	if !strings.HasPrefix(name, "/") {
		name = "/" + name
	}
	return (&url.URL{Scheme: "file", Path: name}).String()
}
