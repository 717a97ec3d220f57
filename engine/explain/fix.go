package explain

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/provenance"
	"asldb/engine/source"
	"asldb/engine/template"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// Fix is a change of one place in the text of a definition that may mend a failure. Only a run shows whether it does.
type Fix struct {
	// Words say what is to be written: `read $.total in place of $.totl`.
	Words string
	Edit  source.Edit
	// parts are the changes that Edit makes, where it makes several.
	parts []source.Edit
}

// leastFixed is the width of a change, in characters, below which a line is whole: a definition may be one line.
const leastFixed = 60

// Diff is the change as the lines that go and that come, each with its number: of one that is longer than so many cells
// the part around the change.
func (f *Fix) Diff(cells int) (text Text) {
	parts := f.parts
	if parts == nil {
		parts = []source.Edit{f.Edit}
	}
	for i := range parts {
		text = append(text, diffOf(&parts[i], max(cells, leastFixed))...)
	}
	return text
}

func diffOf(e *source.Edit, cells int) (text Text) {
	data, span := e.File.Data, e.Span
	from := bytes.LastIndexByte(data[:span.Start.Offset], '\n') + 1
	to := len(data)
	if n := bytes.IndexByte(data[span.End.Offset:], '\n'); n >= 0 {
		to = span.End.Offset + n
	}
	head, tail := string(data[from:span.Start.Offset]), string(data[span.End.Offset:to])
	before := strings.Split(string(data[from:to]), "\n")
	after := strings.Split(head+e.Text+tail, "\n")
	line := span.Start.Line
	for len(before) > 0 && len(after) > 0 && before[0] == after[0] {
		before, after, head = before[1:], after[1:], ""
		line++
	}
	for len(before) > 0 && len(after) > 0 && before[len(before)-1] == after[len(after)-1] {
		before, after = before[:len(before)-1], after[:len(after)-1]
	}
	add := func(tone Tone, sign Sign, lines []string) {
		for i, l := range lines {
			p := say(tone, sign, words(" "), code(excerpt(l, len(head), cells)))
			p.Number = line + i
			text = append(text, p)
		}
	}
	add(ToneRemoved, SignRemoved, before)
	add(ToneGood, SignAdded, after)
	return text
}

// excerpt returns the part of a line around a byte of it, of at most so many cells.
func excerpt(line string, at, cells int) string {
	line = strings.ReplaceAll(line, "\t", "    ")
	trimmed := strings.TrimLeft(line, " ")
	at = max(0, at-(len(line)-len(trimmed))-cells/3)
	if len(trimmed) <= cells {
		at = 0
	}
	for at > 0 && !utf8.RuneStart(trimmed[at]) {
		at--
	}
	text := wording.Clip(trimmed[at:], cells)
	if at > 0 {
		text = "…" + text
	}
	return text
}

// mostFixes bounds the fixes of a failure.
const mostFixes = 6

// Fixes returns the changes that may mend the error of event i of a session's log, counted from 0: the path that was
// meant, a field that keeps the value or hands it on, a Pass state that makes it on the way that was taken, the Error
// Name that a retrier or a catcher was to have. The likelier come first.
func Fixes(s *debug.Session, i int) []Fix {
	if i < 0 || fromHistory(s) || s.Log().At(i).Failure() == nil {
		return nil
	}
	var list []Fix
	add := func(f Fix, ok bool) {
		twice := slices.ContainsFunc(list, func(have Fix) bool { return have.Edit == f.Edit })
		if ok && !twice && len(list) < mostFixes {
			list = append(list, f)
		}
	}
	for _, f := range misspeltErrors(s, i) {
		add(f, true)
	}
	if f := s.Log().At(i).Failure(); f.Err != nil {
		var call *template.Error
		if errors.As(f.Err, &call) && call.Text != "" {
			add(otherPath(f, call.Text, "States.StringToJson("+call.Text+")"))
		}
	}
	loss, _ := RunOf(s, nil).Missing(i)
	if loss == nil {
		return list
	}
	failure := s.Log().At(i).Failure()
	if miss := loss.Miss; miss != nil && miss.Path != nil {
		add(otherPath(failure, miss.Path.String(), miss.Meant()))
	}
	add(otherPath(failure, loss.Path, loss.Now))
	if len(loss.Near) == 1 {
		add(otherPath(failure, loss.Path, loss.Near[0]))
	}
	if loss.Remedy != nil {
		add(remedied(s, loss))
	}
	add(unselected(loss))
	for _, f := range handedOn(loss, s.Log()) {
		add(f, true)
	}
	for h := range loss.Hints {
		if hint := &loss.Hints[h]; hint.Kind == provenance.HintAt && !hint.Ends && len(hint.Paths) == 1 {
			add(otherPath(failure, hint.Path, hint.Paths[0]))
		}
		for _, f := range onThatWay(s, &loss.Hints[h]) {
			add(f, true)
		}
	}
	return list
}

// otherPath is the fix that reads another path in the field that failed; ok is false where the text does not have the
// path once.
func otherPath(f *engine.Failure, from, to string) (fix Fix, ok bool) {
	place, known := f.Place()
	if !known || to == "" || from == to {
		return fix, false
	}
	d := source.Diagnostic{File: place.Source, Fix: &source.Fix{At: place.Span, From: from, To: to}}
	edit, ok := d.Edit()
	return Fix{Words: "read " + to + " in place of " + from, Edit: edit}, ok
}

// remedied is the fix that writes the line which keeps a lost value.
func remedied(s *debug.Session, loss *provenance.Loss) (fix Fix, ok bool) {
	r, visit := loss.Remedy, s.Log().At(loss.At).Visit
	if r.Place == nil || r.Place.Source == nil || visit == nil {
		return fix, false
	}
	words := r.Line + " in " + visit.State.Name
	if n := numberIn(r.Field, "Catch["); n >= 0 {
		words = r.Line + " in catcher " + strconv.Itoa(n+1) + " of " + visit.State.Name
	}
	field := r.Field
	if r.Instead {
		field = field[:max(0, strings.LastIndexByte(field, '/'))]
	}
	line, err := value.ParseString("{" + r.Line + "}")
	member, isObject := line.(*value.Object)
	if err != nil || !isObject {
		return fix, false
	}
	for key, v := range member.All() {
		d := source.Diagnostic{File: r.Place.Source, Fix: &source.Fix{
			Into: visit.State.At(field), From: key, To: value.Compact(v),
		}}
		fix.Words = words
		fix.Edit, ok = d.Edit()
	}
	if ok && r.Without != "" {
		without := source.LayoutOf(fix.Edit.File).Remove(visit.State.Node, "OutputPath")
		return fixOf(words+", without "+r.Without, fix.Edit.File, []source.Edit{fix.Edit}, without)
	}
	return fix, ok
}

// misspeltErrors are the fixes that give retriers and catchers the names of errors that came and were taken by none of
// that name.
func misspeltErrors(s *debug.Session, i int) (list []Fix) {
	for at := i; at >= max(0, i-reach) && len(list) < mostFixes; at-- {
		if !s.Log().Head(at).Type.Traits().Raises {
			continue
		}
		e := s.Log().At(at)
		f := e.Failure()
		if f == nil || f.Name == "" || e.Visit == nil {
			continue
		}
		for _, field := range [...]string{"Retry", "Catch"} {
			list = append(list, misspeltIn(e.Visit.State, field, f.Name)...)
		}
	}
	return list
}

func misspeltIn(state *asl.State, field, name string) (list []Fix) {
	if state.Node == nil {
		return nil
	}
	handlers := state.Node.Get(field)
	for n := 0; handlers.Item(n) != nil; n++ {
		names := handlers.Item(n).Get("ErrorEquals")
		for k := 0; names.Item(k) != nil; k++ {
			item := names.Item(k)
			written := item.Text()
			if written == name || written == "" || !wording.Clear(written, name, func(func(string) bool) {}) {
				continue
			}
			place := state.Place(field + "[" + strconv.Itoa(n) + "]/ErrorEquals[" + strconv.Itoa(k) + "]")
			d := source.Diagnostic{File: place.Source, Fix: &source.Fix{At: item.Span, From: written, To: name}}
			if edit, ok := d.Edit(); ok {
				kind := map[string]string{"Retry": "retrier ", "Catch": "catcher "}[field]
				text := "name " + name + " in " + kind + strconv.Itoa(n+1) + " of " + state.Name
				list = append(list, Fix{Words: text, Edit: edit})
			}
		}
	}
	return list
}
