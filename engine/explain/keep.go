package explain

import (
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/path"
	"asldb/engine/provenance"
	"asldb/engine/runlog"
	"asldb/engine/source"
	"asldb/engine/value"
)

// fixOf is a fix of several changes of one file.
func fixOf(text string, file *source.File, edits ...[]source.Edit) (f Fix, ok bool) {
	for _, list := range edits {
		if len(list) == 0 {
			return f, false
		}
		f.parts = append(f.parts, list[0])
	}
	if f.parts = source.Separate(f.parts); len(f.parts) < len(edits) {
		return f, false
	}
	f.Words, f.Edit = text, source.Join(file, f.parts)
	return f, true
}

// unselected is the fix that takes away the OutputPath which drops a value.
func unselected(l *provenance.Loss) (Fix, bool) {
	if l.Kind != provenance.NotSelected || l.Field != "OutputPath" || l.Place == nil || l.Place.Source == nil {
		return Fix{}, false
	}
	s := l.Visit.State
	text := "no " + outputPathLine(s) + " in " + s.Name
	return fixOf(text, l.Place.Source, source.LayoutOf(l.Place.Source).Remove(s.Node, "OutputPath"))
}

// outputPathLine is the line of a state's OutputPath.
func outputPathLine(s *asl.State) string {
	if s.OutputPath.Null {
		return `"OutputPath": null`
	}
	return `"OutputPath": ` + value.Quote(pathText(s.OutputPath))
}

// handedOn are the fixes that hand a value to the iterations of a Map state: besides the members of the item, or beside
// the item as a whole.
func handedOn(l *provenance.Loss, log *runlog.Log) (list []Fix) {
	name, ok := notInItem(l)
	if !ok || l.Place == nil || l.Place.Source == nil {
		return nil
	}
	s, file := l.Visit.State, l.Place.Source
	item := iterated(l, log)
	for _, one := range [...]struct {
		parts []string
		whole bool
	}{{membersOf(item, name), false}, {[]string{itemName(name)}, true}} {
		set := source.LayoutOf(file).Set(s.Node, "ItemSelector", s.Handing(name, one.parts, one.whole))
		text := "an ItemSelector in " + s.Name + " with " + name + " and " + strings.Join(one.parts, ", ")
		if f, ok := fixOf(text, file, set); ok && len(one.parts) > 0 {
			list = append(list, f)
		}
	}
	return list
}

// iterated returns the item of the iteration in which a value is missing.
func iterated(l *provenance.Loss, log *runlog.Log) value.Value {
	for thread, i := log.At(l.Event).Thread, l.Event; i >= 0; i-- {
		if e := log.At(i); e.Type == engine.IterationStarted && e.Thread == thread {
			return e.After
		}
	}
	return nil
}

// mostMembers bounds the members of an item that are named one by one.
const mostMembers = 8

// membersOf returns the names of an item's members; nil where they cannot be named one by one beside another name.
func membersOf(item value.Value, besides string) (names []string) {
	object, ok := item.(*value.Object)
	if !ok || object.Len() > mostMembers {
		return nil
	}
	for key := range object.All() {
		if !path.Plain(key) || key == besides {
			return nil
		}
		names = append(names, key)
	}
	return names
}

// notInItem returns the member of a Map state's input that its iterations lack.
func notInItem(l *provenance.Loss) (name string, ok bool) {
	at, err := path.Parse(l.HadPath)
	if l.Kind != provenance.NotInItem || err != nil || at.Len() == 0 || !path.Plain(at.Segment(0).Name) {
		return "", false
	}
	return at.Segment(0).Name, true
}

// itemName is the name of an item beside a member of the input.
func itemName(besides string) string {
	if besides == "item" {
		return "value"
	}
	return "item"
}

// keptOtherwise says how a value is kept that an OutputPath drops, or that a Map state does not hand to its
// iterations: by a change with which other data come to another path too.
func keptOtherwise(l *provenance.Loss) Text {
	p := say(ToneGood, NoSign)
	p.Level = 1
	if l.Kind == provenance.NotSelected && l.Field == "OutputPath" {
		s := l.Visit.State
		p.Spans = []Span{words("keep it without "), code(outputPathLine(s))}
		if !s.OutputPath.Null {
			p.Spans = append(p.Spans, words("; the output that it selects is then at "),
				pathSpan(pathText(s.OutputPath)))
		}
		return Text{p}
	}
	name, ok := notInItem(l)
	if !ok {
		return nil
	}
	s, item := l.Visit.State, itemName(name)
	line, now := s.Handing(name, []string{item}, true), "$."+item
	if s.QueryLanguage == asl.JSONata {
		now = "$states.input." + item
	}
	p.Spans = []Span{
		words("keep it with "),
		code(`"ItemSelector": ` + line),
		words("; the item is then at "),
		pathSpan(now),
	}
	return Text{p}
}

// onThatWay are the fixes that give a value on the way which the run took past the state that makes it: by a Pass state
// on that way. Null says that there is none; the second value is as the state that makes it has it in its text.
func onThatWay(s *debug.Session, h *provenance.Hint) (list []Fix) {
	if h.Kind != provenance.HintWay || h.Taken == nil || h.Taken.To == nil || len(h.Makes) < 2 {
		return nil
	}
	chooser, machine := h.Chooser.State, s.Machine().Definition()
	place := chooser.Place("")
	file, key, at := place.Source, "Next", chooser.Node
	switch h.Taken.Kind {
	case asl.LaneRule:
		at = chooser.At("Choices[" + strconv.Itoa(h.Taken.Index) + "]")
	case asl.LaneCaught:
		at = chooser.At("Catch[" + strconv.Itoa(h.Taken.Index) + "]")
	case asl.LaneDefault:
		key = "Default"
	case asl.LaneDone, asl.LaneFailed:
	}
	_, states := machine.Root.Find(chooser.Pointer[:strings.LastIndexByte(chooser.Pointer, '/')])
	if file == nil || at == nil || states == nil {
		return nil
	}
	name := "Without " + strings.TrimLeft(h.Makes, "$.")
	for machine.Lookup(name) != nil {
		name += " too"
	}
	l := source.LayoutOf(file)
	for _, v := range values(h) {
		text := "give " + h.Makes + " the value " + value.Compact(v) + " on the way from " + chooser.Name + " to " +
			h.Taken.To.Name
		state, ok := giving(machine.QueryLanguage, h.Makes, v, h.Taken.To.Name)
		if !ok {
			return nil
		}
		if f, ok := fixOf(text, file, l.Set(at, key, value.Quote(name)), l.Set(states, name, state)); ok {
			list = append(list, f)
		}
	}
	return list
}

// values are the values to try where a state was not to make one: null, and the literal that it makes.
func values(h *provenance.Hint) []value.Value {
	list := []value.Value{value.Null{}}
	if n := h.State.At(h.Field); n != nil && n.Value != nil {
		literal := n.Value
		if object, ok := literal.(*value.Object); ok && strings.HasSuffix(baseField(h.Field), "Assign") {
			literal = object.Get(h.Makes[1:])
		} else if n = h.State.At("Result"); baseField(h.Field) == "ResultPath" && n != nil {
			literal = n.Value
		} else if baseField(h.Field) == "ResultPath" {
			literal = nil
		}
		if literal != nil && !strings.Contains(value.Compact(literal), "{%") {
			list = append(list, literal)
		}
	}
	return list
}

// giving writes a Pass state that gives a variable or a member a value.
func giving(language asl.QueryLanguage, makes string, v value.Value, next string) (text string, ok bool) {
	name, isMember := strings.CutPrefix(makes, "$.")
	field := `"Result": ` + value.Compact(v) + `, "ResultPath": ` + value.Quote(makes)
	switch {
	case !isMember && !path.Plain(makes[1:]), isMember && language == asl.JSONata && !path.Plain(name):
		return "", false
	case !isMember:
		field = `"Assign": {` + value.Quote(makes[1:]) + ": " + value.Compact(v) + "}"
	case language == asl.JSONata:
		field = `"Output": ` + value.Quote("{% $merge([$states.input, {'"+name+"': "+value.Compact(v)+"}]) %}")
	}
	return `{"Type": "Pass", ` + field + `, "Next": ` + value.Quote(next) + "}", true
}
