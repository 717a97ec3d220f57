package graph

import (
	"strconv"
	"strings"

	"asldb/engine/asl"
	"asldb/internal/visible"
)

// exporter writes the graph for other programs. States are called s0, s1, ... in the order of the definition, so no
// name can disturb the syntax.
type exporter struct {
	*Model
	b strings.Builder
}

func (e *exporter) line(depth int, parts ...string) {
	e.b.WriteString(strings.Repeat("  ", depth))
	for _, part := range parts {
		e.b.WriteString(part)
	}
	e.b.WriteByte('\n')
}

func (e *exporter) id(state *asl.State) string { return "s" + strconv.Itoa(e.number[state]) }

// label is an edge's label for people: a word distinguishes catchers from conditions.
func label(edge *asl.Edge) string {
	if edge.Kind == asl.EdgeCatch {
		return "catch " + edge.Label
	}
	return edge.Label
}

// Mermaid returns the graph as a flowchart in Mermaid's language; containers are subgraphs.
func (m *Model) Mermaid() string {
	e := &exporter{Model: m}
	e.line(0, "flowchart TD")
	e.mermaidScope(m.top, 1)
	return e.b.String()
}

func (e *exporter) mermaidScope(scope *asl.Scope, depth int) {
	for _, state := range scope.States {
		name := mermaidText(state.Name)
		switch {
		case e.inside[state] > 0:
			e.line(depth, "subgraph ", e.id(state), ` ["`, mermaidText(state.Name+" ("+state.Type.String()+")"), `"]`)
			e.mermaidInside(state, depth+1)
			e.line(depth, "end")
		case state.Type == asl.Choice:
			e.line(depth, e.id(state), `{"`, name, `"}`)
		case state.Terminal():
			e.line(depth, e.id(state), `(["`, name, `"])`)
		default:
			e.line(depth, e.id(state), `["`, name, `"]`)
		}
	}
	for _, state := range scope.States {
		for i := range e.Edges(state) {
			e.mermaidEdge(depth, &e.Edges(state)[i])
		}
	}
}

func (e *exporter) mermaidInside(state *asl.State, depth int) {
	if state.Processor != nil {
		e.mermaidScope(state.Processor, depth)
		return
	}
	for i, branch := range state.Branches {
		e.line(depth, "subgraph ", e.id(state), "b", strconv.Itoa(i), ` ["branch `, strconv.Itoa(i), `"]`)
		e.mermaidScope(branch, depth+1)
		e.line(depth, "end")
	}
}

func (e *exporter) mermaidEdge(depth int, edge *asl.Edge) {
	if edge.To == nil {
		return
	}
	line, text := " -->", label(edge)
	if edge.Kind == asl.EdgeCatch {
		line = " -.->"
	}
	if text != "" {
		line += `|"` + mermaidText(text) + `"|`
	}
	e.line(depth, e.id(edge.From), line, " ", e.id(edge.To))
}

// mermaidText writes a text for a place between quotation marks: with Mermaid's own codes for characters.
func mermaidText(s string) string {
	var b strings.Builder
	for _, r := range visible.Line(s) {
		if strings.ContainsRune("\"#&<>`\\;{}[]()|%*_~$", r) {
			b.WriteString("#" + strconv.Itoa(int(r)) + ";")
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Dot returns the graph in Graphviz's language; containers are clusters.
func (m *Model) Dot() string {
	e := &exporter{Model: m}
	e.line(0, "digraph machine {")
	e.line(1, "compound=true;")
	e.line(1, `node [shape=box, style=rounded];`)
	e.dotScope(m.top, 1)
	e.line(0, "}")
	return e.b.String()
}

func (e *exporter) dotScope(scope *asl.Scope, depth int) {
	for _, state := range scope.States {
		name := dotText(state.Name)
		switch {
		case e.inside[state] > 0:
			e.line(depth, "subgraph cluster_", e.id(state), " {")
			e.line(depth+1, "label=", dotText(state.Name+" ("+state.Type.String()+")"), ";")
			for i, inner := range scopesOf(state) {
				if state.Processor != nil {
					e.dotScope(inner, depth+1)
					continue
				}
				e.line(depth+1, "subgraph cluster_", e.id(state), "b", strconv.Itoa(i), " {")
				e.line(depth+2, `label="branch `, strconv.Itoa(i), `";`)
				e.dotScope(inner, depth+2)
				e.line(depth+1, "}")
			}
			e.line(depth, "}")
		case state.Type == asl.Choice:
			e.line(depth, e.id(state), " [label=", name, ", shape=diamond, style=solid];")
		case state.Terminal():
			e.line(depth, e.id(state), " [label=", name, ", peripheries=2];")
		default:
			e.line(depth, e.id(state), " [label=", name, "];")
		}
	}
	for _, state := range scope.States {
		for i := range e.Edges(state) {
			e.dotEdge(depth, &e.Edges(state)[i])
		}
	}
}

// dotEdge joins clusters through a state inside them, as Graphviz wants it.
func (e *exporter) dotEdge(depth int, edge *asl.Edge) {
	if edge.To == nil {
		return
	}
	var attributes []string
	if text := label(edge); text != "" {
		attributes = append(attributes, "label="+dotText(text))
	}
	if edge.Kind == asl.EdgeCatch {
		attributes = append(attributes, "style=dashed")
	}
	from, to := edge.From, edge.To
	if e.inside[from] > 0 {
		attributes = append(attributes, "ltail=cluster_"+e.id(from))
		from = e.anchor(from)
	}
	if e.inside[to] > 0 {
		attributes = append(attributes, "lhead=cluster_"+e.id(to))
		to = e.anchor(to)
	}
	line := e.id(from) + " -> " + e.id(to)
	if len(attributes) > 0 {
		line += " [" + strings.Join(attributes, ", ") + "]"
	}
	e.line(depth, line, ";")
}

// anchor is a plain state inside a container.
func (e *exporter) anchor(state *asl.State) *asl.State {
	for e.inside[state] > 0 {
		for _, inner := range scopesOf(state) {
			if len(inner.States) > 0 {
				state = inner.States[0]
				break
			}
		}
	}
	return state
}

// dotText writes a string of Graphviz's language, in which a backslash may begin an escape.
func dotText(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(visible.Line(s)) + `"`
}
