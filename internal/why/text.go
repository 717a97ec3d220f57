package why

import (
	"slices"
	"strconv"
	"strings"

	"asldb/engine/explain"
	"asldb/internal/report"
	"asldb/recorder/history"
)

// maxValue bounds a value in a line, in characters.
const maxValue = 100

// text returns the explanation as paragraphs: the ending's, then what else there is to say.
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
	text = append(text, explain.NoticedBeside(a.Ending.Run)...)
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

// name names an event of a history by the id that it has there: it is the one in the console and in the text of the
// history.
func (a *Answer) name(span *explain.Span) {
	if a.Recording == nil || span.Event == 0 || span.Kind != explain.KindWords || !strings.HasPrefix(span.Text, "event ") {
		return
	}
	span.Text, span.ID = "", ""
	if id := a.id(int(span.Event) - 1); id > 0 {
		span.Text = "event " + strconv.FormatInt(id, 10)
	}
}

// id returns the id in the history of event i, counted from 0, or of the last one before it that has an id: a stage has
// none. It is 0 where there is none.
func (a *Answer) id(i int) int64 {
	for log := a.Ending.Run.Log; i >= log.First(); i-- {
		if id := log.At(i).HistoryID; id > 0 {
			return int64(id)
		}
	}
	return 0
}

// Report is the explanation as a report.
func (a *Answer) Report() *report.Answer {
	return &report.Answer{Name: "asldb why", Doc: a.doc, Data: a.data}
}

func (a *Answer) doc(l report.Look) *report.Doc {
	text, plain := a.text(), explain.Plain(maxValue)
	return &report.Doc{Title: plain.Line(text[0].Spans, a.redactor.Text, l), Blocks: plain.Blocks(text[1:], a.redactor.Text, l)}
}
