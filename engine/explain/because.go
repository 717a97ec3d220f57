package explain

import (
	"slices"
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/provenance"
	"asldb/internal/wording"
)

// because names the cause of a failed execution in one line, behind a sentence that says how it ended: ", because
// ChargeCard failed at t+0.35s: Card.Declined, which catcher 1 took". Where that sentence has named the cause, it says
// when it failed: " at t+0.35s, attempt 2".
func (e *Ending) because() []Span {
	root := e.Chain.Root()
	if root == nil {
		return nil
	}
	inner := e.nested(root)
	named := root.Failure != nil && root.Failure == e.Chain.Links[0].Failure
	switch {
	case named && root.Kind != provenance.Failed:
		return nil
	case named && inner != nil:
		return append(append(e.when(root), words(", because in the execution that it started ")), inner.rootFailed()...)
	case named:
		return e.when(root)
	}
	spans := []Span{words(", because ")}
	if root.Kind == provenance.Decided {
		spans = append(spans, e.decided(root)...)
		if root.Place != nil {
			spans = append(spans, words(" ("), placeSpan(*root.Place), words(")"))
		}
		return append(spans, e.handling(root)...)
	}
	spans = append(spans, e.failedAt(root)...)
	if inner != nil {
		return append(append(spans, words(": in the execution that it started, ")), inner.rootFailed()...)
	}
	spans = append(spans, words(": "), FailureDetail(root.Failure)[0])
	switch {
	case root.Caught >= 0 && e.Run.Derived:
		spans = append(spans, words(", which was caught"))
	case root.Caught >= 0:
		d := e.Run.Log.At(root.Caught).Detail.(*engine.CatchDetail)
		spans = append(spans, words(", which catcher "+strconv.Itoa(d.Catcher+1)+" took"))
	}
	return spans
}

// rootFailed says of an execution that a task had started which state failed, when, and with which error.
func (e *Ending) rootFailed() []Span {
	root := e.Chain.Root()
	spans := e.failedAt(root)
	spans[0].Event = 0 // of another log
	return append(spans, words(": "), errorName(root.Failure.Name))
}

// Cause explains why an execution has not succeeded: for each link of the chain behind the first a paragraph labelled
// "because", with the answers of the retriers and catchers below it, the errors that were being handled then, labelled
// "handling", the values that the last link had to do with, and in the end the errors that the execution survived. The
// first link is how it ended: that, and a Choice rule that is the whole cause, are told by the sentence before.
func (e *Ending) Cause() Text { return e.causeText(true) }

// causeText is Cause; named says that the sentence before names a Choice rule that is the whole cause.
func (e *Ending) causeText(named bool) Text {
	text := e.links(0, named)
	if root := e.Chain.Root(); root != nil {
		text = append(text, with(e.Run, root)...)
	}
	text = append(text, e.survived()...)
	if e.Chain.Partial {
		text = append(text, say(ToneQuiet, NoSign, words("The first events of this run were not kept: a trace has them all.")))
	}
	return text
}

// links explains the links from number first on, and the errors that were being handled. named leaves out a Choice rule
// that is the last link.
func (e *Ending) links(first int, named bool) Text {
	var text Text
	list := e.Chain.Links
	for from, to := 0, 0; from < len(list); from = to {
		to = sameFailure(list, from)
		line := "because"
		if from == 0 || named && to == len(list) && list[from].Kind == provenance.Decided {
			line = "" // the sentence before the links has it
		}
		text = append(text, e.group(list[from:to], max(first-from, 0), line)...)
	}
	for list = e.Chain.Handled; len(list) > 0; {
		to := sameFailure(list, 0)
		text = append(text, e.group(list[:to], 0, handling)...)
		list = list[to:]
	}
	return text
}

// handling is the label of an error that was being handled when another one occurred.
const handling = "handling"

// Split divides an explanation before the errors that were being handled, if there are any.
func (t Text) Split() (cause, handled Text) {
	for i := range t {
		if t[i].Label == handling {
			return t[:i], t[i:]
		}
	}
	return t, nil
}

// sameFailure returns the end of the links from a number on that have the same error: the error of a branch or an
// iteration is also the error of the states around it.
func sameFailure(list []provenance.Link, from int) int {
	to := from + 1
	for to < len(list) && list[to].Failure != nil && list[to].Failure == list[from].Failure {
		to++
	}
	return to
}

// group explains links with the same error from number first on, the innermost one before those around it: a paragraph
// with a label that names the innermost, where there is a label, and the answers of retriers and catchers below it.
func (e *Ending) group(list []provenance.Link, first int, label string) Text {
	inner := &list[len(list)-1]
	var text Text
	if label != "" {
		text = append(text, e.link(list, label))
	}
	for i := len(list) - 1; i >= first; i-- {
		l, of := &list[i], ""
		if l.Visit != nil && (label != "" && l != inner || label == "" && (l.Failure == nil || l.Failure.Origin != l.Visit)) {
			of = l.Visit.State.Name // it has no separate line
		}
		text = append(text, e.retries(l, of)...)
		if l.Kind == provenance.Failed && l == inner && (label != "" || l == e.Chain.Root()) {
			text = append(text, e.details(l, label == "", first > 0)...)
		}
		text = append(text, e.handlers(l, of)...)
	}
	return text
}

// wayToCause explains the way from an error, which was explained, to its cause, and the values of the cause
// where no retrier and no catcher of its state has taken it.
func (e *Ending) wayToCause() Text {
	root := e.Chain.Root()
	if root == nil {
		return nil
	}
	var text Text
	if len(e.Chain.Links) == 1 {
		for _, p := range e.innerCause(root) {
			p.Level++
			text = append(text, p)
		}
	}
	text = append(text, e.links(1, false)...)
	if !slices.ContainsFunc(e.Chain.Links[0].Handlers, provenance.Handler.Takes) {
		text = append(text, with(e.Run, root)...)
	}
	return text
}

// details explains the error of a link: the execution that a task had started, a timeout, how far a path got and where
// its value was lost. headed leaves out the sentence on it, which was before; located also where the value was lost.
func (e *Ending) details(l *provenance.Link, headed, located bool) Text {
	text := e.innerCause(l)
	if p, ok := timedOut(e.Run, l.Event); ok {
		text = append(text, p)
	}
	if !located {
		loss, others := e.missing(l)
		if head, ok := sentence(l.Failure, loss, others); ok && !headed {
			text = append(text, head)
		}
		text = append(text, whence(e.Run, loss, others)...)
	}
	for i := range text {
		text[i].Level++
	}
	return text
}

// innerCause explains why the execution failed that a task had started.
func (e *Ending) innerCause(l *provenance.Link) Text {
	inner := e.nested(l)
	if inner == nil {
		return described(e.child(l))
	}
	first := say(ToneBad, NoSign, words("the execution that it started "+strings.ToLower(inner.Status.String())))
	if at := inner.Chain.Links[0]; at.Failure != nil && at.Failure == inner.Chain.Root().Failure {
		first.Spans = append(first.Spans, words(" in "), state(PlaceName(inner.Chain.Root().Visit)))
		first.Spans = append(append(first.Spans, inner.because()...), words(": "))
		first.Spans = append(first.Spans, FailureDetail(at.Failure)...)
	} else {
		first.Spans = append(first.Spans, inner.because()...)
	}
	text := Text{first}
	for _, p := range append(inner.sentence(), inner.Cause()...) {
		p.Level++
		for k := range p.Spans {
			p.Spans[k].Event = 0 // of another log
		}
		text = append(text, p)
	}
	for k := range text[0].Spans {
		text[0].Spans[k].Event = 0
	}
	return text
}

// link names the innermost of links with the same error.
func (e *Ending) link(list []provenance.Link, label string) Paragraph {
	l := &list[len(list)-1]
	p := Paragraph{Label: label}
	if l.Kind == provenance.Decided {
		p.Spans = append(e.decided(l), e.handling(l)...)
	} else {
		p.Tone, p.Spans = ToneBad, append(e.failedAt(l), words(": "))
		p.Spans = append(p.Spans, FailureDetail(l.Failure)...)
	}
	for i := range list {
		if n := list[i].Inside; n > 1 {
			p.Spans = append(p.Spans, words(" ("+strconv.Itoa(n)+" "+threadsOf(list[i].Visit.State)+" of "+list[i].Visit.State.Name+" failed)"))
		}
	}
	p.Spans = append(p.Spans, words("  "), eventSpan(e.Run.Log, l.Event))
	p.Spans = append(p.Spans, placed(l.Place)...)
	return p
}

// handling names the error that was being handled when the cause came up; it is empty for other links.
func (e *Ending) handling(l *provenance.Link) []Span {
	if list := e.Chain.Handled; l == e.Chain.Root() && len(list) > 0 {
		handled := &list[sameFailure(list, 0)-1]
		return []Span{words(", while handling "), errorName(handled.Failure.Name), words(" of "), e.stateOf(handled)}
	}
	return nil
}

// stateOf names the state of a link with the number of its branch or iteration; with the whole path where it has
// several.
func (e *Ending) stateOf(l *provenance.Link) Span {
	name := Span{Kind: KindState, Text: "the execution", Event: e.Run.Log.At(l.Event).Seq}
	if l.Visit != nil {
		name.Text = PlaceName(l.Visit)
		if l.Visit.Parent != nil && l.Visit.Parent.Parent != nil {
			name.Text = l.Visit.Path()
		}
	}
	return name
}

// threadsOf is the word for the threads of a Parallel or Map state.
func threadsOf(s *asl.State) string {
	if s.Type == asl.Map {
		return "iterations"
	}
	return "branches"
}

// maxRetries bounds the attempts that are named of a state that was tried again and again.
const maxRetries = 4

// retries names the attempts before the one that failed, with the delays after them; of is the name of the state, or
// empty where it is plain.
func (e *Ending) retries(l *provenance.Link, of string) Text {
	list := e.Run.Retries(l)
	if of != "" {
		of = " of " + of
	}
	var text Text
	for i := range list {
		r := &list[i]
		if left := len(list) - maxRetries; left > 0 && i >= maxRetries-1 && i < len(list)-1 {
			if i == maxRetries-1 {
				text = append(text, Paragraph{Level: 1, Tone: ToneQuiet, Spans: []Span{words("and " + wording.Count(left, "attempt") + of + " more")}})
			}
			continue
		}
		text = append(text, Paragraph{Level: 1, Tone: ToneQuiet, Sign: SignRetry, Spans: []Span{
			words("attempt " + strconv.Itoa(r.Attempt) + of + " failed at " + SinceStart(e.Run.Start, r.At) + ": "), FailureDetail(r.Failure)[0],
			words(", retried after " + wording.Duration(r.Delay) + "  "), eventSpan(e.Run.Log, r.Event),
		}})
	}
	return text
}

// handlers explains the answers of the retriers and catchers of a link's state; of is the name of the state, or empty
// where it is plain.
func (e *Ending) handlers(l *provenance.Link, of string) Text {
	if !e.Run.Derived {
		return Handlers(l.Handlers, l.Failure, of)
	}
	if of != "" {
		of = "by " + of + " "
	}
	var text Text
	for _, h := range l.Handlers {
		text = append(text, Paragraph{Level: 1, Tone: ToneGood, Sign: SignHolds, Spans: []Span{words("it was caught " + of), mark(SignCaught), words(" "), state(h.Next)}})
	}
	return text
}

// failedAt says which state failed, when, and at which attempt.
func (e *Ending) failedAt(l *provenance.Link) []Span {
	return append([]Span{e.stateOf(l), words(" failed")}, e.when(l)...)
}

// when says when an error came up, at which attempt, and which error was being handled: " at t+3s, attempt 2".
func (e *Ending) when(l *provenance.Link) []Span {
	text := " at " + SinceStart(e.Run.Start, e.Run.Log.At(l.Event).At())
	if l.Attempt > 1 {
		text += ", attempt " + strconv.Itoa(l.Attempt)
	}
	return append([]Span{words(text)}, e.handling(l)...)
}

// decided says which rule of a Choice state led on.
func (e *Ending) decided(l *provenance.Link) []Span {
	name := Span{Kind: KindState, Text: PlaceName(l.Visit), Event: l.Visit.Entered}
	rule := ruleOf(l)
	switch {
	case rule == nil:
		return []Span{words("no rule of "), name, words(" held: Default led to "), state(l.Visit.State.Default)}
	case e.Run.Derived:
		return []Span{name, words(" led to "), state(rule.Next)}
	}
	spans := []Span{words("rule " + strconv.Itoa(l.Rule+1) + " of "), name, words(" led to "), state(rule.Next)}
	if label := rule.Label(); label != "" {
		spans = append(spans, words(": "), code(label))
	}
	return spans
}

// ruleOf returns the rule that a Choice state took, nil of Default.
func ruleOf(l *provenance.Link) *asl.ChoiceRule {
	if l.Rule < 0 || l.Rule >= len(l.Visit.State.Choices) {
		return nil
	}
	return l.Visit.State.Choices[l.Rule]
}

// decidedBy names the rule of a Choice state in a few words.
func (e *Ending) decidedBy(l *provenance.Link) []Span {
	rule := ruleOf(l)
	switch {
	case rule == nil:
		return []Span{words("no rule of "), state(PlaceName(l.Visit)), words(" held")}
	case e.Run.Derived:
		return []Span{state(PlaceName(l.Visit)), words(" led there")}
	}
	spans := []Span{words("rule " + strconv.Itoa(l.Rule+1) + " of "), state(PlaceName(l.Visit)), words(" held")}
	if label := rule.Label(); label != "" {
		spans = append(spans, words(": "), code(label))
	}
	return spans
}

// Handlers explains the answers of retriers and catchers to an error: which name it, which are used up, which took it.
// failure is the error; of is the name of their state, or empty where it is plain.
func Handlers(list []provenance.Handler, failure *engine.Failure, of string) Text {
	if of != "" {
		of = " of " + of
	}
	var text Text
	var unasked []string
	for i := range list {
		h := &list[i]
		name := "retrier "
		if h.Catcher {
			name = "catcher "
		}
		name += strconv.Itoa(h.Index+1) + of
		switch h.Verdict {
		case provenance.NeverCaught: // as all others are then
			return Text{{Level: 1, Sign: SignFails, Spans: []Span{errorName(failure.Name), words(" is never caught: no retrier or catcher" + of + " is asked")}}}
		case provenance.NotAsked:
			unasked = append(unasked, name)
		default:
			p := verdict(h, failure)
			p.Spans = append([]Span{words(name + " "), code("[" + strings.Join(h.Names, ", ") + "]")}, p.Spans...)
			text = append(text, p)
		}
	}
	if len(unasked) > 0 {
		text = append(text, Paragraph{Level: 1, Tone: ToneQuiet, Spans: []Span{words("not asked: " + strings.Join(unasked, ", "))}})
	}
	return text
}

// verdict explains the answer of a retrier or catcher that was asked, without its name.
func verdict(h *provenance.Handler, failure *engine.Failure) Paragraph {
	p := Paragraph{Level: 1, Sign: SignFails}
	switch h.Verdict {
	case provenance.NotNamed:
		p.Spans = []Span{words(" does not name "), errorName(failure.Name)}
		if h.Near != "" {
			p.Spans = append(p.Spans, words(": is "), errorName(h.Near), words(" misspelt?"))
		}
	case provenance.Spent:
		p.Spans = []Span{words(": " + spent(h))}
	case provenance.Retries:
		p.Tone, p.Sign = ToneCaution, SignRetry
		p.Spans = []Span{words(" schedules retry " + strconv.FormatInt(h.Attempts+1, 10) + " of " + strconv.FormatInt(h.MaxAttempts, 10))}
	case provenance.Took:
		p.Tone, p.Sign = ToneGood, SignHolds
		p.Spans = []Span{words(" takes it "), mark(SignCaught), words(" "), state(h.Next)}
	case provenance.NeverCaught, provenance.NotAsked:
	}
	return p
}

func spent(h *provenance.Handler) string {
	switch h.MaxAttempts {
	case 0:
		return "allows no retry: MaxAttempts is 0"
	case 1:
		return "its 1 attempt is used up"
	}
	return "its " + strconv.FormatInt(h.MaxAttempts, 10) + " attempts are used up"
}

// described explains an execution with nothing known but its description, and those inside of it.
func described(c *provenance.Child) Text {
	var text Text
	for level := 0; c != nil; c, level = c.Child, level+1 {
		spans := []Span{words("the execution "), code(c.Arn), words(" ended as " + c.Status)}
		if c.Error != "" {
			spans = append(spans, words(": "), errorName(c.Error))
		}
		if c.Cause != "" && c.Child == nil {
			spans = append(spans, words(": "), Span{Kind: KindCause, Text: wording.Clip(c.Cause, maxCause)})
		}
		p := say(ToneBad, NoSign, spans...)
		p.Level = level
		text = append(text, p)
	}
	return text
}

// inThreads says in how many iterations or branches an error came up, where there were several.
func inThreads(err *provenance.Survivor) string {
	switch {
	case err.Places < 2:
		return ""
	case err.Visit.Parent == nil:
		return " in " + strconv.Itoa(err.Places) + " branches"
	}
	return " in " + strconv.Itoa(err.Places) + " " + threadsOf(err.Visit.Parent.State)
}

// takenBy names the Parallel or Map state whose retrier or catcher took an error.
func takenBy(fate string, err *provenance.Survivor) []Span {
	if err.By == nil {
		return []Span{words(fate)}
	}
	return []Span{words(fate + " by "), state(PlaceName(err.By))}
}

// survived names the errors that did not end the execution.
func (e *Ending) survived() Text {
	var text Text
	for i := range e.Chain.Survived {
		err := &e.Chain.Survived[i]
		name := Span{Kind: KindState, Text: PlaceName(err.Visit), Event: int64(err.Event) + 1}
		p := Paragraph{Tone: ToneQuiet, Label: "survived", Spans: []Span{
			name, words(" at " + SinceStart(e.Run.Start, err.At) + ": "), FailureDetail(err.Failure)[0],
		}}
		if err.Count > 1 {
			p.Spans = append(p.Spans, words(", "+strconv.Itoa(err.Count)+" times"+inThreads(err)))
		}
		switch err.Fate {
		case provenance.Retried:
			p.Spans = append(p.Spans, takenBy(", retried", err)...)
		case provenance.CaughtBy:
			p.Spans = append(p.Spans, takenBy(", caught", err)...)
		case provenance.Tolerated:
			p.Spans = append(p.Spans, words(", tolerated by the Map state"))
		case provenance.Superseded:
			p.Label = "also"
			p.Spans = append(p.Spans, words(", after which another error decided"))
		case provenance.Redriven:
			p.Label = "also"
			p.Spans = append(p.Spans, words(", before the execution was redriven"))
		}
		p.Spans = append(p.Spans, words("  "), eventSpan(e.Run.Log, err.Event))
		p.Spans = append(p.Spans, placed(err.Place)...)
		text = append(text, p)
	}
	return text
}
