package tui

import (
	"slices"
	"strings"

	"asldb/engine"
	"asldb/engine/diff"
	"asldb/engine/explain"
	"asldb/engine/value"
	"asldb/internal/visible"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
)

// previewCells bounds the values in explanations and in rows of the event list, in characters.
const previewCells = 120

// signsOf returns the glyphs for the signs of explanations.
func signsOf(g *canvas.Glyphs) explain.Signs {
	return explain.Signs{
		explain.SignHolds: g.Visited, explain.SignFails: g.Failed,
		explain.SignSuccess: g.Visited, explain.SignError: g.Failed, explain.SignEdited: g.Changed, explain.SignOpen: g.Pending, explain.SignWaits: g.Waiting,
		explain.SignRetry: g.Retried, explain.SignCatch: g.Caught, explain.SignLeads: g.To, explain.SignCaught: g.Catches,
		explain.SignGives: g.To, explain.SignEnd: g.End, explain.SignEnter: g.Current, explain.SignMapRun: g.Map,
		explain.SignAdded: g.Added, explain.SignRemoved: g.Removed, explain.SignChanged: g.Changed,
		explain.SignBreakpoint: g.Breakpoint,
	}
}

// writer writes explanations with the glyphs of the screen and at most limit characters of a value.
func writer(g *canvas.Glyphs, limit int) *explain.Writer {
	return &explain.Writer{Signs: signsOf(g), Value: func(v value.Value) string { return cutPreview(v, limit, g) }}
}

// styleOf returns the style of a tone.
func styleOf(tone explain.Tone) canvas.Style {
	switch tone {
	case explain.ToneQuiet:
		return theme.Dim
	case explain.ToneGood:
		return theme.Good
	case explain.ToneBad:
		return theme.Bad
	case explain.ToneCaution:
		return theme.Warn
	case explain.ToneHeading:
		return theme.Title
	case explain.ToneChanged:
		return theme.Changed
	case explain.ToneRemoved:
		return theme.Removed
	case explain.TonePlain:
	}
	return theme.Plain
}

// parasOf returns the paragraphs of an explanation as they are drawn.
func parasOf(t explain.Text, w *explain.Writer) []para {
	paras := make([]para, 0, len(t))
	for i := range t {
		p := &t[i]
		paras = append(paras, para{styleOf(p.Tone), strings.Repeat("  ", p.Level) + w.Paragraph(p), hanging(p)})
	}
	return paras
}

// explained returns an explanation as it is drawn. Where it refers to the definition it names the key that shows the text.
func (u *ui) explained(t explain.Text) []para {
	paras := parasOf(t, writer(u.glyphs, previewCells))
	for i := range t {
		for k := range t[i].Spans {
			if t[i].Spans[k].Place != nil && u.keys.Has(keys.Source) {
				paras[i].text += ": " + u.keys.Key(keys.Source) + " shows it"
			}
		}
	}
	return paras
}

// hanging returns the number of cells by which the lines of a paragraph after the first are indented.
func hanging(p *explain.Paragraph) int {
	switch {
	case p.Label != "":
		return 9
	case gives(p):
		return 4 + 2*p.Level
	case p.Number > 0 || p.Level > 0 && p.Tone == explain.ToneQuiet:
		return 4
	case p.Sign != explain.NoSign || p.Tone == explain.TonePlain && hasCode(p):
		return 2
	}
	return 0
}

// hasCode reports whether a paragraph quotes the definition, which may be long.
func hasCode(p *explain.Paragraph) bool {
	return slices.ContainsFunc(p.Spans, func(s explain.Span) bool { return s.Kind == explain.KindCode })
}

// gives reports whether a paragraph says what an expression evaluates to.
func gives(p *explain.Paragraph) bool {
	return slices.ContainsFunc(p.Spans, func(s explain.Span) bool { return s.Sign == explain.SignGives })
}

// eventStyle returns the style of an event's name.
func eventStyle(e *engine.Event) canvas.Style { return styleOf(explain.EventTone(e)) }

// eventGlyph returns the glyph of an event, a blank where it has none.
func eventGlyph(e *engine.Event, g *canvas.Glyphs) string {
	if sign := explain.EventSign(e); sign != explain.NoSign {
		return signsOf(g)[sign]
	}
	return " "
}

// preview returns a value on one line.
func preview(v value.Value, g *canvas.Glyphs) string { return cutPreview(v, previewCells, g) }

// cutPreview returns a value on one line, at most limit characters of it.
func cutPreview(v value.Value, limit int, g *canvas.Glyphs) string {
	if v == nil {
		return ""
	}
	text := visible.JSONLine(value.Preview(v, limit))
	if start, cut := strings.CutSuffix(text, "…"); cut {
		text = start + g.Ellipsis
	}
	return text
}

// countsText returns the numbers of what changed: "+1 -2 ~3", or "no change".
func countsText(c diff.Counts, g *canvas.Glyphs) string {
	return writer(g, 0).Spans(explain.Changes(c))
}
