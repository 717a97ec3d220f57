package explain

import (
	"asldb/engine/asl"
	"asldb/engine/provenance"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/report"
)

// maxLensValue bounds a value in the text of a way, in characters.
const maxLensValue = 100

// WayDoc is a report of a way of a value.
func WayDoc(w *provenance.Way, log *runlog.Log, l report.Look) *report.Doc {
	return &report.Doc{Title: report.T(w.Path + " = " + value.Preview(w.Value, maxLensValue)), Blocks: below(Way(w, log), 1, l)}
}

// LossDoc is a report of where a value was lost.
func LossDoc(loss *provenance.Loss, log *runlog.Log, l report.Look) *report.Doc {
	text := Loss(loss, log)
	return &report.Doc{Title: Plain(maxLensValue).entry(&text[0], l), Blocks: below(text[1:], 0, l)}
}

// below are paragraphs below a title.
func below(text Text, deeper int, l report.Look) []report.Block {
	blocks := make([]report.Block, 0, len(text))
	for i := range text {
		blocks = append(blocks, report.Para{Level: text[i].Level + deeper, Text: Plain(maxLensValue).entry(&text[i], l)})
	}
	return blocks
}

// WayValue returns a way of a value as JSON.
func WayValue(w *provenance.Way, log *runlog.Log) value.Value {
	direction := "back"
	if w.Forward {
		direction = "forward"
	}
	members := []value.Member{
		seq("event", log, w.Event), value.Text("path", w.Path), value.M("value", value.OrNull(w.Value)), value.Text("direction", direction),
		value.M("nodes", nodesValue(w.Nodes, log)), value.M("total", value.Int(int64(w.Total))), value.M("cut", value.Bool(w.Cut)),
	}
	return value.NewObject(append(append(members, hintsMember(w.Hints)...), routeMembers(w.Passages, w.Edges)...))
}

// seq is a member with the number of an event, from 1.
func seq(key string, log *runlog.Log, i int) value.Member {
	return value.M(key, value.Int(log.At(i).Seq))
}

func nodesValue(nodes []*provenance.Node, log *runlog.Log) value.Value {
	list := value.Each(nodes, func(n *provenance.Node) value.Value { return nodeValue(n, log) })
	return value.NewArray(list)
}

func nodeValue(n *provenance.Node, log *runlog.Log) value.Value {
	members := []value.Member{value.Text("kind", n.Kind.String())}
	text := func(key, v string) {
		if v != "" {
			members = append(members, value.Text(key, v))
		}
	}
	if n.Event >= 0 {
		members = append(members, seq("event", log, n.Event))
	}
	if n.Visit != nil {
		members = append(members, value.Text("state", n.Visit.Path()), value.M("visit", value.Int(int64(n.Visit.Number))))
	}
	text("stage", n.Stage.String())
	text("field", n.Field)
	members = append(members, placeMember(n.Place)...)
	text("expression", n.Expression)
	text("operand", n.Operand)
	text("from", n.From)
	text("to", n.To)
	if n.Value != nil {
		members = append(members, value.M("value", n.Value))
	}
	if n.Count > 1 {
		members = append(members, value.M("count", value.Int(int64(n.Count))))
	}
	if n.Again {
		members = append(members, value.M("again", value.Bool(true)))
	}
	if n.Hidden > 0 {
		members = append(members, value.M("hidden", value.Int(int64(n.Hidden))))
	}
	if len(n.Children) > 0 {
		members = append(members, value.M("nodes", nodesValue(n.Children, log)))
	}
	return value.NewObject(members)
}

// placeMember is the place of a field in the definition; nothing where it has none.
func placeMember(p *asl.Place) []value.Member {
	if p == nil || p.Source == nil {
		return nil
	}
	return []value.Member{value.M("place", value.ObjectOf(
		value.Text("file", p.Source.Name), value.M("line", value.Int(int64(p.Span.Start.Line))), value.M("column", value.Int(int64(p.Span.Start.Col))),
		value.Text("pointer", p.Pointer),
	))}
}

// routeMembers are the states and the edges of a way.
func routeMembers(passages []*provenance.Passage, edges []*provenance.Edge) []value.Member {
	states := make([]value.Value, 0, len(passages))
	for _, p := range passages {
		states = append(states, value.ObjectOf(
			value.Text("state", p.Visit.Path()), value.M("visit", value.Int(int64(p.Visit.Number))), value.Text("role", p.Role.String()),
			value.M("in", value.Texts(p.In)), value.M("out", value.Texts(p.Out)),
		))
	}
	list := make([]value.Value, 0, len(edges))
	for _, e := range edges {
		list = append(list, value.ObjectOf(
			value.Text("kind", e.Kind.String()), value.M("index", value.Int(int64(e.Index))),
			value.Text("from", e.From.Path()), value.M("fromVisit", value.Int(int64(e.From.Number))),
			value.Text("to", e.To.Path()), value.M("toVisit", value.Int(int64(e.To.Number))),
			value.M("paths", value.Texts(e.Paths)), value.M("lost", value.Bool(e.Lost)),
		))
	}
	return []value.Member{value.M("states", value.NewArray(states)), value.M("edges", value.NewArray(list))}
}

// LossValue returns as JSON where a value was lost.
func LossValue(l *provenance.Loss, log *runlog.Log) value.Value {
	members := []value.Member{seq("event", log, l.Event), value.Text("path", l.Path), value.Text("loss", l.Kind.String())}
	if l.Miss != nil {
		members = append(members, value.Text("found", l.Miss.Found), value.Text("missing", l.Miss.Missing), value.Text("suggestion", l.Miss.Suggestion))
	}
	if l.Reader != "" {
		members = append(members, value.M("reader", value.NewObject(append([]value.Member{value.Text("field", l.Reader)}, placeMember(l.Read)...))))
	}
	if l.Kind == provenance.NeverThere {
		return value.NewObject(append(members, hintsMember(l.Hints)...))
	}
	lost := []value.Member{seq("event", log, l.At)}
	if l.Visit != nil {
		lost = append(lost, value.Text("state", l.Visit.Path()), value.M("visit", value.Int(int64(l.Visit.Number))))
	}
	lost = append(lost, value.Text("stage", l.Stage.String()), value.Text("field", l.Field), value.M("default", value.Bool(l.Default)))
	members = append(members,
		value.M("had", value.ObjectOf(seq("event", log, l.Had), value.Text("path", l.HadPath), value.M("value", value.OrNull(l.Value)))),
		value.M("lostBy", value.NewObject(append(lost, placeMember(l.Place)...))), value.M("lost", value.Texts(l.Lost)), value.M("more", value.Int(int64(l.More))))
	if l.Now != "" {
		members = append(members, value.Text("now", l.Now))
	}
	if r := l.Remedy; r != nil {
		remedy := []value.Member{value.Text("line", r.Line), value.Text("field", r.Field), value.M("instead", value.Bool(r.Instead))}
		if r.Without != "" {
			remedy = append(remedy, value.Text("without", r.Without))
		}
		members = append(members, value.M("remedy", value.NewObject(append(remedy, placeMember(r.Place)...))))
	}
	if l.Way != nil {
		members = append(members, value.M("way", WayValue(l.Way, log)))
	}
	return value.NewObject(append(members, routeMembers(l.Passages, l.Edges)...))
}
