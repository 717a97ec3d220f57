package tui

import (
	"slices"
	"strings"

	"asldb/engine/explain"
	"asldb/tui/keys"
	"asldb/tui/part/prose"
)

// parasOf returns the paragraphs of an explanation as they are drawn.
func parasOf(t explain.Text, w *explain.Writer) []para {
	paras := make([]para, 0, len(t))
	for i := range t {
		p := &t[i]
		paras = append(paras, para{prose.StyleOf(p.Tone), strings.Repeat("  ", p.Level) + w.Paragraph(p), hanging(p)})
	}
	return paras
}

// explained returns an explanation as it is drawn. Where it refers to the definition it names the key that shows the text.
func (u *ui) explained(t explain.Text) []para {
	paras := parasOf(t, prose.Writer(u.glyphs, prose.PreviewLength))
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
