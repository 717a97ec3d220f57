package path

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// MissError says that a definite path selects nothing, or that any path has an index, a slice or a union of
// indexes where there is no array: how far it got, and the value found instead.
type MissError struct {
	Path *Path
	// Found is the part of the path's text that leads to a value, "$.order.address". It is "" when the
	// root itself is absent.
	Found string
	// Missing is the segment that is not there: a key such as city, an index such as [3], or the root.
	Missing string
	// At is the value at Found, nil when the root is absent.
	At value.Value
	// Suggestion is the key at Found that is most like Missing, or "".
	Suggestion string

	at int // the step that missed, -1 for the root
}

// miss finds out where a definite path stops. start is its root.
func (p *Path) miss(start value.Value) *MissError {
	e := &MissError{Path: p, at: -1}
	if start == nil {
		e.Missing = p.text[:p.rootLength()]
		return e
	}
	at := start
	for i := range p.steps {
		next, _ := walk(p.steps[i:i+1], at)
		if next == nil { // also a union of names, which only an object has
			e.at, e.At, e.Found = i, at, p.text[:p.spans[i].start]
			e.Missing = p.segmentText(i)
			break
		}
		at = next
	}
	if object, ok := e.At.(*value.Object); ok && e.at >= 0 && p.steps[e.at].kind == keyStep {
		e.Suggestion = nearestMember(object, p.steps[e.at].key)
	}
	return e
}

func (p *Path) rootLength() int {
	if len(p.spans) > 0 {
		return p.spans[0].start
	}
	return len(strings.TrimRight(p.text, " \t\r\n"))
}

// segmentText returns the key of a single name, unescaped, and other segments in brackets.
func (p *Path) segmentText(i int) string {
	if p.steps[i].kind == keyStep {
		return p.steps[i].key
	}
	return p.fragment(i)
}

// Error implements error. It says it all in one sentence: the path, and what is there instead.
func (e *MissError) Error() string {
	if e.at < 0 {
		switch e.Path.root {
		case VariableRoot:
			return NotAssigned(e.Missing)
		case ContextRoot:
			return "there is no Context Object ($$) here"
		case DataRoot:
		}
		return "there is no data ($) here"
	}
	if meant := e.Meant(); meant != "" {
		return Misspelt(e.Path.String(), meant)
	}
	return IsMissing(e.Path.String(), e.Found+" "+e.instead())
}

// IsMissing is the sentence on a path that leads to nothing: instead says what there is, "$ has only id".
func IsMissing(path, instead string) string { return path + " is missing: " + instead }

// Misspelt is the sentence on a path that leads to nothing, where another one is probably meant.
func Misspelt(path, meant string) string { return path + " is missing; did you mean " + meant + "?" }

// NotAssigned is the sentence on a variable, "$total", that has no value.
func NotAssigned(variable string) string { return "the variable " + variable + " is not assigned" }

// Meant returns the path with Suggestion in place of Missing, "" where there is none.
func (e *MissError) Meant() string {
	if e.Suggestion == "" {
		return ""
	}
	return e.Found + Member(e.Suggestion) + strings.TrimRight(e.Path.text[e.Path.spans[e.at].end:], " \t\r\n")
}

// instead says what there is at Found.
func (e *MissError) instead() string {
	s := &e.Path.steps[e.at]
	object, isObject := e.At.(*value.Object)
	list, isArray := e.At.(*value.Array)
	switch {
	case s.kind == keyStep && isObject:
		var names []string
		for name := range object.All() {
			names = append(names, name)
		}
		return HasOnly(names)
	case s.kind == indexStep && isArray:
		return HasItems(list.Len())
	}
	return IsOther(source.Article(e.At.Kind()), s.ofArrays())
}

// GiveBefore and OnThatWay are around the name of a state in the advice on a value that only other ways give.
const (
	GiveBefore = "give it a value before "
	OnThatWay  = ", or on that way too"
	// ItIsAt is before the path of a value that another one does not lead to.
	ItIsAt = "it is at "
)

// IsOther says that a value is of another kind, "a string", than that whose member a path reads; items is set where it
// reads an item.
func IsOther(kind string, items bool) string {
	if items {
		return "is " + kind + ", not an array"
	}
	return "is " + kind + ", not an object"
}

// HasItems says how many items an array has that has not the one that a path reads.
func HasItems(n int) string { return "has " + wording.Count(n, "item") }

// HasOnly says which members an object has, of many the first ones by their names: "has only Error and Cause", "is an
// empty object".
func HasOnly(names []string) string {
	list := slices.Sorted(slices.Values(names))
	more := len(list) - shown
	list = list[:min(len(list), shown)]
	for i, name := range list {
		list[i] = shorten(name)
	}
	switch {
	case len(list) == 0:
		return "is an empty object"
	case more > 0:
		return "has " + wording.And(append(list, wording.Grouped(more)+" more"))
	case slices.Equal(list, []string{"Cause", "Error"}): // of an Error Output, as the service writes it
		slices.Reverse(list)
	}
	return "has only " + wording.And(list)
}

// shown is how many names of members are listed.
const shown = 8

// PastEnd reports whether the path leads to an array, and its last segment is an index that the array does not have.
func (e *MissError) PastEnd() bool {
	if e.at < 0 || e.at != len(e.Path.steps)-1 || e.Path.steps[e.at].kind != indexStep {
		return false
	}
	_, isArray := e.At.(*value.Array)
	return isArray
}

// NotArray reports whether an index, a slice or a union of indexes meets a value other than an array and null.
func (e *MissError) NotArray() bool {
	if e.at < 0 || !e.Path.steps[e.at].ofArrays() {
		return false
	}
	kind := e.At.Kind()
	return kind != value.KindArray && kind != value.KindNull
}

// Offset returns where the path's text continues beyond the value at Found, in bytes from 0.
func (e *MissError) Offset() int {
	if e.at < 0 || e.at >= len(e.Path.spans) {
		return 0
	}
	return e.Path.spans[e.at].start
}

// Jayway returns the text that the service quotes after "Invalid path '…' : ".
func (e *MissError) Jayway() string {
	if e.at < 0 {
		return "No results for path: " + e.Missing
	}
	p, i := e.Path, e.at
	s := &p.steps[i]
	_, isObject := e.At.(*value.Object)
	_, isArray := e.At.(*value.Array)
	switch {
	case s.kind == keyStep && isObject && i < len(p.steps)-1:
		return "Missing property in path " + p.evaluated(i) + "['" + s.key + "']"
	case s.kind == keyStep && isObject, s.kind == indexStep && isArray:
		return "No results for path: $" + p.fragments(0)
	case s.ofArrays() && e.At == value.Null{}:
		return "The path " + p.evaluated(i) + " is null"
	case s.ofArrays():
		return "Filter: " + p.fragments(i) + " can only be applied to arrays. Current context is: " + javaText(e.At)
	}
	return "Expected to find an object with property " + p.fragment(i) + " in path " + p.evaluated(i) +
		" but found '" + javaClass(e.At) + "'. This is not a json object according to the JsonProvider: " +
		"'com.jayway.jsonpath.spi.json.JsonSmartJsonProvider'."
}

// ofArrays reports whether the step can only be applied to arrays.
func (s *step) ofArrays() bool {
	return s.kind == indexStep || s.kind == indexesStep || s.kind == sliceStep
}

// evaluated writes the first n steps as Jayway names a place it has come to. A context path is
// printed with one $.
func (p *Path) evaluated(n int) string {
	var b strings.Builder
	b.WriteByte('$')
	for i := range n {
		if s := &p.steps[i]; s.kind == keyStep {
			b.WriteString("['" + s.key + "']")
		} else {
			b.WriteString(p.fragment(i))
		}
	}
	return b.String()
}

// fragments writes the steps from i on as Jayway writes a path.
func (p *Path) fragments(i int) string {
	var b strings.Builder
	for ; i < len(p.steps); i++ {
		b.WriteString(p.fragment(i))
	}
	return b.String()
}

var fragmentEscapes = strings.NewReplacer(`\`, `\\`, `'`, `\'`)

func (p *Path) fragment(i int) string {
	s := &p.steps[i]
	switch s.kind {
	case indexStep:
		return "[" + strconv.Itoa(s.index) + "]"
	case indexesStep:
		return strings.ReplaceAll(fmt.Sprint(s.more.indexes), " ", ",")
	case sliceStep:
		return s.more.sliceText()
	case wildcardStep:
		return "[*]"
	case filterStep:
		return "[?]"
	case descentStep:
		return ".."
	case keyStep, keysStep:
	}
	keys, quote := []string{s.key}, "'"
	if s.kind == keysStep {
		keys = s.more.keys
	}
	if segment := p.text[p.spans[i].start:p.spans[i].end]; strings.HasPrefix(strings.TrimLeft(segment, ".[ "), `"`) && strings.HasSuffix(segment, "]") {
		quote = `"` // Jayway keeps the kind of quotes
	}
	quoted := value.Each(keys, func(key string) string { return quote + fragmentEscapes.Replace(key) + quote })
	return "[" + strings.Join(quoted, ",") + "]"
}

func (s *selector) sliceText() string {
	text := "["
	if s.hasFrom {
		text += strconv.Itoa(s.from)
	}
	text += ":"
	if s.hasTo {
		text += strconv.Itoa(s.to)
	}
	return text + "]"
}

// maxKeysCompared bounds the search for a similar key: a suggestion is a help, not worth a long search.
const maxKeysCompared = 500

// nearestMember returns the key of o that is most like wanted, or "" when none is like it. Of equals the
// first in the object holds.
func nearestMember(o *value.Object, wanted string) string {
	return wording.Nearest(wanted, func(yield func(string) bool) {
		for i := range min(o.Len(), maxKeysCompared) {
			if key := o.At(i).Key; key != "" && !yield(key) {
				return
			}
		}
	})
}
