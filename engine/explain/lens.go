package explain

import (
	"asldb/engine"
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

// The JSON of a way of a value, of a loss, of hints and of notices. Numbers of events and visits count from 1.
type (
	wayJSON struct {
		Event     int64       `json:"event"`
		Path      string      `json:"path"`
		Value     value.Value `json:"value"`
		Direction string      `json:"direction"`
		Nodes     []nodeJSON  `json:"nodes"`
		Total     int         `json:"total"`
		Cut       bool        `json:"cut"`
		Hints     []hintJSON  `json:"hints,omitempty"`
		routeJSON
	}
	visitJSON struct {
		State string `json:"state,omitempty"`
		Visit int    `json:"visit,omitempty"`
	}
	nodeJSON struct {
		Kind  string `json:"kind"`
		Event int64  `json:"event,omitempty"`
		visitJSON
		Stage      string      `json:"stage,omitempty"`
		Field      string      `json:"field,omitempty"`
		Place      *Location   `json:"place,omitempty"`
		Expression string      `json:"expression,omitempty"`
		Operand    string      `json:"operand,omitempty"`
		From       string      `json:"from,omitempty"`
		To         string      `json:"to,omitempty"`
		Value      value.Value `json:"value,omitempty"`
		Count      int         `json:"count,omitempty"`
		Again      bool        `json:"again,omitempty"`
		Hidden     int         `json:"hidden,omitempty"`
		Nodes      []nodeJSON  `json:"nodes,omitempty"`
	}
	routeJSON struct {
		States []passageJSON `json:"states"`
		Edges  []edgeJSON    `json:"edges"`
	}
	passageJSON struct {
		visitJSON
		Role string      `json:"role"`
		In   value.Value `json:"in"`
		Out  value.Value `json:"out"`
	}
	edgeJSON struct {
		Kind      string      `json:"kind"`
		Index     int         `json:"index"`
		From      string      `json:"from"`
		FromVisit int         `json:"fromVisit"`
		To        string      `json:"to"`
		ToVisit   int         `json:"toVisit"`
		Paths     value.Value `json:"paths"`
		Lost      bool        `json:"lost"`
	}
	lossJSON struct {
		Event int64  `json:"event"`
		Path  string `json:"path"`
		Loss  string `json:"loss"`
		*missJSON
		Reader *readerJSON `json:"reader,omitempty"`
		Hints  []hintJSON  `json:"hints,omitempty"` // of a value that was never there; the others have the rest
		*lostJSON
	}
	missJSON struct {
		Found      string `json:"found"`
		Missing    string `json:"missing"`
		Suggestion string `json:"suggestion"`
	}
	readerJSON struct {
		Field string    `json:"field"`
		Place *Location `json:"place,omitempty"`
	}
	lostJSON struct {
		Had    hadJSON     `json:"had"`
		LostBy loserJSON   `json:"lostBy"`
		Lost   value.Value `json:"lost"`
		More   int         `json:"more"`
		Now    string      `json:"now,omitempty"`
		Remedy *remedyJSON `json:"remedy,omitempty"`
		Way    *wayJSON    `json:"way,omitempty"`
		routeJSON
	}
	hadJSON struct {
		Event int64       `json:"event"`
		Path  string      `json:"path"`
		Value value.Value `json:"value"`
	}
	loserJSON struct {
		Event int64 `json:"event"`
		visitJSON
		Stage   string    `json:"stage"`
		Field   string    `json:"field"`
		Default bool      `json:"default"`
		Place   *Location `json:"place,omitempty"`
	}
	remedyJSON struct {
		Line    string    `json:"line"`
		Field   string    `json:"field"`
		Instead bool      `json:"instead"`
		Without string    `json:"without,omitempty"`
		Place   *Location `json:"place,omitempty"`
	}
)

// Location is the JSON of the place of a field in the definition.
type Location struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Pointer string `json:"pointer"`
}

// LocationOf returns the JSON of a place; nil where it has none.
func LocationOf(p *asl.Place) *Location {
	if p == nil || p.Source == nil {
		return nil
	}
	return &Location{p.Source.Name, p.Span.Start.Line, p.Span.Start.Col, p.Pointer}
}

func visitOf(v *engine.Visit) visitJSON {
	if v == nil {
		return visitJSON{}
	}
	return visitJSON{v.Path(), v.Number}
}

// WayJSON returns a way of a value for a document.
func WayJSON(w *provenance.Way, log *runlog.Log) any { return wayOf(w, log) }

func wayOf(w *provenance.Way, log *runlog.Log) *wayJSON {
	direction := "back"
	if w.Forward {
		direction = "forward"
	}
	return &wayJSON{log.At(w.Event).Seq, w.Path, w.Value, direction, nodesOf(w.Nodes, log), w.Total, w.Cut,
		hintsOf(w.Hints), routeOf(w.Passages, w.Edges)}
}

func nodesOf(nodes []*provenance.Node, log *runlog.Log) []nodeJSON {
	return value.Each(nodes, func(n *provenance.Node) nodeJSON {
		node := nodeJSON{Kind: n.Kind.String(), visitJSON: visitOf(n.Visit), Stage: n.Stage.String(), Field: n.Field,
			Place: LocationOf(n.Place), Expression: n.Expression, Operand: n.Operand, From: n.From, To: n.To, Value: n.Value,
			Again: n.Again, Hidden: n.Hidden, Nodes: nodesOf(n.Children, log)}
		if n.Event >= 0 {
			node.Event = log.At(n.Event).Seq
		}
		if n.Count > 1 {
			node.Count = n.Count
		}
		return node
	})
}

// routeOf is the states and the edges of a way.
func routeOf(passages []*provenance.Passage, edges []*provenance.Edge) routeJSON {
	return routeJSON{
		value.Each(passages, func(p *provenance.Passage) passageJSON {
			return passageJSON{visitOf(p.Visit), p.Role.String(), value.Texts(p.In), value.Texts(p.Out)}
		}),
		value.Each(edges, func(e *provenance.Edge) edgeJSON {
			return edgeJSON{e.Kind.String(), e.Index, e.From.Path(), e.From.Number, e.To.Path(), e.To.Number,
				value.Texts(e.Paths), e.Lost}
		}),
	}
}

// LossJSON returns for a document where a value was lost.
func LossJSON(l *provenance.Loss, log *runlog.Log) any {
	lost := lossJSON{Event: log.At(l.Event).Seq, Path: l.Path, Loss: l.Kind.String()}
	if l.Miss != nil {
		lost.missJSON = &missJSON{l.Miss.Found, l.Miss.Missing, l.Miss.Suggestion}
	}
	if l.Reader != "" {
		lost.Reader = &readerJSON{l.Reader, LocationOf(l.Read)}
	}
	if l.Kind == provenance.NeverThere {
		lost.Hints = hintsOf(l.Hints)
		return lost
	}
	lost.lostJSON = &lostJSON{
		Had:    hadJSON{log.At(l.Had).Seq, l.HadPath, l.Value},
		LostBy: loserJSON{log.At(l.At).Seq, visitOf(l.Visit), l.Stage.String(), l.Field, l.Default, LocationOf(l.Place)},
		Lost:   value.Texts(l.Lost), More: l.More, Now: l.Now, routeJSON: routeOf(l.Passages, l.Edges),
	}
	if r := l.Remedy; r != nil {
		lost.Remedy = &remedyJSON{r.Line, r.Field, r.Instead, r.Without, LocationOf(r.Place)}
	}
	if l.Way != nil {
		lost.Way = wayOf(l.Way, log)
	}
	return lost
}
