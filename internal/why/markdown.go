package why

import (
	"io"
	"strings"

	"asldb/engine/explain"
	"asldb/internal/wording"
)

// headings are the sections of Markdown, by the labels of paragraphs.
var headings = map[string]string{
	"because": "Because", "handling": "While handling", "with": "With", "survived": "Survived", "also": "Survived", "cause": "Cause", "during": "During", "next": "Next", "note": "Notes",
}

// Markdown writes the explanation as Markdown, for a page or a comment.
func (a *Answer) Markdown(w io.Writer) error {
	var out strings.Builder
	heading := ""
	for i, p := range a.text() {
		line := a.markdown(p.Spans)
		if i == 0 {
			out.WriteString("# " + line + "\n")
			continue
		}
		if len(p.Spans) == 1 && p.Spans[0].Kind == explain.KindCode {
			out.WriteString("\n" + wording.Fenced("  ", "sh", wording.Line(a.redactor.Text(p.Spans[0].Text))))
			continue
		}
		if named := headings[p.Label]; p.Level == 0 && named != "" && named != heading {
			heading = named
			out.WriteString("\n## " + heading + "\n\n")
		} else if heading == "" {
			heading = "Error"
			out.WriteString("\n## " + heading + "\n\n")
		}
		if p.Label != "" && headings[p.Label] == "" {
			line = p.Label + " " + line
		}
		out.WriteString(strings.Repeat("  ", p.Level) + "- " + line + "\n")
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// markdown writes spans: names, paths, expressions and values as code.
func (a *Answer) markdown(spans []explain.Span) string {
	plain := explain.Plain(maxValue)
	var out strings.Builder
	for i := range spans {
		text := wording.Line(a.redactor.Text(plain.Spans(spans[i : i+1])))
		switch spans[i].Kind {
		case explain.KindState, explain.KindField, explain.KindPath, explain.KindCode, explain.KindError, explain.KindValue:
			out.WriteString(wording.Code(text))
		case explain.KindWords, explain.KindCause, explain.KindSign:
			if spans[i].Place != nil {
				out.WriteString(wording.Code(text))
				break
			}
			out.WriteString(wording.Markdown(strings.ReplaceAll(text, "->", "→")))
		}
	}
	return out.String()
}
