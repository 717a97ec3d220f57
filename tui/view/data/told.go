package data

import (
	"strings"

	"asldb/engine/value"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/prose"
)

// Told returns the pane as lines of text, for a face that draws nothing: the explanation of the selected event, and the
// stages of its state from top to bottom. A state that has not run is named. Of a waiter it is the polls; brief leaves
// out all but the last two.
func (p *Pane) Told(brief bool) (lines []string) {
	g := p.screen.Glyphs()
	s := p.screen.Selection()
	if state := p.screen.Unshown(); state != nil {
		lines = append(lines, wording.Line(state.Name)+", "+state.Type.String()+", not run. "+
			p.screen.Key(keys.Source)+" shows its text.")
		return lines
	}
	if p.pollsShown() {
		lines = p.options.Polls.Told(p.screen.Session(), s.Index, brief)
		if len(lines) > 0 {
			return lines
		}
	}
	title, note := s.Heading()
	if note != "" {
		title += ", " + note
	}
	lines = append(lines, wording.Line(title)+".")
	for text := range p.notes.Texts {
		lines = append(lines, prose.Line(text, g))
	}
	if d := p.story.decision; d != nil {
		lines = append(lines, prose.Writer(g, prose.PreviewLength).Paragraph(d))
	}
	if s.Visit != nil && !p.explanation.atFailedEnd() {
		lines = append(lines, p.story.Lines(g)...)
	}
	if s.Visit == nil && p.Document() != nil {
		lines = append(lines, strings.Split(value.Pretty(p.Document()), "\n")...)
	}
	return lines
}
