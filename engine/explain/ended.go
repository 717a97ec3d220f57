package explain

import (
	"errors"
	"path/filepath"
	"strconv"

	"asldb/engine"
	"asldb/engine/cause"
	"asldb/engine/debug"
)

// Nested returns the session of the execution that answered the request of a task, nil where there was none or it is not
// known. A nil Nested knows none.
type Nested func(request *engine.TaskRequest) *debug.Session

func (n Nested) of(request *engine.TaskRequest) *debug.Session {
	if n == nil || request == nil {
		return nil
	}
	return n(request)
}

// Failed explains how and where an execution ended that has not succeeded: a sentence, then its error, cause and field, the
// limit that was exceeded, and the way back to the failure in which it all began (see [Ending.Cause]).
func Failed(s *debug.Session, nested Nested) Text { return EndingOf(s, nested).Text() }

// Ending is how an execution ended, or will end by an error that is not caught, and why.
type Ending struct {
	// Chain leads from the end, or the error, back to the cause.
	Chain *cause.Chain

	session *debug.Session
	nested  Nested
	end     *engine.Event // nil where the execution goes on
	raised  bool          // an error came up, of [ErrorOf]
}

// EndingOf returns how the execution of a session ended. It goes over the whole log.
func EndingOf(s *debug.Session, nested Nested) *Ending {
	e := &Ending{session: s, nested: nested, Chain: CauseOf(s)}
	if last := s.Log().Last(); last != nil && last.Type.EndsExecution() {
		e.end = last
	}
	return e
}

// ErrorOf returns why the error of event i of a session's log, counted from 0, came up. Its chain has no links where the event
// raises none.
func ErrorOf(s *debug.Session, i int, nested Nested) *Ending {
	return &Ending{session: s, nested: nested, Chain: cause.Error(s.Log(), i, s.Machine().Dialect()), raised: true}
}

// Root returns the number of the event in which it all began, from 1; 0 where the execution goes on or succeeded.
func (e *Ending) Root() int64 {
	root := e.Chain.Root()
	if root == nil {
		return 0
	}
	return e.session.Log().At(root.Event).Seq
}

// Brief names the cause in a few words, for a line: "FAILED in OrderRejected, because ChargeCard failed: Card.Declined". The
// texts behind the first are shorter.
func (e *Ending) Brief() []Paragraph {
	tone, sign, first, surface := e.surface()
	say := func(spans ...Span) Paragraph { return say(tone, sign, spans...) }
	root := e.Chain.Root()
	if root == nil || root.Visit == nil {
		return []Paragraph{surface}
	}
	switch {
	case root.Kind == cause.Decided:
		long := []Span{first, words(" in " + PlaceName(e.Chain.Links[0].Visit) + ", because ")}
		return []Paragraph{
			say(append(long, decidedBy(root)...)...),
			say(first, words(", because "+PlaceName(root.Visit)+" chose it")), surface,
		}
	case root.Kind != cause.Failed:
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
	if inner := e.inner(root); inner != nil {
		in = inner.Chain.Root()
		spans = append(spans, words(", because "+PlaceName(in.Visit)+" inside it failed"))
		short = append(short, words(" > "+PlaceName(in.Visit)))
	}
	name := errorName(in.Failure.Name)
	return []Paragraph{
		say(append(spans, words(": "), name)...), say(append(short, words(": "), name)...),
		say(first, words(": "), name),
	}
}

// surface says how it ended, without the cause: the tone, the sign and the word of [Ending.Brief], and the whole.
func (e *Ending) surface() (tone Tone, sign Sign, first Span, surface Paragraph) {
	if e.raised {
		surface = say(ToneCaution, SignBreakpoint, words("UNCAUGHT ERROR"))
		return ToneCaution, SignBreakpoint, surface.Spans[0], surface
	}
	status, failure := e.session.Status(), e.session.Failure()
	if e.end != nil {
		status, failure = e.end.Type.Traits().Ends, e.end.Failure()
	}
	return ToneBad, SignError, words(status.String()), Outcome(status, failure)
}

// inner returns the ending of the execution that the task of a link had started, nil where it is not known or has not failed.
func (e *Ending) inner(l *cause.Link) *Ending {
	if l.Visit == nil || l.Kind != cause.Failed {
		return nil
	}
	s := e.nested.of(e.session.Log().RequestBefore(l.Event))
	if s == nil {
		return nil
	}
	inner := EndingOf(s, nil)
	if root := inner.Chain.Root(); root == nil || root.Kind != cause.Failed || root.Visit == nil || root.Failure == nil {
		return nil
	}
	return inner
}

// Text is the whole explanation.
func (e *Ending) Text() Text {
	s := e.session
	first := say(ToneBad, SignError, words(s.Status().String()))
	failure := s.Failure()
	if e.end != nil {
		first = say(ToneBad, SignError, words(e.end.Type.Traits().Ends.String()))
		failure = e.end.Failure()
		if bound := s.Machine().Definition().TimeoutSeconds; e.end.Type == engine.ExecutionTimedOut && bound > 0 {
			first.Spans = append(first.Spans, words(": it took longer than the state machine's TimeoutSeconds, "+strconv.FormatInt(bound, 10)+" s"))
		}
	}
	if failure == nil {
		return append(Text{first}, e.going()...)
	}
	if place, ok := failure.Place(); ok {
		first.Spans = append(first.Spans, words(" in "),
			Span{Kind: KindState, Text: failure.Origin.Path(), Event: failure.Origin.Entered}, words(" ("), at(place), words(")"))
	}
	first.Spans = append(first.Spans, e.because()...)
	text := Text{first}
	labelled := func(label string, span Span) {
		if span.Text != "" {
			text = append(text, Paragraph{Label: label, Spans: []Span{span}})
		}
	}
	if failure.Name != "" {
		labelled("error", errorName(failure.Name))
	}
	labelled("cause", causeSpan(failure.Cause))
	if !missedPath(failure) {
		labelled("reason", words(failure.Explanation()))
	}
	labelled("field", fieldName(failure.Field))
	var size *engine.SizeError
	if errors.As(failure.Err, &size) {
		text = append(text, say(ToneCaution, NoSign, words(size.Error()+": "), code("--no-limits"), words(" lifts it")))
	}
	if p, ok := OwnLimit(failure.Err); ok {
		text = append(text, p)
	}
	return append(append(text, e.going()...), e.Cause()...)
}

// View is the explanation for a screen: how the execution ended in one line, the way back to the cause below it, and last the
// Cause of the error, which may be long.
func (e *Ending) View() Text {
	failure := e.session.Failure()
	if e.end != nil {
		failure = e.end.Failure()
	}
	text := e.Text()[:1]
	if failure == nil {
		return append(text, e.going()...)
	}
	if e.end != nil && e.end.Type == engine.ExecutionFailed {
		text = Text{say(ToneBad, SignError, words(e.end.Type.Traits().Ends.String()))}
		if failure.Origin != nil {
			text[0].Spans = append(text[0].Spans, words(" in "), Span{Kind: KindState, Text: failure.Origin.Path(), Event: failure.Origin.Entered})
		}
		text[0].Spans = append(text[0].Spans, words(" with "), errorName(failure.Name))
		if root := e.Chain.Root(); root != nil && root.Failure == failure && root.Visit != nil {
			text[0].Spans = append(text[0].Spans, words(when(root, e.session.Log(), e.session.Options().Start)))
		}
		if place, ok := failure.Place(); ok {
			text[0].Spans = append(text[0].Spans, words("  "), at(place))
		}
	}
	text = append(append(text, e.going()...), e.Cause()...)
	root := e.Chain.Root()
	if failure.Cause != "" && (root == nil || root.Failure != failure || len(e.Chain.Links) < 2) { // else a line has said it
		text = append(text, Paragraph{Label: "cause", Spans: []Span{causeSpan(Clip(failure.Reason(), maxCause))}})
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
	if root == nil || root.Kind != cause.OutOfTime && root.Kind != cause.Stopped || root.Visit == nil {
		return nil
	}
	log := e.session.Log()
	since := ""
	if i := int(root.Visit.Entered) - 1; i >= log.First() {
		since = ", entered at " + SinceStart(e.session.Options().Start, log.At(i).At())
	}
	return Text{{Label: "during", Spans: []Span{{Kind: KindState, Text: PlaceName(root.Visit), Event: root.Visit.Entered}, words(since)}}}
}
