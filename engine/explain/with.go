package explain

import (
	"asldb/engine/provenance"
	"asldb/internal/wording"
)

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
