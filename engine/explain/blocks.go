package explain

import (
	"strings"

	"asldb/internal/report"
)

// Blocks returns an explanation as the blocks of a report. A label is named once for all of its entries, but for
// "because". scrub takes what is redacted out of a text; nil: nothing is.
func (w *Writer) Blocks(t Text, scrub func(string) string, l report.Look) []report.Block {
	var blocks []report.Block
	label := ""
	for i := range t {
		p := &t[i]
		if len(p.Spans) == 1 && p.Spans[0].Kind == KindCode {
			blocks = append(blocks, report.Code{Language: "sh", Text: w.Line(p.Spans, scrub, l)[0].Text, Level: max(p.Level, 1)})
			continue
		}
		entry := report.Para{Level: p.Level, Text: w.Line(p.Spans, scrub, l)}
		switch {
		case p.Label != "" && p.Level > 0:
			entry.Label = report.T(p.Label)
		case p.Label != "" && (p.Label != label || p.Label == "because"):
			label = p.Label
			entry.Label = report.T(report.In(report.Gutter, label))
		case p.Level == 0:
			entry.Level = 1
		}
		blocks = append(blocks, entry)
	}
	return blocks
}

// Line returns the spans of a paragraph as a line of a report.
func (w *Writer) Line(spans []Span, scrub func(string) string, l report.Look) report.Text {
	var line report.Text
	for i := range spans {
		s := &spans[i]
		out := report.Span{Text: w.Spans(spans[i : i+1])}
		if scrub != nil {
			out.Text = scrub(out.Text)
		}
		switch s.Kind {
		case KindState, KindField:
			out.Role = report.Name
		case KindPath:
			out.Role = report.Path
		case KindCode:
			out.Role = report.Source
		case KindError:
			out.Role, out.Tone = report.Name, report.Bad
		case KindValue:
			out.Role = report.Value
		case KindCause:
			out.Role = report.Message
		case KindWords, KindSign:
			if s.Place != nil {
				out.Role = report.Name
			} else if l.Page {
				out.Text = strings.ReplaceAll(out.Text, "->", "→")
			}
		}
		line = append(line, out)
	}
	return line
}

// entry returns a paragraph as a line of a report, with its number, sign and label before it.
func (w *Writer) entry(p *Paragraph, l report.Look) report.Text {
	bare := *p
	bare.Spans = nil
	return report.T(w.Paragraph(&bare), w.Line(p.Spans, nil, l))
}
