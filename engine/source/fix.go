package source

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Fix is the change of the text that a Suggestion asks for: in the stretch At of the Diagnostic's file, From becomes
// To.
type Fix struct {
	At       Span
	From, To string
	// Into is an object, which gets a member From with the value To, written in JSON, in place of one with that key, or
	// loses that member where To is empty; nil where words change.
	Into *Node
	// Before is the key of the member of Into before which the new one is put; empty: behind the others.
	Before string
	// More are changes of the same file that are made together with this one.
	More []Fix
	// Certain: the change is the only probable intention. Else it is one to look at first.
	Certain bool
}

// Edit is a change of a file: Text in place of a stretch.
type Edit struct {
	File *File
	Span Span
	Text string
}

// String says what the change is, for a person.
func (f *Fix) String() string {
	text := f.words()
	for i := range f.More {
		text += ", and " + f.More[i].words()
	}
	return text
}

// words says what one of the changes is.
func (f *Fix) words() string {
	if f.Into != nil && f.To == "" {
		return "remove " + strconv.Quote(f.From)
	}
	if f.Into != nil {
		return "write " + strconv.Quote(f.From) + ": " + f.To
	}
	return "write " + f.To + " for " + f.From
}

// Edit returns the change of the file that the Fix asks for. There is none where the stretch does not have the word exactly once
// as it is written, since it is written as an escape or a replaced name, or where the new word would need quotes or
// escapes.
func (d *Diagnostic) Edit() (e Edit, ok bool) {
	if d.Fix == nil {
		return e, false
	}
	e, ok = d.Fix.edit(d.File)
	if !ok || len(d.Fix.More) == 0 {
		return e, ok
	}
	edits := []Edit{e}
	for i := range d.Fix.More {
		one, ok := d.Fix.More[i].edit(d.File)
		if !ok || one.File != e.File {
			return Edit{}, false
		}
		edits = append(edits, one)
	}
	if separate := Separate(edits); len(separate) == len(edits) {
		return covering(separate), true
	}
	return Edit{}, false
}

// covering returns the change of the stretch from the first of several edits to the last, which makes all of them.
func covering(edits []Edit) Edit {
	first, last := edits[0], edits[len(edits)-1]
	var text []byte
	at := first.Span.Start.Offset
	for _, e := range edits {
		text = append(append(text, first.File.Data[at:e.Span.Start.Offset]...), e.Text...)
		at = e.Span.End.Offset
	}
	return Edit{File: first.File, Span: Span{Start: first.Span.Start, End: last.Span.End}, Text: string(text)}
}

// edit returns one of the changes.
func (f *Fix) edit(file *File) (e Edit, ok bool) {
	if f.From == "" {
		return e, false
	}
	file = cmp.Or(f.At.File, file)
	if f.Into != nil {
		if file = cmp.Or(f.Into.Span.File, file); file == nil {
			return e, false
		}
		l := LayoutOf(file)
		edits := l.Remove(f.Into, f.From)
		switch {
		case f.Before != "":
			edits = l.Insert(f.Into, f.Before, f.From, f.To)
		case f.To != "":
			edits = l.Set(f.Into, f.From, f.To)
		}
		if len(edits) == 0 {
			return e, false
		}
		return edits[0], true
	}
	from, to := f.At.Start.Offset, f.At.End.Offset
	if file == nil || from < 0 || to > len(file.Data) || from >= to {
		return e, false
	}
	stretch := file.Data[from:to]
	at, more := wordIn(stretch, f.From)
	if at < 0 || more || !writable(f.From, f.To, stretch[0]) {
		return e, false
	}
	start := after(f.At.Start, stretch[:at])
	return Edit{File: file, Span: Span{Start: start, End: after(start, []byte(f.From))}, Text: f.To}, true
}

// wordIn returns the place of a word in a text, with no letter or digit beside it, or -1; more: it is there more than once.
func wordIn(text []byte, word string) (at int, more bool) {
	at = -1
	for from := 0; ; {
		i := bytes.Index(text[from:], []byte(word))
		if i < 0 {
			return at, false
		}
		i += from
		before, _ := utf8.DecodeLastRune(text[:i])
		behind, _ := utf8.DecodeRune(text[i+len(word):])
		if !continues(before, word[:1]) && !continues(behind, word[len(word)-1:]) {
			if at >= 0 {
				return at, true
			}
			at = i
		}
		from = i + 1
	}
}

// continues reports whether a character beside an end of a word makes a longer word of it.
func continues(beside rune, end string) bool {
	return letter(beside) && strings.ContainsFunc(end, func(r rune) bool { return letter(r) || r == utf8.RuneError })
}

func letter(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_')
}

// writable reports whether a word can replace another without its own quotes or escapes. quote is the
// first character of the text that it is in.
func writable(from, to string, quote byte) bool {
	if strings.ContainsFunc(to, func(r rune) bool {
		return unicode.IsControl(r) || r == utf8.RuneError || r == '"' || r == '\\' || r == '\'' && quote != '"'
	}) {
		return false
	}
	if quote == '"' || quote == '\'' || quote == '\\' {
		return !strings.Contains(to, "${") || strings.Contains(from, "${")
	}
	// A plain text of YAML: what has a meaning there is new only where the old word has none of it.
	return !strings.ContainsAny(to, "#&*!|>%@`{}[],?") && !strings.Contains(to, ": ") && !strings.HasSuffix(to, ":") &&
		!strings.HasPrefix(to, "-") && strings.TrimSpace(to) == to && to != ""
}

// after returns the position behind a text that begins at a position.
func after(at Position, text []byte) Position {
	at.Offset += len(text)
	if lines := bytes.Count(text, []byte{'\n'}); lines > 0 {
		at.Line += lines
		at.Col = 1
		text = text[bytes.LastIndexByte(text, '\n')+1:]
	}
	at.Col += utf8.RuneCount(text)
	return at
}

// Separate returns the edits of one file in the order of their places. Of edits that overlap it has the first; the same
// one is there once.
func Separate(edits []Edit) []Edit {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(x, y Edit) int { return cmp.Compare(x.Span.Start.Offset, y.Span.Start.Offset) })
	end, last := 0, Edit{}
	return slices.DeleteFunc(edits, func(e Edit) bool {
		if e.Span.Start.Offset < end || e == last {
			return true
		}
		end, last = e.Span.End.Offset, e
		return false
	})
}

// Apply returns the text of a file with the edits made, which come from [Separate]. All other bytes stay.
func Apply(file *File, edits []Edit) []byte {
	var text []byte
	end := 0
	for _, e := range edits {
		text = append(append(text, file.Data[end:e.Span.Start.Offset]...), e.Text...)
		end = e.Span.End.Offset
	}
	return append(text, file.Data[end:]...)
}

// Join returns one edit of a file that makes edits as [Separate] returns them, and leaves the text between them.
func Join(file *File, edits []Edit) Edit {
	first, last := edits[0].Span.Start, edits[len(edits)-1].Span.End
	behind := len(file.Data) - last.Offset
	text := Apply(file, edits)
	return Edit{File: file, Span: Span{Start: first, End: last}, Text: string(text[first.Offset : len(text)-behind])}
}
