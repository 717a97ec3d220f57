package explain

import (
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/provenance"
	"asldb/engine/runlog"
	"asldb/internal/wording"
)

// Way explains a way of a value: a paragraph for each node of its tree, at the level of its depth.
func Way(w *provenance.Way, log *runlog.Log) Text {
	text := hints(w.Hints)
	for depth, n := range w.All() {
		p := say(wayTone(n.Kind), NoSign, node(n)...)
		if n.Kind == provenance.Result {
			if request := log.RequestBefore(n.Event); request != nil && request.Attempt > 1 {
				p.Spans = append(p.Spans, words(", attempt "), number(int64(request.Attempt)))
			}
		}
		p.Level = depth
		if n.Operand != "" {
			p.Spans = append([]Span{code(oneLine(n.Operand)), words(": ")}, p.Spans...)
		}
		p.Spans = append(p.Spans, whereabouts(n, log)...)
		text = append(text, p)
	}
	switch {
	case w.Forward && len(text) == 0:
		text = Text{say(ToneQuiet, NoSign, words("No later stage reads it."))}
	case w.Cut:
		text = append(text, say(ToneQuiet, NoSign, words("There are more; the search ended at its bound.")))
	}
	return text
}

func wayTone(kind provenance.Kind) Tone {
	switch kind {
	case provenance.Input, provenance.Result, provenance.Literal, provenance.Context, provenance.Object:
		return ToneHeading
	case provenance.Error:
		return ToneCaution
	case provenance.Edited:
		return ToneChanged
	case provenance.Output:
		return ToneGood
	case provenance.Dropped:
		return ToneRemoved
	case provenance.Folded, provenance.Unknown, provenance.Read, provenance.Sent:
		return ToneQuiet
	case provenance.Moved, provenance.ChangedInside, provenance.Gathered, provenance.Computed:
	}
	return TonePlain
}

// node says in a few words which event a node is, and which value it gave.
func node(n *provenance.Node) []Span {
	is := func(before ...Span) []Span {
		return append(before, pathSpan(n.To), words(" = "), val(n.Value))
	}
	switch n.Kind {
	case provenance.Folded:
		return []Span{words(wording.Count(n.Hidden, "more step"))}
	case provenance.Input:
		return is(words("input "))
	case provenance.Output:
		return is(words("output "))
	case provenance.Result:
		return is(state(PlaceName(n.Visit)), words(" returned "))
	case provenance.Error:
		return is(state(PlaceName(n.Visit)), words(" failed: "))
	case provenance.Edited:
		return is(words("edited manually: "))
	case provenance.Object:
		return is(state(PlaceName(n.Visit)), words(" read "))
	case provenance.Context:
		if n.Value == nil {
			return []Span{words("context object: "), code(n.Expression)}
		}
		return []Span{words("context object: "), code(n.Expression), words(" = "), val(n.Value)}
	case provenance.Unknown:
		if n.Value == nil {
			return []Span{code(n.Expression), words(" (origin unknown)")}
		}
		return append(is(doer(n)...), words(" (origin unknown)"))
	case provenance.Moved:
		return append(is(doer(n)...), words(", from "), pathSpan(n.From))
	case provenance.Gathered:
		return append(is(doer(n)...), words(", from "+childOf(n)))
	case provenance.ChangedInside:
		return append(is(doer(n)...), words(", changed inside"))
	case provenance.Literal:
		return append(is(doer(n)...), words(", a literal"))
	case provenance.Computed:
		if n.Expression == "" {
			return is(doer(n)...)
		}
		return append(is(doer(n)...), words(", computed by "), code(wording.Clip(oneLine(n.Expression), maxExpression)))
	case provenance.Read:
		return append(doer(n), words("reads "), pathSpan(n.To))
	case provenance.Sent:
		return []Span{state(PlaceName(n.Visit)), words(" sends "), pathSpan(n.To), words(" to its task")}
	case provenance.Dropped:
		return append(doer(n), words("drops "), pathSpan(n.From))
	}
	return is()
}

// maxExpression bounds an expression in a sentence, in bytes.
const maxExpression = 200

// doer names the state and the field of a node.
func doer(n *provenance.Node) []Span {
	if n.Visit == nil {
		return nil
	}
	spans := []Span{state(PlaceName(n.Visit)), words(" ")}
	if n.Field == "" {
		return spans
	}
	field := fieldName(n.Field)
	field.Place = n.Place
	return append(spans, field, words(" "))
}

// childOf names the branch or the iteration that gave an item of the results.
func childOf(n *provenance.Node) string {
	index, _, _ := strings.Cut(strings.TrimPrefix(n.To, "$["), "]")
	if n.Visit != nil && n.Visit.State.Type == asl.Map {
		return "the result " + index + " of its iterations"
	}
	return "its branch " + index
}

// timesOf says how often a node was.
func timesOf(n *provenance.Node) (spans []Span) {
	if n.Count > 1 {
		spans = append(spans, words(", "+wording.Grouped(n.Count)+" times"))
	}
	if n.Again {
		spans = append(spans, words(", as above"))
	}
	return spans
}

// whereabouts says how often a node was, at which event, and where its field is.
func whereabouts(n *provenance.Node, log *runlog.Log) []Span {
	spans := timesOf(n)
	if n.Event >= 0 && n.Event < log.Len() {
		spans = append(spans, words("  "), eventSpan(log, n.Event))
	}
	if n.Place != nil && n.Place.Source != nil {
		spans = append(spans, words("  "), placeSpan(*n.Place))
	}
	return spans
}

func eventSpan(log *runlog.Log, i int) Span {
	event := log.At(i)
	return Span{Text: "event " + strconv.FormatInt(event.Seq, 10), Event: event.Seq, ID: HistoryID(event)}
}

// Loss explains where a value was lost: the sentence on it that every face has, the reader, the state and the field
// that lost it, all that was lost with it, the line that keeps it, and the event that had it last, with the way before
// that.
func Loss(l *provenance.Loss, log *runlog.Log) Text {
	text := missing(l, log)
	if l.Kind == provenance.NeverThere {
		if len(l.Hints) == 0 {
			text = append(text, say(TonePlain, NoSign, words("No data on its way had it.")))
		}
		return append(text, hints(l.Hints)...)
	}
	text = append(text, lostWhere(l, log)...)
	if l.Way != nil && l.Kind != provenance.Elsewhere {
		for _, p := range Way(l.Way, log) {
			p.Level++
			text = append(text, p)
		}
	}
	return text
}

// lostWhere is Loss without the reader and without the way to the event that had the value last.
func lostWhere(l *provenance.Loss, log *runlog.Log) Text {
	if l.Kind == provenance.Elsewhere {
		p := say(TonePlain, NoSign, words("The value is at "), pathSpan(l.Now), words(": "))
		p.Spans = append(p.Spans, lostFor(l)...)
		p.Spans = append(append(p.Spans, words("  "), eventSpan(log, l.At)), placed(l.Place)...)
		return Text{p}
	}
	lost := say(ToneRemoved, SignRemoved, state(PlaceName(l.Visit)), words(" lost it: "))
	lost.Spans = append(lost.Spans, lostFor(l)...)
	lost.Spans = append(append(lost.Spans, words("  "), eventSpan(log, l.At)), placed(l.Place)...)
	text := Text{lost}
	if len(l.Lost) > 0 {
		names := strings.Join(l.Lost, ", ")
		if l.More > 0 {
			names += ", and " + wording.Grouped(l.More) + " more"
		}
		p := say(ToneRemoved, NoSign, words("lost: "+names))
		p.Level = 1
		text = append(text, p)
	}
	if r := l.Remedy; r != nil {
		p := say(ToneGood, NoSign, words("keep it with "), code(r.Line))
		if !strings.HasPrefix(r.Line, `"`+baseField(r.Field)+`"`) {
			field := fieldName(r.Field)
			field.Place = r.Place
			p.Spans = append(p.Spans, words(" in "), field)
		}
		if r.Without != "" {
			p.Spans = append(p.Spans, words(" and without "), code(r.Without))
		}
		p.Spans = append(p.Spans, placed(r.Place)...)
		p.Level = 1
		text = append(text, p)
	}
	text = append(text, keptOtherwise(l)...)
	had := say(ToneGood, NoSign, words("It was last "))
	switch event := log.At(l.Had); {
	case event.Visit == nil:
		had.Spans = append(had.Spans, words("in the execution's input: "))
	case event.Type == engine.StateEntered:
		had.Spans = append(had.Spans, words("at the input of "), state(PlaceName(event.Visit)), words(": "))
	default:
		had.Spans = append(had.Spans, words("in "), state(PlaceName(event.Visit)), words(": "))
	}
	had.Spans = append(had.Spans, pathSpan(l.HadPath), words(" = "), val(l.Value), words("  "), eventSpan(log, l.Had))
	return append(text, had)
}

func placed(place *asl.Place) []Span {
	if place == nil || place.Source == nil {
		return nil
	}
	return []Span{words("  "), placeSpan(*place)}
}

// missing says that the path leads to nothing, and which field read it.
func missing(l *provenance.Loss, log *runlog.Log) Text {
	head := say(ToneBad, SignError, pathSpan(l.Path), words(" is missing."))
	if l.Miss != nil {
		head = Miss(missBeside(l.Miss, l.Hints))
	}
	head.Spans = append(head.Spans, words("  "), eventSpan(log, l.Event))
	visit := log.At(l.Event).Visit
	if l.Reader == "" || visit == nil {
		return Text{head}
	}
	head.Spans = append(head.Spans, placed(l.Read)...)
	field := fieldName(l.Reader)
	field.Place = l.Read
	reader := say(TonePlain, NoSign, state(PlaceName(visit)), words(" reads it in "), field)
	reader.Level = 1
	return Text{head, reader}
}

// baseField is the field without the catcher, rule and member that a place names.
func baseField(field string) string {
	if strings.HasPrefix(field, "Catch[") || strings.HasPrefix(field, "Choices[") {
		_, field, _ = strings.Cut(field, "/")
	}
	field, _, _ = strings.Cut(field, "/")
	return field
}

// lostFor says by which field and how a value was lost.
func lostFor(l *provenance.Loss) []Span {
	thing := "the result"
	if strings.HasPrefix(l.Field, "Catch[") {
		thing = "the Error Output"
	}
	field := fieldName(fieldPhrase(l))
	field.Place = l.Place
	switch l.Kind {
	case provenance.Replaced:
		return []Span{field, words(asl.Replaced(strings.HasPrefix(l.Field, "Catch[")))}
	case provenance.Overwritten:
		if strings.HasSuffix(l.Field, "ResultPath") {
			return []Span{field, words(": " + thing + " replaced the value there")}
		}
		return []Span{field, words(" gave the variable another value")}
	case provenance.Discarded:
		return []Span{field, words(" discards " + thing)}
	case provenance.NotSelected:
		return []Span{field, words(asl.SelectsAnother)}
	case provenance.LeftOut:
		return []Span{field, words(" does not name it")}
	case provenance.NotInItem:
		return []Span{words("the input of an iteration is its item, and no "), field, words(" adds the value")}
	case provenance.EditedAway:
		return []Span{words("a manual edit replaced the data")}
	case provenance.OutOfScope:
		return []Span{words("the variable is not visible outside of its branch, iteration or execution")}
	case provenance.Elsewhere:
		return []Span{field, words(" put " + thing + " there")}
	case provenance.NeverThere:
	}
	return nil
}

// fieldPhrase names the field that lost a value, with its path and the catcher that it is of: "ResultPath $ (its
// default) of catcher 1".
func fieldPhrase(l *provenance.Loss) string {
	inner, of := l.Field, ""
	catcher := numberIn(l.Field, "Catch[")
	switch rule := numberIn(l.Field, "Choices["); {
	case catcher >= 0:
		_, inner, _ = strings.Cut(l.Field, "/")
		of = " of catcher " + strconv.Itoa(catcher+1)
	case rule >= 0:
		_, inner, _ = strings.Cut(l.Field, "/")
		of = " of rule " + strconv.Itoa(rule+1)
	}
	switch {
	case inner == "ResultPath" && l.Visit != nil:
		field := l.Visit.State.ResultPath
		if catcher >= 0 && catcher < len(l.Visit.State.Catch) {
			field = l.Visit.State.Catch[catcher].ResultPath
		}
		inner += " " + ResultPath(field)
	case inner == "InputPath" && l.Visit != nil:
		inner += " " + pathText(l.Visit.State.InputPath)
	case inner == "OutputPath" && l.Visit != nil:
		inner += " " + pathText(l.Visit.State.OutputPath)
	case l.Default && l.Kind == provenance.Replaced:
		inner = "no " + inner
	}
	return inner + of
}

// shortField names a field that lost a value without its path: "ResultPath of catcher 1".
func shortField(field string) string {
	if n := numberIn(field, "Catch["); n >= 0 {
		return baseField(field) + " of catcher " + strconv.Itoa(n+1)
	}
	if n := numberIn(field, "Choices["); n >= 0 {
		return baseField(field) + " of rule " + strconv.Itoa(n+1)
	}
	return baseField(field)
}

// numberIn reads the number of an item at the beginning of a field's place, -1 where it begins otherwise.
func numberIn(field, list string) int {
	rest, ok := strings.CutPrefix(field, list)
	number, _, _ := strings.Cut(rest, "]")
	n, err := strconv.Atoi(number)
	if !ok || err != nil {
		return -1
	}
	return n
}

func pathText(field *asl.PathField) string {
	switch {
	case field == nil:
		return "$"
	case field.Null:
		return "null"
	}
	return field.Path.String()
}

// Part says in a few words which part a state had on a way: the path that the value had there, or the two between which
// it moved, or the field that lost it.
func Part(p *provenance.StatePart) []Span {
	in, out := several(p.In), several(p.Out)
	switch p.Role {
	case provenance.Makes:
		if at := firstOf(out, in); at != nil {
			return append([]Span{words("made: ")}, at...)
		}
		return []Span{words("made here")}
	case provenance.Reads:
		return append([]Span{words("reads ")}, firstOf(in, out)...)
	case provenance.Loses:
		if p.Lost != nil && p.Lost.Field != "" {
			return []Span{words("lost here: "), fieldName(shortField(p.Lost.Field))}
		}
		return append([]Span{words("lost here: ")}, firstOf(in, out)...)
	case provenance.Lacks:
		return []Span{words("missing")}
	case provenance.WouldMake:
		return append([]Span{words("would have made ")}, firstOf(out, []Span{words("it")})...)
	case provenance.Moves:
		if in != nil && out != nil && in[0].Text != out[0].Text {
			return append(append(in, words(" "), mark(SignLeads), words(" ")), out...)
		}
	case provenance.Carried:
	}
	return firstOf(in, out)
}

// PartBriefly is [Part] in as few cells as tell it beside the sign of the part: the path where the value was made, that
// to which it moved, the field that lost it.
func PartBriefly(p *provenance.StatePart) []Span {
	in, out := several(p.In), several(p.Out)
	switch p.Role {
	case provenance.Makes:
		if at := firstOf(out, in); at != nil {
			return at
		}
	case provenance.Moves:
		if in != nil && out != nil && in[0].Text != out[0].Text {
			return append([]Span{mark(SignLeads), words(" ")}, out...)
		}
	case provenance.Loses:
		if p.Lost != nil && p.Lost.Field != "" {
			return []Span{words("lost here: "), fieldName(baseField(p.Lost.Field))}
		}
	case provenance.WouldMake:
		return []Span{words("would make it")}
	case provenance.Reads, provenance.Lacks, provenance.Carried:
	}
	return Part(p)
}

func firstOf(spans, otherwise []Span) []Span {
	if spans == nil {
		return otherwise
	}
	return spans
}

// several is the first of several paths, with the number of the others.
func several(paths []string) []Span {
	switch len(paths) {
	case 0:
		return nil
	case 1:
		return []Span{pathSpan(paths[0])}
	}
	return []Span{pathSpan(paths[0]), words(" +" + strconv.Itoa(len(paths)-1))}
}
