// Package prose draws explanations: it has glyphs for their signs, styles for their tones, and writes values on one line.
package prose

import (
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/explain"
	"asldb/engine/value"
	"asldb/internal/wording"
	"asldb/tui/part/canvas"
)

// PreviewLength bounds the values in explanations and in rows of lists, in characters.
const PreviewLength = 120

// SignsOf returns the glyphs for the signs of explanations.
func SignsOf(g *canvas.Glyphs) explain.Signs {
	if g.InWords() {
		return explain.Plain(0).Signs
	}
	return explain.Signs{
		explain.SignHolds: g.Visited, explain.SignFails: g.Failed,
		explain.SignSuccess: g.Visited, explain.SignError: g.Failed, explain.SignEdited: g.Changed, explain.SignOpen: g.Pending, explain.SignWaits: g.Waiting,
		explain.SignRetry: g.Retried, explain.SignCatch: g.Caught, explain.SignLeads: g.To, explain.SignCaught: g.Catches,
		explain.SignGives: g.To, explain.SignEnd: g.End, explain.SignEnter: g.Current, explain.SignMapRun: g.Map,
		explain.SignAdded: g.Added, explain.SignRemoved: g.Removed, explain.SignChanged: g.Changed,
		explain.SignBreakpoint: g.Breakpoint, explain.SignNext: g.Current, explain.SignRuns: g.Active,
	}
}

// Writer returns a writer of explanations that uses the glyphs of the screen and at most limit characters of a value.
func Writer(g *canvas.Glyphs, limit int) *explain.Writer {
	return &explain.Writer{Signs: SignsOf(g), Value: func(v value.Value) string { return Value(v, limit, g) }}
}

// Spans writes spans with the glyphs of the screen and short values.
func Spans(spans []explain.Span, g *canvas.Glyphs) string {
	return Writer(g, PreviewLength).Spans(spans)
}

// StyleOf returns the style of a tone.
func StyleOf(tone explain.Tone) canvas.Style {
	switch tone {
	case explain.ToneQuiet:
		return canvas.Dim
	case explain.ToneGood:
		return canvas.Good
	case explain.ToneBad:
		return canvas.Bad
	case explain.ToneCaution:
		return canvas.Warn
	case explain.ToneHeading:
		return canvas.Title
	case explain.ToneChanged:
		return canvas.Changed
	case explain.ToneRemoved:
		return canvas.Removed
	case explain.TonePlain:
	}
	return canvas.Plain
}

// SpanStyle returns the style of a part of a sentence, [canvas.Plain] where it has none.
func SpanStyle(kind explain.Kind) canvas.Style {
	switch kind {
	case explain.KindPath, explain.KindField:
		return canvas.Key
	case explain.KindState:
		return canvas.Strong
	case explain.KindError:
		return canvas.Bad
	case explain.KindWords, explain.KindCode, explain.KindCause, explain.KindValue, explain.KindSign:
	}
	return canvas.Plain
}

// EventStyle returns the style of an event's name.
func EventStyle(e *engine.Event) canvas.Style { return StyleOf(explain.EventTone(e)) }

// EventGlyph returns the glyph of an event, a blank where it has none.
func EventGlyph(e *engine.Event, g *canvas.Glyphs) string {
	if sign := explain.EventSign(e); sign != explain.NoSign {
		return SignsOf(g)[sign]
	}
	return " "
}

// StateGlyph returns the glyph of a state's type, "" where it has none.
func StateGlyph(s *asl.State, g *canvas.Glyphs) string {
	switch s.Type {
	case asl.Choice:
		return g.Choice
	case asl.Parallel:
		return g.Parallel + strconv.Itoa(len(s.Branches))
	case asl.Map:
		return g.Map
	case asl.Wait:
		return g.Waiting
	case asl.Succeed, asl.Fail:
		return g.End
	case asl.Pass, asl.Task:
	}
	return ""
}

// Preview returns a value on one line, cut at [PreviewLength].
func Preview(v value.Value, g *canvas.Glyphs) string { return Value(v, PreviewLength, g) }

// Value returns a value on one line, at most limit characters of it; nil gives "".
func Value(v value.Value, limit int, g *canvas.Glyphs) string {
	if v == nil {
		return ""
	}
	text := wording.JSONLine(value.Preview(v, limit))
	if start, cut := strings.CutSuffix(text, "…"); cut {
		text = start + g.Ellipsis
	}
	return text
}

// Changes returns the numbers of changed members: "+1 -2 ~3", or "no change".
func Changes(c value.Counts, g *canvas.Glyphs) string { return Writer(g, 0).Spans(explain.Changes(c)) }
