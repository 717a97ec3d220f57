package why

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/mattn/go-runewidth"

	"asldb/engine/explain"
	"asldb/internal/wording"
	"asldb/recorder/history"
)

// maxValue bounds a value in a line, in characters.
const maxValue = 100

// margin is the width of the labels at the left, with the blanks behind them.
const margin = 10

func itoa(n int) string { return strconv.Itoa(n) }

// text returns the explanation as paragraphs: that of the ending, then what else there is to say.
func (a *Answer) text() explain.Text {
	text := a.Ending.Report()
	if a.Ending.Chain.Root() == nil {
		text = append(text[:1:1], a.Ending.Cause()...)
	} else if len(a.Ending.Chain.Survived) == 0 && !a.Ending.Chain.Partial {
		nothing := "nothing else failed"
		if a.hasMapRuns() {
			nothing += " in this history; the executions of a Map Run have their own"
		}
		text = append(text, explain.Paragraph{Label: "survived", Spans: []explain.Span{{Text: nothing}}})
	}
	if links := a.Ending.Chain.Links; len(links) > 0 && a.Recording != nil && links[0].Visit != nil {
		text[0].Spans = append(text[0].Spans, explain.Span{Text: "  "}, explain.Span{Text: "event ", Event: a.Ending.Run.Log.At(links[0].Event).Seq})
	}
	for i := range text {
		for k := range text[i].Spans {
			a.name(&text[i].Spans[k])
		}
	}
	for _, note := range a.Notes {
		text = append(text, explain.Paragraph{Label: "note", Spans: []explain.Span{{Text: note}}})
	}
	for _, step := range a.Next {
		text = append(text, explain.Paragraph{Label: "next", Spans: []explain.Span{{Text: step.Purpose}}})
		if step.Command != "" {
			text = append(text, explain.Paragraph{Level: 2, Spans: []explain.Span{{Kind: explain.KindCode, Text: step.Command}}})
		}
	}
	return text
}

// hasMapRuns reports whether a history leaves out the executions of a distributed Map.
func (a *Answer) hasMapRuns() bool {
	return a.Recording != nil && slices.ContainsFunc(a.Recording.Execution.Events, func(e history.Event) bool { return e.Type == "MapRunStarted" })
}

// name names an event of a history by the id that it has there: it is the one in the console and in the text of the history.
func (a *Answer) name(span *explain.Span) {
	if a.Recording == nil || span.Event == 0 || span.Kind != explain.KindWords || !strings.HasPrefix(span.Text, "event ") {
		return
	}
	span.Text = ""
	if id := a.id(int(span.Event) - 1); id > 0 {
		span.Text = "event " + strconv.FormatInt(id, 10)
	}
}

// id returns the id in the history of event i, counted from 0, or of the last one before it that has an id: a stage has none. It is 0 where
// there is none.
func (a *Answer) id(i int) int64 {
	for log := a.Ending.Run.Log; i >= log.First(); i-- {
		if id := log.At(i).HistoryID; id > 0 {
			return int64(id)
		}
	}
	return 0
}

// Text writes the explanation as text, in lines of at most width columns; 0 is no bound.
func (a *Answer) Text(w io.Writer, width int) error {
	var out strings.Builder
	plain := explain.Plain(maxValue)
	label := ""
	for i, p := range a.text() {
		line := a.redactor.Text(plain.Spans(p.Spans))
		if p.Spans[0].Kind == explain.KindCause {
			line = wording.Text(line)
		} else {
			line = wording.Line(line)
		}
		before, indent := "", 0
		if i > 0 {
			indent = margin + 2*max(0, p.Level-1)
			before = strings.Repeat(" ", indent)
		}
		if p.Label != "" {
			if p.Level == 0 {
				shown := p.Label
				if shown == label && shown != "because" { // named once for all of its lines
					shown = ""
				}
				before = shown + strings.Repeat(" ", margin-len(shown))
				label = p.Label
			} else {
				line = p.Label + " " + line
			}
		}
		columns := width - indent
		if len(p.Spans) == 1 && p.Spans[0].Kind == explain.KindCode {
			columns = 0 // a command is copied as one line
		}
		for n, part := range wrap(line, columns) {
			if n > 0 {
				before = strings.Repeat(" ", indent)
			}
			out.WriteString(strings.TrimRight(before+part, " ") + "\n")
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// wrap breaks a text into lines of at most width columns, between words where it can. A width below 20 is no bound.
func wrap(text string, width int) []string {
	var lines []string
	for _, line := range strings.Split(text, "\n") {
		for width >= 20 && runewidth.StringWidth(line) > width {
			cut := len(runewidth.Truncate(line, width, ""))
			if blank := strings.LastIndexByte(line[:min(cut+1, len(line))], ' '); blank > 0 {
				cut = blank
			}
			lines = append(lines, strings.TrimRight(line[:cut], " "))
			line = strings.TrimLeft(line[cut:], " ")
		}
		lines = append(lines, line)
	}
	return lines
}
