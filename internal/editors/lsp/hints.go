package lsp

import (
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/flow"
	"asldb/engine/source"
	"asldb/internal/wording"
)

// inlays answers with hints in a range: behind each state the shape of its output, behind each retrier its attempts.
func (s *server) inlays(p *rangeParams) (any, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	list := []inlayHint{}
	from, to := d.lines.offset(p.Range.Start), d.lines.offset(p.Range.End)
	for _, m := range s.read(d).machines {
		a := m.flow()
		if a == nil || m.text.Source.Name != m.text.Given.Name && m.text.Source.Name == d.name && len(list) > 0 {
			continue // the other templates that name the file have the same states
		}
		layout := source.LayoutOf(&source.File{Name: d.name, Data: d.lines.data})
		add := func(begin source.Position, n *source.Node, label, tooltip string) {
			at := d.behind(layout, begin.Offset, n)
			if label != "" && from <= at && at <= to {
				list = append(list, inlayHint{d.lines.position(at), label, tooltip, true})
			}
		}
		for state := range a.Machine().All() {
			if !m.in(state.NameSpan, d.name) || state.NameSpan.Start.Line == 0 || state.NameSpan.Start.Offset > to ||
				state.Span.End.Offset < from {
				continue
			}
			add(state.NameSpan.Start, state.Node, outputHint(a.Part(state, asl.Ref{Register: asl.RegisterOutput})),
				"The output of "+state.Name+", as far as the definition tells it")
			for i := range state.Retry {
				if r := state.Retry[i]; state.Node.Get("Retry").Item(i) != nil && m.in(r.Span, d.name) {
					add(r.Span.Start, state.Node.Get("Retry").Item(i), attempts(r),
						"The delays before the retries of this retrier")
				}
			}
		}
	}
	return list, nil
}

// behind returns the offset behind a value, or of one over several lines behind its first line.
func (d *document) behind(layout *source.Layout, begin int, n *source.Node) int {
	_, end := d.lines.line(d.lines.position(begin).Line)
	if layout.Flow(n) && n.Span.End.Offset < end {
		return n.Span.End.Offset
	}
	return end
}

// outputHint returns a shape as a hint; empty where nothing is known of it.
func outputHint(s *flow.Shape) string {
	if s.Kind() == flow.Unknown || s.Kind() == flow.Absent {
		return ""
	}
	return "→ " + s.Sketch()
}

// maxDelays bounds the delays of a hint.
const maxDelays = 5

// attempts returns the retries of a retrier with their delays.
func attempts(r *asl.Retrier) string {
	var delays []string
	for n := int64(1); n <= min(r.MaxAttempts, maxDelays); n++ {
		delays = append(delays, wording.Duration(engine.Backoff(r, n)))
	}
	switch {
	case r.MaxAttempts == 0:
		return "no retry"
	case r.MaxAttempts > maxDelays:
		delays = append(delays, "…")
	}
	text := "1 retry, after "
	if r.MaxAttempts > 1 {
		text = strconv.FormatInt(r.MaxAttempts, 10) + " retries, after "
	}
	if r.JitterStrategy == asl.JitterFull {
		text += "up to "
	}
	return text + strings.Join(delays, ", ")
}
