package explain

import (
	"strconv"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/provenance"
	"asldb/engine/source"
	"asldb/engine/value"
)

// hints explains where else a value is that is missing, or which states would have made it: a paragraph for each.
func hints(list []provenance.Hint) Text {
	text := make(Text, 0, len(list))
	for i := range list {
		text = append(text, hint(&list[i]))
	}
	return text
}

// hint is the one place for the words of each kind of hint.
func hint(h *provenance.Hint) Paragraph {
	p := Paragraph{Tone: TonePlain, Sign: SignLeads}
	add := func(spans ...Span) { p.Spans = append(p.Spans, spans...) }
	switch h.Kind {
	case provenance.HintKinds:
		otherKind(h, add)
	case provenance.HintAt:
		p.Tone = ToneGood
		elsewhere(h, add)
	case provenance.HintReplaced:
		p.Tone, p.Sign = ToneRemoved, SignRemoved
		add(words(resultOfHint(h) + " replaced the whole input (" + absent(h) + "), and has "))
		withLine(h, add)
	case provenance.HintDiscarded:
		p.Tone, p.Sign = ToneRemoved, SignRemoved
		if h.Lane.Kind == asl.LaneCaught {
			add(words("catcher " + strconv.Itoa(h.Lane.Index+1) + " of "))
		}
		add(stateOfHint(h), words(" discards "+lowerResult(h.Lane)+" ("), fieldOfHint(h), words(" null), which has "))
		withLine(h, add)
	case provenance.HintFailed, provenance.HintLane, provenance.HintWay, provenance.HintScope, provenance.HintLater:
		maker(h, add)
	case provenance.HintCheck:
		add(words(h.Text))
	}
	return p
}

// otherKind says which kind the value is of, and where there are values that the field takes.
func otherKind(h *provenance.Hint, add func(...Span)) {
	kind := value.KindArray
	for _, k := range []value.Kind{value.KindString, value.KindNumber, value.KindArray} {
		if h.Takes.Has(k) {
			kind = k
		}
	}
	add(pathSpan(h.Path), words(" is "+kindOf(h.Value)+", and "), fieldOfHint(h))
	add(words(" takes " + source.Article(kind)))
	if len(h.Paths) > 0 {
		add(words("; " + kind.String() + "s here: "))
		pathsWith(h.Paths, ", ", add)
	}
}

// kindOf names a value by its kind, and a short text as it is.
func kindOf(v value.Value) string {
	if text, ok := v.(value.String); ok && len(text) < 20 {
		return "the string " + value.Compact(text)
	}
	return source.Article(v.Kind())
}

// pathsWith adds paths, with a word before the last one.
func pathsWith(paths []string, last string, add func(...Span)) {
	for i, text := range paths {
		switch {
		case i > 0 && i == len(paths)-1:
			add(words(last))
		case i > 0:
			add(words(", "))
		}
		add(pathSpan(text))
	}
}

// elsewhere says where the value is, or another one at the end of the same names.
func elsewhere(h *provenance.Hint, add func(...Span)) {
	if h.Ends {
		add(pathSpan(h.Path), words(" is not there; "))
		pathsWith(h.Paths, " and ", add)
		if len(h.Paths) > 1 {
			add(words(" are"))
			return
		}
		add(words(" is: "), val(h.Value))
		return
	}
	add(words("it is at "))
	pathsWith(h.Paths, " or ", add)
	if h.From != nil {
		add(words(" (branch "+strconv.Itoa(h.From.Index+1)+", "), state(h.From.State.Name), words(")"))
	}
	if len(h.Paths) == 1 {
		add(words(" = "), val(h.Value))
	}
}

// resultOfHint names the value that a state put into its output: "Charge's result", "the Error Output of Charge".
func resultOfHint(h *provenance.Hint) string {
	if h.Lane.Kind == asl.LaneCaught {
		return "the Error Output of " + h.State.Name
	}
	return h.State.Name + "'s result"
}

func lowerResult(l *asl.Lane) string {
	if l.Kind == asl.LaneCaught {
		return "the Error Output"
	}
	return "its result"
}

// ofHandler names the catcher or rule of a way out: " of catcher 1".
func ofHandler(l *asl.Lane) string {
	switch l.Kind {
	case asl.LaneCaught:
		return " of catcher " + strconv.Itoa(l.Index+1)
	case asl.LaneRule:
		return " of rule " + strconv.Itoa(l.Index+1)
	case asl.LaneDone, asl.LaneDefault, asl.LaneFailed:
	}
	return ""
}

// absent says which field would have kept the input: "no ResultPath of catcher 1".
func absent(h *provenance.Hint) string { return "no " + baseField(h.Field) + ofHandler(h.Lane) }

// withLine names the members of a result, and the line with which the path leads there.
func withLine(h *provenance.Hint, add func(...Span)) {
	add(pathSpan(h.Has))
	if h.Line == "" {
		return
	}
	field := code(h.Line)
	field.Place = h.Place
	output := h.Makes + tailOf(h.Has)
	if h.State.QueryLanguage == asl.JSONata {
		output = "$states.input" + output[1:]
	}
	add(words(": "), field, words(" makes it "), pathSpan(output))
}

// tailOf is the end of a path with members.
func tailOf(has string) string {
	if strings.HasPrefix(has, "[") {
		return has
	}
	return "." + has
}

func stateOfHint(h *provenance.Hint) Span {
	s := state(h.State.Name)
	if h.Visit != nil {
		s = Span{Kind: KindState, Text: PlaceName(h.Visit), Event: h.Visit.Entered}
	}
	return s
}

func fieldOfHint(h *provenance.Hint) Span {
	field := fieldName(baseField(h.Field))
	field.Place = h.Place
	return field
}

// maker says which state makes the value, and why it did not.
func maker(h *provenance.Hint, add func(...Span)) {
	verb, participle := " makes ", "made "
	if strings.HasSuffix(baseField(h.Field), "Assign") {
		verb, participle = " assigns ", "assigned "
	}
	switch h.Kind {
	case provenance.HintLane:
		wayOut(h, verb, add)
		return
	case provenance.HintFailed:
		verb = " should have " + participle
	case provenance.HintWay:
		verb = " would have " + participle
	default:
	}
	add(stateOfHint(h), words(verb), pathSpan(h.Makes), words(" ("), fieldOfHint(h), words(ofHandler(h.Lane)))
	if h.Place != nil && h.Place.Source != nil {
		add(words(", line " + strconv.Itoa(h.Place.Span.Start.Line)))
	}
	add(words(")"))
	switch h.Kind {
	case provenance.HintFailed:
		failedMaker(h, add)
	case provenance.HintWay:
		add(words(", but "))
		chose(h, add)
		add(words("; "+path.GiveBefore), state(h.Chooser.State.Name), words(path.OnThatWay))
	case provenance.HintScope:
		add(words(" in " + branchOf(h) + "; branches do not see each other"))
	case provenance.HintLater:
		add(words(", but comes after "), state(h.Reader.Name))
	default:
	}
}

// failedMaker says with which error a state failed, and what its catcher did with the data.
func failedMaker(h *provenance.Hint, add func(...Span)) {
	add(words(", but it failed"))
	if h.Failure != nil {
		add(words(" ("), errorName(h.Failure.Name), words(")"))
	}
	if h.Taken.Index >= len(h.State.Catch) {
		return
	}
	catcher := "catcher " + strconv.Itoa(h.Taken.Index+1)
	field := h.State.Catch[h.Taken.Index].ResultPath
	switch {
	case h.State.QueryLanguage == asl.JSONata && h.State.Catch[h.Taken.Index].Output != nil:
		add(words(", and " + catcher + " made the output"))
	case field == nil || !field.Null && field.Path.Len() == 0:
		add(words(", and " + catcher + " put the Error Output in place of the data"))
	case field.Null:
		add(words(", and " + catcher + " took the error"))
	default:
		add(words(", and "+catcher+" put the Error Output at "), pathSpan(field.Path.String()))
	}
}

// wayOut says that a state makes the value on another way out than the one that it took.
func wayOut(h *provenance.Hint, verb string, add func(...Span)) {
	name := h.State.Name
	switch h.Lane.Kind {
	case asl.LaneCaught:
		add(words("only catcher "+strconv.Itoa(h.Lane.Index+1)+" of "), stateOfHint(h), words(verb), pathSpan(h.Makes))
	case asl.LaneRule:
		add(words("only rule "+strconv.Itoa(h.Lane.Index+1)+" of "), stateOfHint(h), words(verb), pathSpan(h.Makes))
	case asl.LaneDone, asl.LaneDefault, asl.LaneFailed:
		add(stateOfHint(h), words(verb), pathSpan(h.Makes), words(" only where no rule holds"))
	}
	add(words("; "))
	tookLane(name, h.Taken, add)
}

// tookLane says which way out of a state was taken.
func tookLane(name string, l *asl.Lane, add func(...Span)) {
	switch l.Kind {
	case asl.LaneRule:
		add(state(name), words(" took rule "+strconv.Itoa(l.Index+1)))
	case asl.LaneDefault:
		add(state(name), words(" took "), fieldName("Default"))
	case asl.LaneCaught:
		add(words("catcher "+strconv.Itoa(l.Index+1)+" of "), state(name), words(" took its error"))
	case asl.LaneDone:
		add(state(name), words(" succeeded"))
	case asl.LaneFailed:
		add(state(name), words(" failed"))
	}
}

// chose says which way out of a state led past the maker, and for which values.
func chose(h *provenance.Hint, add func(...Span)) {
	tookLane(h.Chooser.State.Name, h.Taken, add)
	for i, v := range h.Compared {
		if i > 0 {
			add(words(" and "))
		} else {
			add(words(", since "))
		}
		if v.Value == nil {
			add(pathSpan(v.Path), words(" is missing"))
			continue
		}
		add(pathSpan(v.Path), words(" = "), val(v.Value))
	}
}

// branchOf names the branch that a state is in: "branch 2 of Both".
func branchOf(h *provenance.Hint) string {
	for scope := h.State.Scope; scope != nil && scope.Container != nil; scope = scope.Container.Scope {
		if scope.Kind == asl.BranchScope {
			return "branch " + strconv.Itoa(scope.Branch+1) + " of " + scope.Container.Name
		}
	}
	return "another branch"
}

// hintSteps explains hints as entries of a list: from the entry of a value elsewhere one goes there.
func hintSteps(list []provenance.Hint) []Step {
	var steps []Step
	for i := range list {
		h := &list[i]
		p := hint(h)
		s := Step{Event: h.Event, Visit: h.Visit, Tone: p.Tone, Sign: p.Sign, Head: p.Spans, Place: h.Place}
		if len(h.Paths) > 0 && h.Event >= 0 {
			s.Path = h.Paths[0]
		}
		steps = append(steps, s)
	}
	return steps
}

// hintJSON is the JSON of a hint.
type hintJSON struct {
	Kind  string    `json:"kind"`
	Text  string    `json:"text"`
	Paths []string  `json:"paths,omitempty"`
	State string    `json:"state,omitempty"`
	Field *string   `json:"field,omitempty"` // of a State
	Makes string    `json:"makes,omitempty"`
	Line  string    `json:"line,omitempty"`
	Place *Location `json:"place,omitempty"`
}

// HintsJSON returns hints for a document.
func HintsJSON(list []provenance.Hint) any { return hintsOf(list) }

func hintsOf(list []provenance.Hint) (hints []hintJSON) {
	for i := range list {
		h := &list[i]
		one := hintJSON{Kind: h.Kind.String(), Text: Plain(maxLensValue).Spans(hint(h).Spans), Paths: h.Paths,
			Makes: h.Makes, Line: h.Line, Place: LocationOf(h.Place)}
		if h.State != nil {
			one.State, one.Field = h.State.Path(), &h.Field
		}
		hints = append(hints, one)
	}
	return hints
}

// missBeside is a path that missed and for which there are hints: they say more than a name that is like the missing
// one.
func missBeside(miss *path.MissError, list []provenance.Hint) *path.MissError {
	if len(list) == 0 || miss == nil {
		return miss
	}
	without := *miss
	without.Suggestion = ""
	return &without
}
