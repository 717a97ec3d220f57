package tui

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"asldb.dev/asldb/engine"
	"asldb.dev/asldb/engine/path"
	"asldb.dev/asldb/engine/value"
	"asldb.dev/asldb/tui/canvas"
	"asldb.dev/asldb/tui/datatree"
	"asldb.dev/asldb/tui/theme"
)

// faultWords says more about an error that the engine itself found: how far a path got, which event last changed what
// it came to, where in the definition the field stands, and what makes a value too large.
func (u *ui) faultWords(f *engine.Failure) []para {
	var words []para
	var miss *path.MissError
	if errors.As(f.Err, &miss) {
		words = append(u.missWords(miss), u.changedWords(miss)...)
	}
	var size *engine.SizeError
	if errors.As(f.Err, &size) {
		words = append(words, u.sizeWords(size)...)
	}
	if f.Origin != nil && f.Field != "" {
		words = append(words, u.sourceWords(f.Origin.State.Pointer+"/"+placePointer.Replace(f.Field))...)
	}
	return words
}

// placePointer turns the place of a field as messages have it (Choices[1]/Condition) into a JSON Pointer.
var placePointer = strings.NewReplacer("[", "/", "]", "")

// missWords shows how far a path got: the part that leads to a value and the one that is missing are underlined, and
// what there is instead is named.
func (u *ui) missWords(miss *path.MissError) []para {
	if miss.At == nil {
		return nil
	}
	there := "is " + preview(miss.At, u.glyphs)
	if keys := memberNames(miss.At); keys != "" {
		there = "has: " + keys
	} else if list, ok := miss.At.(*value.Array); ok {
		there = "has " + plural(list.Len(), "item", "items")
	}
	missing := "missing  " + miss.Missing
	if miss.Suggestion != "" {
		missing += "   did you mean " + miss.Suggestion + "?"
	}
	text := miss.Path.String()
	from, to := miss.Span()
	words := []para{
		{theme.Strong, "  " + text, cutLine},
		{theme.Bad, "  " + strings.Repeat(u.glyphs.Dash, canvas.Width(text[:from])) + strings.Repeat("^", canvas.Width(text[from:to])), cutLine},
	}
	return append(words, para{theme.Good, "found    " + miss.Found + " " + there, 9}, para{theme.Bad, missing, 9})
}

// maxNames is how many members are named; a person looks for one that is like the missing one.
const maxNames = 12

func memberNames(v value.Value) string {
	object, ok := v.(*value.Object)
	if !ok {
		return ""
	}
	var names []string
	for key := range object.All() {
		if len(names) == maxNames {
			names = append(names, "and "+strconv.Itoa(object.Len()-maxNames)+" more")
			break
		}
		names = append(names, key)
	}
	if len(names) == 0 {
		return "nothing, it is empty"
	}
	return strings.Join(names, ", ")
}

// changedWords says which event last changed the value that a path came to before it missed.
func (u *ui) changedWords(miss *path.MissError) []para {
	fault := u.faultOf(u.moment.event)
	at, found := u.session.LastChange(fault, miss.Found)
	if !found {
		return nil
	}
	if at < 0 {
		return []para{{theme.Dim, miss.Found + " is as it was in the execution's input", 2}}
	}
	e := u.session.Log().At(at)
	text := miss.Found + " was last changed by " + e.Visit.State.Name + ", event " + strconv.FormatInt(e.Seq, 10)
	if e.Stage != engine.NoStage {
		text = miss.Found + " was last changed by " + e.Visit.State.Name + " (" + fieldText(e) + "), event " + strconv.FormatInt(e.Seq, 10)
	}
	return []para{{theme.Plain, text, 2}}
}

// fieldText is the field of an event's stage with what it says: ResultPath "$.order".
func fieldText(e *engine.Event) string {
	const shown = 40
	for _, info := range engine.StagesOf(e.Visit.State) {
		if info.Stage == e.Stage && info.Text != "" {
			return info.Field + " " + canvas.Fit(info.Text, shown, "…")
		}
	}
	return e.StageName()
}

// sourceWords shows the line of the definition on which a value stands, and marks it.
func (u *ui) sourceWords(pointer string) []para {
	definition := u.session.Machine().Definition()
	key, span, ok := definition.Span(pointer)
	if !ok {
		return nil
	}
	at := filepath.Base(definition.Source.Name) + ":" + strconv.Itoa(span.Start.Line) + ":" + strconv.Itoa(span.Start.Col)
	if definition.Source.Name == "" {
		at = "in the definition at line " + strconv.Itoa(span.Start.Line) + ", column " + strconv.Itoa(span.Start.Col)
	}
	words := []para{{theme.Dim, at, 0}}
	from := span.Start.Offset
	if key.Start.Line == span.Start.Line && key.Start.Line > 0 {
		from = key.Start.Offset
	}
	line, mark := sourceLine(definition.Source.Data, from, span.Start.Offset, span.End.Offset)
	if line == "" {
		return words
	}
	return append(words, para{theme.Plain, "  " + line, cutLine}, para{theme.Bad, "  " + mark, cutLine})
}

// sourceCells is how much of a line of the definition is shown.
const sourceCells = 72

// sourceLine returns the line of source in which from lies, and a line that marks what stands between start and
// end. A long line begins at from.
func sourceLine(source []byte, from, start, end int) (line, mark string) {
	if from < 0 || start < from || end > len(source) || start >= end {
		return "", ""
	}
	first := bytes.LastIndexByte(source[:from], '\n') + 1
	last := len(source)
	if at := bytes.IndexByte(source[from:], '\n'); at >= 0 {
		last = from + at
	}
	end = min(end, last)
	lead := ""
	for first < from && (source[first] == ' ' || source[first] == '\t') {
		first++
	}
	if canvas.Width(string(source[first:end])) > sourceCells {
		first, lead = from, "… "
	}
	for first > 0 && !utf8.RuneStart(source[first]) {
		first--
	}
	line = lead + strings.TrimRight(string(source[first:last]), "\r,")
	blanks := canvas.Width(lead) + canvas.Width(string(source[first:start]))
	return line, strings.Repeat(" ", blanks) + strings.Repeat("^", max(canvas.Width(string(source[start:end])), 1))
}

// maxBig is how many of the biggest members are listed.
const maxBig = 5

// sizeWords says which members make a value too large.
func (u *ui) sizeWords(e *engine.SizeError) []para {
	words := []para{{theme.Bad, sizeText(e.Size) + " of at most " + sizeText(e.Limit) + ": " + grouped(e.Size-e.Limit) + " B too many", 2}}
	if e.Value == nil {
		return words
	}
	at, path := e.Value, "$"
	for { // down to where the bulk divides
		inner, step := biggest(at)
		if len(inner) == 0 || value.Size(inner[0].value)*10 < value.Size(at)*9 || isScalar(inner[0].value) {
			break
		}
		at, path = inner[0].value, path+step(0)
	}
	parts, step := biggest(at)
	for i := range min(len(parts), maxBig) {
		size := value.Size(parts[i].value)
		words = append(words, para{theme.Plain, "  " + path + step(i) + "  " + sizeText(size) + "  " + strconv.Itoa(size*100/e.Size) + "%", 4})
	}
	if more := len(parts) - maxBig; more > 0 {
		words = append(words, para{theme.Dim, "  and " + plural(more, "smaller one", "smaller ones"), 2})
	}
	return words
}

type bigPart struct {
	step  string
	value value.Value
}

// biggest returns the members or items of a container, the largest first, and what leads to each.
func biggest(v value.Value) (parts []bigPart, step func(i int) string) {
	switch v := v.(type) {
	case *value.Object:
		for key, member := range v.All() {
			parts = append(parts, bigPart{datatree.Segment(key), member})
		}
	case *value.Array:
		for i, item := range v.All() {
			parts = append(parts, bigPart{"[" + strconv.Itoa(i) + "]", item})
		}
	}
	slices.SortStableFunc(parts, func(a, b bigPart) int { return value.Size(b.value) - value.Size(a.value) })
	return parts, func(i int) string { return parts[i].step }
}

func isScalar(v value.Value) bool { return v.Kind() != value.KindObject && v.Kind() != value.KindArray }
