package value

import (
	"strconv"
	"strings"

	"asldb/internal/wording"
)

// Difference is one place at which a found value is not the wanted one.
type Difference struct {
	// Path is the place in the value: "$", "$.items[2].sku"; it is empty where the values are compared as a whole.
	Path string `json:"path,omitempty"`
	// Wanted and Found are the values; nil: there is to be none, or there is none.
	Wanted Value `json:"wanted,omitempty"`
	Found  Value `json:"found,omitempty"`
	// Reason says why they differ where that is not plain from both; else it is empty.
	Reason string `json:"reason,omitempty"`
	// From says where the found value came from, in one line ("set by Charge in event 12"); it is empty where that is not known.
	From string `json:"from,omitempty"`
}

// Change describes the difference as a change, with at most limit characters of each value: "added: 1",
// "removed: 1", "1 → 2".
func (d *Difference) Change(limit int) string {
	switch {
	case d.Wanted == nil:
		return "added: " + Preview(d.Found, limit)
	case d.Found == nil:
		return "removed: " + Preview(d.Wanted, limit)
	}
	was, is := Pair(d.Wanted, d.Found, limit)
	return was + " → " + is
}

// List returns the places at which a found value is not equal to a wanted one. Either may be nil, of a value that is not there. Arrays
// of other lengths differ as a whole; the order of members and the form of numbers do not count.
func List(wanted, found Value) []Difference {
	var l list
	l.compare("$", wanted, found)
	return l
}

type list []Difference

func (l *list) compare(path string, wanted, found Value) {
	if wanted == nil && found == nil || wanted != nil && found != nil && Equal(wanted, found) {
		return
	}
	switch w := wanted.(type) {
	case *Object:
		if f, ok := found.(*Object); ok {
			for key, v := range w.All() {
				l.compare(path+Step(key), v, f.Get(key))
			}
			for key, v := range f.All() {
				if w.Get(key) == nil {
					l.compare(path+Step(key), nil, v)
				}
			}
			return
		}
	case *Array:
		if f, ok := found.(*Array); ok {
			if f.Len() != w.Len() {
				*l = append(*l, Difference{Path: path, Wanted: wanted, Found: found, Reason: Lengths(w.Len(), f.Len())})
				return
			}
			for i := range w.Len() {
				l.compare(path+"["+strconv.Itoa(i)+"]", w.At(i), f.At(i))
			}
			return
		}
	}
	*l = append(*l, Difference{Path: path, Wanted: wanted, Found: found})
}

// Lengths is the reason of arrays that have other lengths.
func Lengths(wanted, found int) string {
	return "has " + wording.Count(found, "item") + " instead of " + wording.Count(wanted, "item")
}

var plain = wording.Pattern(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// Step is a member in the path of a Difference: ".sku", "['a b']".
func Step(key string) string {
	if plain().MatchString(key) {
		return "." + key
	}
	return "['" + strings.ReplaceAll(key, "'", `\'`) + "']"
}

// maxInside is the greatest number of differences inside of one text that are listed.
const maxInside = 8

// inside returns the differences inside of a text: the differences of its JSON, or of its lines. It has none where the
// text is compared as a whole.
func (d *Difference) inside() []Difference {
	if x, y, ok := Unpack(d.Wanted, d.Found); ok {
		list := List(x, y)
		for i := range list {
			list[i].Path = strings.TrimSpace(d.Path + " (JSON)" + strings.TrimPrefix(list[i].Path, "$"))
		}
		return list
	}
	wanted, texts := d.Wanted.(String)
	found, both := d.Found.(String)
	several := func(s String) bool { return strings.Contains(strings.TrimSuffix(string(s), "\n"), "\n") }
	if !texts || !both || !several(wanted) && !several(found) {
		return nil
	}
	var list []Difference
	line := 1 // of the found text
	for _, h := range TextLines(string(wanted), string(found)) {
		for i := range max(len(h.Before), len(h.After)) {
			if h.Same {
				break
			}
			inner := Difference{Path: strings.TrimPrefix(d.Path+", line "+strconv.Itoa(line+min(i, len(h.After))), ", ")}
			if i < len(h.Before) {
				inner.Wanted = String(h.Before[i])
			}
			if i < len(h.After) {
				inner.Found = String(h.After[i])
			}
			list = append(list, inner)
		}
		line += len(h.After)
	}
	return list
}

// Form is the form of differences in text.
type Form struct {
	// Limit is the greatest number of characters of a value.
	Limit int
}

// Pair writes both values, each on one line with the first difference.
func (f *Form) Pair(d *Difference) (wanted, found string) {
	return Pair(d.Wanted, d.Found, f.Limit)
}

// notes are the reason and the origin, each with a text before it.
func (f *Form) notes(d *Difference, before string) string {
	text := ""
	for _, note := range []string{d.Reason, d.From} {
		if note != "" {
			text += before + note
		}
	}
	return text
}

// Lines writes a difference as two lines: the wanted value after "- ", and the found one after "+ ", with the reason and the origin.
// Of a text with JSON or several lines it is two lines for each place inside.
func (f *Form) Lines(d *Difference) []string {
	path := d.Path
	list := d.inside()
	if len(list) == 0 {
		if path != "" {
			path += "  "
		}
		wanted, found := f.Pair(d)
		return []string{path + "- " + wanted, strings.Repeat(" ", len([]rune(path))) + "+ " + found + f.notes(d, "  ")}
	}
	var lines []string
	for i := range list {
		if i == maxInside {
			return append(lines, path+"  "+strconv.Itoa(len(list)-i)+" more"+f.notes(d, "  "))
		}
		lines = append(lines, f.Lines(&list[i])...)
	}
	lines[len(lines)-1] += f.notes(d, "  ")
	return lines
}

// Values says both values: "wanted 1, found 2".
func (f *Form) Values(d *Difference) string {
	wanted, found := f.Pair(d)
	return "wanted " + wanted + ", found " + found
}

// Sentence writes a difference on one line: "$.n: wanted 1, found 2, from the execution's input".
func (f *Form) Sentence(d *Difference) string {
	text := f.Values(d) + f.notes(d, ", ")
	if d.Path != "" {
		text = d.Path + ": " + text
	}
	return text
}
