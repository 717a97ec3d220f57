package lsp

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"

	"asldb/engine/source"
)

// marker is at the cursor in a text that is read for completion.
const marker = "asldbCursor"

// cursor is a place at which a word is being typed.
type cursor struct {
	place
	where
	// before and after are the parts of the word on both sides of the cursor.
	before, after string
	// from and to are the offsets of the word as it is written; quote is its quotes, where those are there already.
	// bare is set where the new text needs its own quotes in JSON; colon where a key has none behind it yet.
	from, to    int
	quote       string
	bare, colon bool
}

// variant is a text with the marker that may be read.
type variant struct {
	text        string
	bare, colon bool
}

// cursorAt returns the place of an offset of a definition, with the text mended there so that it can be read; nil where
// that fails, or no definition is there.
func (s *server) cursorAt(d *document, offset int) *cursor {
	files := s.files()
	for v := range variants(string(d.lines.data), offset) {
		if !d.isYAML() {
			v.text += source.Unclosed(v.text, `"`)
		}
		files.Changed[d.name] = []byte(v.text)
		again := d.again // which stays as the document is
		for _, m := range s.machinesOf(files, d.name, &again) {
			if m.text == nil || m.text.Root == nil {
				continue
			}
			if c := markedIn(m); c != nil && (len(c.path) > 0 || !d.isYAML()) { // in YAML it can be a key, too
				c.bare, c.colon = v.bare, v.colon
				c.measure(d, offset)
				return c
			}
		}
	}
	return nil
}

// markedIn returns the word of a definition that has the marker, nil where none has.
func markedIn(m *machine) *cursor {
	found := markedBelow(m.text.Root)
	if found == nil {
		return nil
	}
	found.machine, found.where = m, whereIs(m.text.Root, found.path)
	name := found.isKey && found.state != nil && len(found.fields) == 0
	if name && strings.Contains(found.name, marker) { // the name of a state
		found.state = nil
	}
	return found
}

// markedBelow returns the word below a node that has the marker, nil where none has.
func markedBelow(root *source.Node) *cursor {
	c := &cursor{place: place{root: root}}
	if c.find(root, nil) {
		return c
	}
	return nil
}

// find looks for the marker below a node to which a path leads.
func (c *cursor) find(n *source.Node, path []string) (found bool) {
	text, _ := source.TextOf(n)
	if c.before, c.after, found = strings.Cut(text, marker); found {
		c.path, c.node, c.at = slices.Clone(path), n, n.Span
		return true
	}
	for i := range n.Members {
		m := &n.Members[i]
		below := append(path, m.Key)
		if c.before, c.after, found = strings.Cut(m.Key, marker); found {
			c.path, c.isKey, c.node, c.at = slices.Clone(below), true, m.Node, m.KeySpan
			return true
		}
		if c.find(m.Node, below) {
			return true
		}
	}
	for i, item := range n.Items {
		if c.find(item, append(path, strconv.Itoa(i))) {
			return true
		}
	}
	return false
}

// measure finds the word in the text of the document.
func (c *cursor) measure(d *document, offset int) {
	text := string(d.lines.data)
	c.from, c.to = offset, offset
	if strings.HasSuffix(text[:offset], c.before) {
		c.from = offset - len(c.before)
	} else if written := escaped(c.before); strings.HasSuffix(text[:offset], written) {
		c.from = offset - len(written)
	}
	if strings.HasPrefix(text[offset:], c.after) {
		c.to = offset + len(c.after)
	}
	for _, quote := range []string{`\"`, `"`, `'`} {
		if strings.HasSuffix(text[:c.from], quote) {
			c.quote = quote
			break
		}
	}
	if c.colon && c.quote != "" && !strings.HasPrefix(text[c.to:], c.quote) {
		c.colon = false
	}
}

// variants returns the texts in which a word may be at an offset: as it is, and with the quotes, colons and commas
// that are missing.
func variants(text string, offset int) iter.Seq[variant] {
	return func(yield func(variant) bool) {
		before, after := text[:offset], text[offset:]
		if !yield(variant{text: before + marker + after}) ||
			!yield(variant{text: before + marker + ": 0" + after, colon: true}) {
			return
		}
		line := before[strings.LastIndexByte(before, '\n')+1:]
		if open := source.OpenQuote(line); open < 0 {
			unquoted(text, offset, yield)
		} else {
			quotedAt(text, offset, offset-len(line)+open, line, yield)
		}
	}
}

// unquoted gives the texts with a word in quotes where no string begins before the offset.
func unquoted(text string, offset int, yield func(variant) bool) {
	word := offset
	for word > 0 && isLetter(text[word-1]) {
		word--
	}
	typed := text[word:offset]
	for _, comma := range []string{"", ","} {
		for _, end := range []string{"", ",", ":0", ":0,"} {
			made := text[:word] + comma + `"` + typed + marker + `"` + end + text[offset:]
			if !yield(variant{text: made, bare: true, colon: strings.HasPrefix(end, ":")}) {
				return
			}
		}
	}
}

// quotedAt gives the texts with a word in a string that begins before the offset, in a line up to there.
func quotedAt(text string, offset, begin int, line string, yield func(variant) bool) {
	before, after := text[:offset], text[offset:]
	rest, _, _ := strings.Cut(after, "\n")
	closing, missing := strings.IndexByte(rest, '"'), ""
	if closing < 0 {
		closing, missing = 0, `"`
	} else {
		closing++
	}
	lineBegin := offset - len(strings.TrimLeft(line, " \t"))
	for _, at := range []int{-1, begin, lineBegin} { // of a comma
		head := before
		if at >= 0 {
			head = text[:at] + "," + text[at:offset]
		}
		for _, end := range []string{"", ",", ":0", ":0,"} {
			made := head + marker + after[:closing] + missing + end + after[closing:]
			if !yield(variant{text: made, colon: strings.HasPrefix(end, ":")}) {
				return
			}
		}
	}
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// soundMachine returns the definition of a resource as it was the last time that it had no errors, nil where it never
// was.
func (s *server) soundMachine(d *document, resource string) *machine {
	s.read(d)
	return cmp.Or(d.sound[resource], d.sound[""]) // the template may have been found since
}

// keepSound keeps the definitions without errors.
func (d *document) keepSound() {
	for _, m := range d.read.machines {
		if _, sound := m.examine(); !sound {
			continue
		}
		if d.sound == nil {
			d.sound = make(map[string]*machine)
		}
		d.sound[m.definition.Resource] = m
	}
}
