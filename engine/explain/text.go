package explain

import (
	"strconv"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/provenance"
	"asldb/engine/value"
	"asldb/internal/report"
	"asldb/internal/wording"
)

// Text is an explanation: its paragraphs in order.
type Text []Paragraph

// Paragraph is a sentence, or an entry of a list.
type Paragraph struct {
	Tone Tone
	// Level is the depth of an entry: it belongs to the nearest paragraph before it that has a smaller one.
	Level int
	// Number is the number of an entry in a numbered list, from 1; 0 for none.
	Number int
	// Sign is before the paragraph, Label before the thing that it names ("found", "missing"); either may be absent.
	Sign  Sign
	Label string
	Spans []Span
}

// Span is a part of a paragraph.
type Span struct {
	Kind Kind
	// Text is the text as it is written, without escapes; empty for KindSign and KindValue.
	Text string
	// Sign is the sign of KindSign.
	Sign Sign
	// Value is the value of KindValue. A face writes as much of it as it has space for.
	Value value.Value
	// Event is the sequence number of the event that the span refers to; 0 for none. ID is its id in Step Functions'
	// history, written behind the text; "" for none.
	Event int64
	ID    string
	// Place is the place in the definition that the span refers to, or nil.
	Place *asl.Place
}

// Kind is the kind of text in a span.
type Kind uint8

// The kinds of spans.
const (
	KindWords Kind = iota
	KindState      // the name or the path of a state
	KindField      // the name of a field
	KindPath       // a Path or Reference Path
	KindCode       // an expression as the definition has it
	KindError      // an Error Name
	KindCause      // a Cause or another message; it may have several lines
	KindValue      // a JSON value
	KindSign       // a sign within the text
)

// Tone is the meaning of a paragraph or of an event's name: a face makes a colour or a style of it. No meaning is in
// the tone alone.
type Tone uint8

// The tones.
const (
	TonePlain   Tone = iota
	ToneQuiet        // an addition
	ToneGood         // a success, a rule that holds
	ToneBad          // an error
	ToneCaution      // a wait, a retry, an error that was caught
	ToneHeading      // the beginning of a state or of the execution
	ToneChanged      // data that were edited
	ToneRemoved      // data that were lost
)

// Sign is a symbol with a meaning: a face has a glyph or a word for it.
type Sign uint8

// The signs.
const (
	NoSign         Sign = iota
	SignHolds           // a rule or test holds
	SignFails           // a rule or test does not hold
	SignSuccess         // something succeeded
	SignError           // something failed
	SignEdited          // an action by hand, or an outcome from outside
	SignOpen            // not evaluated
	SignWaits           // waits for a time, an outcome or an object
	SignRetry           // a retrier schedules or starts another attempt
	SignCatch           // a catcher takes an error
	SignLeads           // leads to a state
	SignCaught          // leads to the state of a catcher
	SignGives           // an expression evaluates to a value
	SignEnd             // the end of a scope
	SignEnter           // a state is entered
	SignMapRun          // a Map Run begins
	SignAdded           // members were added
	SignRemoved         // members were removed
	SignChanged         // members were changed
	SignBreakpoint      // a breakpoint was hit
	SignNext            // a thread runs next
	SignRuns            // a thread can run
	signCount
)

// Signs are the glyphs or words for signs.
type Signs [signCount]string

// Writer writes explanations as strings.
type Writer struct {
	// Signs are the glyphs or words for the signs. Before a paragraph an empty one is left out with the blank after it.
	Signs Signs
	// Value writes a value on one line.
	Value func(value.Value) string
	// NoIDs leaves out the ids of events in Step Functions' history: there is no recording that they lead to.
	NoIDs bool
}

// Plain returns a Writer for plain text, which writes at most limit characters of a value.
func Plain(limit int) *Writer {
	return &Writer{
		Signs: Signs{
			SignHolds: "yes", SignFails: "no", SignOpen: "not evaluated", SignLeads: "->", SignCaught: "->",
			SignGives: "=",
			SignEnd:   "end", SignAdded: "+", SignRemoved: "-", SignChanged: "~",
		},
		Value: func(v value.Value) string { return value.Preview(v, limit) },
	}
}

// Spans writes the spans of a paragraph.
func (w *Writer) Spans(spans []Span) string {
	var b strings.Builder
	for i := range spans {
		switch s := &spans[i]; s.Kind {
		case KindSign:
			b.WriteString(w.Signs[s.Sign])
		case KindValue:
			b.WriteString(w.Value(s.Value))
		case KindWords, KindState, KindField, KindPath, KindCode, KindError, KindCause:
			b.WriteString(s.Text)
			if s.ID != "" && !w.NoIDs {
				b.WriteString(" " + s.ID)
			}
		}
	}
	return b.String()
}

// Paragraph writes a paragraph: its number, sign, label and spans.
func (w *Writer) Paragraph(p *Paragraph) string {
	text := ""
	if p.Number > 0 {
		text = strconv.Itoa(p.Number) + " "
	}
	if sign := w.Signs[p.Sign]; p.Sign != NoSign && sign != "" {
		text += sign + " "
	}
	if p.Label != "" {
		text += p.Label + "  "
	}
	return text + w.Spans(p.Spans)
}

// Lines writes an explanation, a paragraph as one string, indented by two blanks for each level. A Cause in it may have
// several lines.
func (w *Writer) Lines(t Text) []string {
	lines := make([]string, 0, len(t))
	for i := range t {
		lines = append(lines, strings.Repeat("  ", t[i].Level)+w.Paragraph(&t[i]))
	}
	return lines
}

// Labelled writes an explanation as Lines does, with a colon behind the labels and without the signs before paragraphs:
// for reports that have no columns. Where a Cause has several lines, those after the first are indented.
func (w *Writer) Labelled(t Text) []string {
	return w.Painted(t, func(_ report.Tone, text string) string { return text })
}

// Painted is [Writer.Labelled] in colours: of labels, errors, and the names of states and fields. paint gets each part
// by itself, and can escape what must not reach a terminal.
func (w *Writer) Painted(t Text, paint report.Painter) []string {
	lines := make([]string, 0, len(t))
	for i := range t {
		var line strings.Builder
		line.WriteString(strings.Repeat("  ", t[i].Level))
		if t[i].Label != "" {
			line.WriteString(paint(report.Gutter, t[i].Label+":") + " ")
		}
		for k := range t[i].Spans {
			text := strings.ReplaceAll(w.Spans(t[i].Spans[k:k+1]), "\n", "\n  ")
			line.WriteString(paint(spanTones[t[i].Spans[k].Kind], text))
		}
		lines = append(lines, line.String())
	}
	return lines
}

// spanTones are the tones of [Writer.Painted].
var spanTones = map[Kind]report.Tone{KindError: report.Bad, KindState: report.Strong, KindField: report.Strong}

func say(tone Tone, sign Sign, spans ...Span) Paragraph {
	return Paragraph{Tone: tone, Sign: sign, Spans: spans}
}

func words(text string) Span { return Span{Text: text} }

func number(n int64) Span { return Span{Text: strconv.FormatInt(n, 10)} }

func state(name string) Span { return Span{Kind: KindState, Text: name} }

func fieldName(name string) Span { return Span{Kind: KindField, Text: name} }

func pathSpan(text string) Span { return Span{Kind: KindPath, Text: text} }

func code(text string) Span { return Span{Kind: KindCode, Text: text} }

// errorName is an Error Name, or words for an absent one.
func errorName(name string) Span {
	if name == "" {
		return words("an error without a name")
	}
	return Span{Kind: KindError, Text: name}
}

func causeSpan(text string) Span { return Span{Kind: KindCause, Text: text} }

func val(v value.Value) Span { return Span{Kind: KindValue, Value: v} }

func mark(s Sign) Span { return Span{Kind: KindSign, Sign: s} }

// with names the values that a link had to do with, and where they came from: "$.Payload.amount = 129.90, from
// $.validation.total of ValidateOrder".
func with(r *provenance.RunAgain, l *provenance.Link) Text {
	var text Text
	for _, v := range r.Values(l) {
		spans := []Span{pathSpan(v.Path), words(" = "), val(v.Value)}
		switch {
		case v.Expression != "":
			spans = append(spans, words(", computed by "), code(wording.Clip(oneLine(v.Expression), maxExpression)))
		default:
			spans = append(spans, words(", from "))
			if v.From != v.Path {
				spans = append(spans, pathSpan(v.From), words(" of "))
			}
			if v.Visit == nil {
				spans = append(spans, words("the input"))
				break
			}
			spans = append(spans, Span{Kind: KindState, Text: PlaceName(v.Visit), Event: r.Log.At(v.Event).Seq})
		}
		text = append(text, Paragraph{Label: "with", Spans: spans})
	}
	return text
}
