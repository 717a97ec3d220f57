package explain

import (
	"errors"
	"path/filepath"
	"slices"
	"strconv"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/provenance"
	"asldb/engine/rules"
	"asldb/internal/wording"
)

// RunOf returns the run of a session, whose causes can be asked.
func RunOf(s *debug.Session, nested Nested) *provenance.RunAgain {
	run := &provenance.RunAgain{Log: s.Log(), Machine: s.Machine(), Start: s.Options().Start, Explainer: s.Explainer(), Redriven: s.Redriven()}
	run.Derived = fromHistory(s)
	run.Recorded = run.Derived
	if nested != nil {
		run.Nested = func(request *engine.TaskRequest) *provenance.RunAgain {
			if inner := nested(request); inner != nil {
				return RunOf(inner, nil)
			}
			return nil
		}
	}
	return run
}

// fromHistory reports whether the definition of a session was made of a history, which tells nothing of its retriers
// and catchers.
func fromHistory(s *debug.Session) bool {
	origin := s.Machine().Definition().Origin
	return origin != nil && origin.Format == asl.FromHistory
}

// Nested returns the session of the execution that answered the request of a task, nil where there was none or it is
// not known. A nil Nested knows none.
type Nested func(request *engine.TaskRequest) *debug.Session

// Failed explains how and where an execution ended that has not succeeded: a sentence, then its error, cause and field,
// the limit that was exceeded, and the way back to the failure in which it all began (see [Ending.Cause]).
func Failed(s *debug.Session, nested Nested) Text { return EndingOf(s, nested).Text() }

// Ending is how an execution ended, or will end by an error that is not caught, and why.
type Ending struct {
	// Chain leads from the end, or the error, back to the cause.
	Chain *provenance.Chain
	// Run is the run that ended.
	Run *provenance.RunAgain
	// Status is the execution's, and Failure its error, or nil.
	Status  engine.Status
	Failure *engine.Failure

	end    *engine.Event // nil where the execution has not ended
	raised bool          // an error came up, of [ErrorOf]
	inner  map[*provenance.Link]*provenance.Child
	missed map[int]missedValue // by the event of a link
}

// EndingOf returns how the execution of a session ended. It goes over the whole log.
func EndingOf(s *debug.Session, nested Nested) *Ending {
	e := EndOf(RunOf(s, nested))
	if e.end == nil {
		e.Status, e.Failure = s.Status(), s.Failure()
	}
	return e
}

// EndOf returns how a run ended. It goes over the whole log.
func EndOf(r *provenance.RunAgain) *Ending {
	e := &Ending{Run: r, Chain: r.End()}
	if last := r.Log.Last(); last != nil && last.Type.EndsExecution() {
		e.end, e.Status, e.Failure = last, last.Type.Traits().Ends, last.Failure()
	}
	return e
}

// endOfChild is EndOf of an execution that a task had started.
func endOfChild(c *provenance.Child) *Ending {
	e := EndOf(c.Run)
	e.Chain = c.Chain
	return e
}

// ErrorOf returns why the error of event i of a session's log, counted from 0, came up. Its chain has no links where
// the event raises none.
func ErrorOf(s *debug.Session, i int, nested Nested) *Ending {
	r := RunOf(s, nested)
	return &Ending{Run: r, Chain: r.Error(i), Status: s.Status(), Failure: s.Failure(), raised: true}
}

// Root returns the number of the event in which it all began, from 1; 0 where the execution is running or succeeded.
func (e *Ending) Root() int64 {
	root := e.Chain.Root()
	if root == nil {
		return 0
	}
	return e.Run.Log.At(root.Event).Seq
}

// Brief names the cause in a few words, for a line: "FAILED in OrderRejected, because ChargeCard failed:
// Card.Declined". The texts behind the first are shorter.
func (e *Ending) Brief() []Paragraph {
	tone, sign, first, surface := e.surface()
	say := func(spans ...Span) Paragraph { return say(tone, sign, spans...) }
	root := e.Chain.Root()
	if root == nil || root.Visit == nil {
		return []Paragraph{surface}
	}
	switch {
	case root.Kind == provenance.Decided:
		long := []Span{first, words(" in " + PlaceName(e.Chain.Links[0].Visit) + ", because ")}
		return []Paragraph{
			say(append(append(long, e.decidedBy(root)...), e.handling(root)...)...),
			say(first, words(", because "+PlaceName(root.Visit)+" chose it")), surface,
		}
	case root.Kind != provenance.Failed:
		return []Paragraph{say(first, words(" in "+PlaceName(root.Visit))), surface}
	}
	spans := []Span{first, words(" in " + PlaceName(e.Chain.Links[0].Visit))}
	short, in := []Span{first}, root
	if e.Chain.Links[0].Visit != root.Visit {
		spans = append(spans, words(", because "+PlaceName(root.Visit)+" failed"))
		short = append(short, words(" because "+PlaceName(root.Visit)+" failed"))
	} else {
		short = append(short, words(" in "+PlaceName(root.Visit)))
	}
	if inner := e.nested(root); inner != nil {
		in = inner.Chain.Root()
		spans = append(spans, words(", because "+PlaceName(in.Visit)+" inside it failed"))
		short = append(short, words(" > "+PlaceName(in.Visit)))
	}
	name := errorName(in.Failure.Name)
	list := []Paragraph{say(append(spans, words(": "), name)...), say(append(short, words(": "), name)...), say(first, words(": "), name)}
	if handling := e.handling(root); handling != nil {
		list = slices.Insert(list, 0, say(slices.Concat(spans, handling, []Span{words(": "), name})...))
	}
	return list
}

// surface says how it ended, without the cause: the tone, the sign and the word of [Ending.Brief], and the whole.
func (e *Ending) surface() (tone Tone, sign Sign, first Span, surface Paragraph) {
	if e.raised {
		surface = say(ToneBad, SignError, words("UNCAUGHT ERROR"))
		return ToneBad, SignError, surface.Spans[0], surface
	}
	return ToneBad, SignError, words(e.Status.String()), Outcome(e.Status, e.Failure)
}

// child returns the execution that the task of a link had started and for which it failed, nil where there was none.
func (e *Ending) child(l *provenance.Link) *provenance.Child {
	if child, known := e.inner[l]; known {
		return child
	}
	if e.inner == nil {
		e.inner = make(map[*provenance.Link]*provenance.Child)
	}
	e.inner[l] = e.Run.Child(l)
	return e.inner[l]
}

// nested returns the ending of the execution that the task of a link had started, nil where it is not known or has not
// failed.
func (e *Ending) nested(l *provenance.Link) *Ending {
	if child := e.child(l); child != nil && child.Run != nil {
		return endOfChild(child)
	}
	return nil
}

// Text is the whole explanation.
func (e *Ending) Text() Text {
	first := say(ToneBad, SignError, words(e.Status.String()))
	failure := e.Failure
	if bound := e.Run.Machine.Definition().TimeoutSeconds; e.end != nil && e.end.Type == engine.ExecutionTimedOut && bound > 0 {
		first.Spans = append(first.Spans, words(": it took longer than the state machine's TimeoutSeconds, "+strconv.FormatInt(bound, 10)+" s"))
	}
	if failure == nil {
		return append(Text{first}, e.going()...)
	}
	if place, ok := failure.Place(); ok {
		first.Spans = append(first.Spans, words(" in "),
			Span{Kind: KindState, Text: failure.Origin.Path(), Event: failure.Origin.Entered},
			words(" ("), placeSpan(place), words(")"))
	}
	first.Spans = append(append(first.Spans, e.because()...), e.lost()...)
	text := append(Text{first}, e.sentence()...)
	labelled := func(label string, span Span) {
		if span.Text != "" {
			text = append(text, Paragraph{Label: label, Spans: []Span{span}})
		}
	}
	if failure.Name != "" {
		labelled("error", errorName(failure.Name))
	}
	labelled("cause", causeSpan(failure.Cause))
	if unpacked := Reason(failure); unpacked != failure.Reason() {
		labelled("reason", words(unpacked))
	}
	text = append(text, e.sureness()...)
	labelled("field", fieldName(failure.Field))
	text = append(text, exceededLimit(failure)...)
	return append(append(text, e.going()...), e.Cause()...)
}

// lost names the state that lost the value which the last link read: ": catcher 1 of Charge lost $.orderId". It is
// empty where none did.
func (e *Ending) lost() []Span {
	root := e.Chain.Root()
	if root == nil || root.Kind != provenance.Failed {
		return nil
	}
	loss, _ := e.missing(root)
	if loss == nil || loss.Visit == nil || loss.Kind == provenance.NeverThere || loss.Kind == provenance.Elsewhere {
		return nil
	}
	spans := []Span{words(": ")}
	if n := numberIn(loss.Field, "Catch["); n >= 0 {
		spans = append(spans, words("catcher "+strconv.Itoa(n+1)+" of "))
	}
	by := Span{Kind: KindState, Text: PlaceName(loss.Visit), Event: loss.Visit.Entered}
	return append(spans, by, words(" lost "), pathSpan(loss.Path))
}

// missing is what the run knows of the value that a link read in vain.
func (e *Ending) missing(l *provenance.Link) (*provenance.Loss, []provenance.Hint) {
	known, ok := e.missed[l.Event]
	if !ok {
		known.loss, known.hints = e.Run.Missing(l.Event)
		if e.missed == nil {
			e.missed = make(map[int]missedValue)
		}
		e.missed[l.Event] = known
	}
	return known.loss, known.hints
}

// missedValue is the answer to a value that was read in vain.
type missedValue struct {
	loss  *provenance.Loss
	hints []provenance.Hint
}

// sentence is the sentence on the error with which it ended: none where the Error Name and the Cause say it.
func (e *Ending) sentence() Text {
	var loss *provenance.Loss
	var list []provenance.Hint
	if root := e.Chain.Root(); root != nil && root.Failure == e.Failure {
		loss, list = e.missing(root)
	}
	if p, ok := sentence(e.Failure, loss, list); ok {
		return Text{p}
	}
	return nil
}

// exceededLimit names the limit that an error exceeded, and the flag that raises it.
func exceededLimit(failure *engine.Failure) Text {
	var text Text
	var size *engine.SizeError
	if errors.As(failure.Err, &size) {
		text = append(text, say(ToneCaution, NoSign, words(size.Error()+": "), code("--no-limits"), words(" lifts it")))
	}
	if p, ok := OwnLimit(failure.Err); ok {
		text = append(text, p)
	}
	return text
}

// Report is the explanation without the sentence on the cause: how the execution ended in one line, the way back to the
// cause below it, and last the Cause of the error, which may be long.
func (e *Ending) Report() Text {
	failure := e.Failure
	text := e.Text()[:1]
	if failure == nil {
		return append(text, e.going()...)
	}
	if e.end != nil && e.end.Type == engine.ExecutionFailed {
		text = Text{say(ToneBad, SignError, words(e.Status.String()))}
		if failure.Origin != nil {
			text[0].Spans = append(text[0].Spans, words(" in "), Span{Kind: KindState, Text: failure.Origin.Path(), Event: failure.Origin.Entered})
		}
		text[0].Spans = append(text[0].Spans, words(" with "), errorName(failure.Name), words(" after "+wording.Duration(e.end.At().Sub(e.Run.Start))))
		if root := e.Chain.Root(); root != nil && sameFailure(e.Chain.Links, 0) == len(e.Chain.Links) {
			if root.Attempt > 1 {
				text[0].Spans = append(text[0].Spans, words(", attempt "+strconv.Itoa(root.Attempt)))
			}
			text[0].Spans = append(append(text[0].Spans, e.handling(root)...), e.lost()...)
		}
		if place, ok := failure.Place(); ok && !e.Run.Derived {
			text[0].Spans = append(text[0].Spans, words("  "), placeSpan(place))
		}
	}
	text = append(append(append(text, e.sentence()...), e.going()...), e.causeText(false)...)
	named := false
	for i := sameFailure(e.Chain.Links, 0); i < len(e.Chain.Links); i++ {
		named = named || e.Chain.Links[i].Failure == failure
	}
	if failure.Cause != "" && !named {
		text = append(text, Paragraph{Label: "cause", Spans: []Span{causeSpan(wording.Clip(Reason(failure), maxCause))}})
	}
	text = append(text, e.sureness()...)
	return append(text, exceededLimit(failure)...)
}

// Sureness says how it is known that Step Functions ends an execution with the error in which it all began. ok is false
// in the dialect of the specification, and for an error that a task or a Fail state gave.
func (e *Ending) Sureness() (mark rules.Sureness, ok bool) {
	root := e.Chain.Root()
	if root == nil || root.Failure == nil || root.Failure.Cause == "" ||
		e.Run.Machine == nil || !e.Run.Machine.Dialect().Does(rules.WritesServiceCauses) {
		return rules.Guessed, false
	}
	if event := e.Run.Log.At(root.Event); event.Type == engine.TaskFailed ||
		event.Stage == engine.StageFail && root.Failure.Field == "" {
		return rules.Guessed, false
	}
	if mark, ok = root.Failure.Sureness(); ok && e.Run.Recorded {
		mark = rules.Recorded // here
	}
	return mark, ok
}

// sureness is the paragraph with the mark of the cause.
func (e *Ending) sureness() Text {
	mark, ok := e.Sureness()
	if !ok {
		return nil
	}
	return Text{{Label: "sureness", Spans: []Span{words(mark.String() + ": " + mark.Reason())}}}
}

// View is [Ending.Report] for a screen: the sentence is first, and places are short.
func (e *Ending) View() Text {
	text := e.Report()
	if len(text) > 1 && text[1].Sign == SignError {
		text[0], text[1] = text[1], text[0] // the top line says how it ended
		text[1].Sign = NoSign
		for i := range text {
			if text[i].Label == "cause" && text[i].Level == 0 {
				text[i].Tone = ToneQuiet
			}
		}
	}
	for i := range text {
		for k := range text[i].Spans {
			if span := &text[i].Spans[k]; span.Place != nil && span.Kind == KindWords {
				span.Text = filepath.Base(span.Place.Source.Name) + ":" + strconv.Itoa(span.Place.Span.Start.Line)
			}
		}
	}
	return text
}

// going says which state went on when the execution was stopped or ran out of time.
func (e *Ending) going() Text {
	root := e.Chain.Root()
	if root == nil || root.Kind != provenance.OutOfTime && root.Kind != provenance.Stopped || root.Visit == nil {
		return nil
	}
	log, since := e.Run.Log, ""
	if i := int(root.Visit.Entered) - 1; i >= log.First() {
		since = ", entered at " + SinceStart(e.Run.Start, log.At(i).At())
		if took := root.At.Sub(log.At(i).At()); root.Kind == provenance.OutOfTime && took > 0 {
			since += ", " + wording.Duration(took) + " before the end"
		}
	}
	if b := e.Run.Bound(root.Event); b != nil && !b.Heartbeat.IsZero() {
		since += "; last heartbeat at " + SinceStart(e.Run.Start, b.Heartbeat)
	}
	spans := []Span{{Kind: KindState, Text: PlaceName(root.Visit), Event: root.Visit.Entered}, words(since)}
	return Text{{Label: "during", Spans: append(spans, placed(root.Place)...)}}
}
