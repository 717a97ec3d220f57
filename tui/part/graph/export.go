package graph

import (
	"slices"
	"strconv"
	"strings"

	"asldb/engine/asl"
	"asldb/internal/wording"
)

// exporter writes the graph for other programs. States are called s0, s1, ... in the order of the definition, so no
// name can disturb the syntax.
type exporter struct {
	*Model
	over *Overlay
	b    strings.Builder
	// edges counts the edges that are written, and taken has the numbers of those that were taken.
	edges int
	taken []string
	// loops counts the transitions of containers to themselves.
	loops int
}

func newExporter(m *Model, over *Overlay) *exporter {
	if over == nil {
		over = &Overlay{}
	}
	return &exporter{Model: m, over: over}
}

func (e *exporter) mark(state *asl.State) Mark {
	if e.over.Mark == nil {
		return Mark{}
	}
	return e.over.Mark(state)
}

func (e *exporter) isTaken(from *asl.State, edge int) bool {
	return e.over.Taken != nil && e.over.Taken(from, edge)
}

// noted returns a state's name with its note, separated by a text.
func (e *exporter) noted(state *asl.State, name, separator string, quote func(string) string) string {
	if note := e.mark(state).Note; note != "" {
		return name + separator + quote(note)
	}
	return name
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

// Mermaid returns the graph as a flowchart in Mermaid's language; containers are subgraphs. Of an overlay, which may be
// nil, it has the notes, the parts and the transitions that were taken.
func (m *Model) Mermaid(over *Overlay) string {
	e := newExporter(m, over)
	e.line(0, "flowchart TD")
	e.mermaidScope(m.top, 1)
	e.mermaidParts()
	return e.b.String()
}

// The colours of the parts: the light theme's, which a drawing on paper has.
const (
	wayColor   = "#8a2bb8"
	lostColor  = "#a1282b"
	lackColor  = "#805300"
	asideColor = "#8d95a3"
	wholeColor = "#1c6b34"
)

// partLooks are the parts as classes of Mermaid and as attributes of Graphviz, by Part.
var partLooks = [...]struct {
	name, mermaid string
	dot           []string
}{
	NoPart:     {},
	OnWay:      {"way", "stroke-width:3px,stroke:" + wayColor, []string{"penwidth=3", `color="` + wayColor + `"`}},
	OriginPart: {"origin", "stroke-width:5px,stroke:" + wayColor, []string{"penwidth=5", `color="` + wayColor + `"`}},
	LostPart:   {"lost", "stroke-width:3px,stroke:" + lostColor, []string{"penwidth=3", `color="` + lostColor + `"`}},
	LackPart:   {"missing", "stroke:" + lackColor, []string{`color="` + lackColor + `"`}},
	WouldMakePart: {
		"wouldMake", "stroke-dasharray:4 3,stroke:" + wayColor, []string{"style=dashed", `color="` + wayColor + `"`},
	},
	AsidePart: {
		"aside", "color:" + asideColor + ",stroke:" + asideColor,
		[]string{`color="` + asideColor + `"`, `fontcolor="` + asideColor + `"`},
	},
	PlainPart:  {},
	FailsPart:  {"fails", "stroke-width:3px,stroke:" + lostColor, []string{"penwidth=3", `color="` + lostColor + `"`}},
	CaughtPart: {"caught", "stroke:" + lackColor, []string{`color="` + lackColor + `"`}},
	WrongPart:  {"wrong", "stroke-width:3px,stroke:" + lostColor, []string{"penwidth=3", `color="` + lostColor + `"`}},
	// Another line than the states'.
	MissingPart: {"unknown", "stroke-dasharray:4 3,stroke:" + lackColor, []string{"style=dashed", `color="` + lackColor + `"`}},
	NeverPart:   {"never", "stroke-dasharray:4 3,stroke:" + lostColor, []string{"style=dashed", `color="` + lostColor + `"`}},
	PartlyPart:  {"partly", "stroke:" + lackColor, []string{`color="` + lackColor + `"`}},
	WholePart:   {"whole", "stroke-width:3px,stroke:" + wholeColor, []string{"penwidth=3", `color="` + wholeColor + `"`}},
}

func (e *exporter) mermaidParts() {
	for part := OnWay; int(part) < len(partLooks); part++ {
		var ids []string
		for _, state := range e.states {
			if e.mark(state).Part == part {
				ids = append(ids, e.id(state))
			}
		}
		if len(ids) > 0 && partLooks[part].name != "" {
			e.line(1, "classDef ", partLooks[part].name, " ", partLooks[part].mermaid)
			e.line(1, "class ", strings.Join(ids, ","), " ", partLooks[part].name)
		}
	}
	if len(e.taken) > 0 {
		e.line(1, "linkStyle ", strings.Join(e.taken, ","), " stroke-width:4px,stroke:", wayColor)
	}
}

func (e *exporter) mermaidScope(scope *asl.Scope, depth int) {
	for _, state := range e.in(scope) {
		name := e.noted(state, mermaidText(state.Name), "<br/>", mermaidText)
		switch {
		case e.inside[state] > 0:
			e.line(depth, "subgraph ", e.id(state), ` ["`, e.noted(state, mermaidText(title(state)), "<br/>", mermaidText), `"]`)
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
	for _, state := range e.in(scope) {
		for i := range e.Edges(state) {
			e.mermaidEdge(depth, &e.Edges(state)[i], e.isTaken(state, i))
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

func (e *exporter) mermaidEdge(depth int, edge *asl.Edge, taken bool) {
	if edge.To == nil {
		return
	}
	if taken {
		e.taken = append(e.taken, strconv.Itoa(e.edges))
	}
	e.edges++
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
	for _, r := range wording.Line(s) {
		if strings.ContainsRune("\"#&<>`\\;{}[]()|%*_~$", r) {
			b.WriteString("#" + strconv.Itoa(int(r)) + ";")
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Dot returns the graph in Graphviz's language; containers are clusters. Of an overlay it has the same as [Model.Mermaid].
func (m *Model) Dot(over *Overlay) string {
	e := newExporter(m, over)
	e.line(0, "digraph machine {")
	e.line(1, "compound=true;")
	e.line(1, `node [shape=box, style=rounded];`)
	e.dotScope(m.top, 1)
	e.line(0, "}")
	return e.b.String()
}

func (e *exporter) dotScope(scope *asl.Scope, depth int) {
	for _, state := range e.in(scope) {
		name := dotQuoted(e.noted(state, dotEscaped(state.Name), `\n`, dotEscaped))
		part := partLooks[e.mark(state).Part].dot
		switch {
		case e.inside[state] > 0:
			e.line(depth, "subgraph cluster_", e.id(state), " {")
			e.line(depth+1, "label=", dotQuoted(e.noted(state, dotEscaped(title(state)), `\n`, dotEscaped)), ";")
			for _, attribute := range part {
				e.line(depth+1, attribute, ";")
			}
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
			e.dotNode(depth, state, append([]string{"label=" + name, "shape=diamond", "style=solid"}, part...))
		case state.Terminal():
			e.dotNode(depth, state, append([]string{"label=" + name, "peripheries=2"}, part...))
		default:
			e.dotNode(depth, state, append([]string{"label=" + name}, part...))
		}
	}
	for _, state := range e.in(scope) {
		for i := range e.Edges(state) {
			e.dotEdge(depth, &e.Edges(state)[i], e.isTaken(state, i))
		}
	}
}

func (e *exporter) dotNode(depth int, state *asl.State, attributes []string) {
	e.line(depth, e.id(state), " [", strings.Join(attributes, ", "), "];")
}

// title is a container's name with its type.
func title(state *asl.State) string { return state.Name + " (" + state.Type.String() + ")" }

// dotEdge joins clusters through a state inside them, as Graphviz requires.
func (e *exporter) dotEdge(depth int, edge *asl.Edge, taken bool) {
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
	if taken {
		attributes = append(attributes, "penwidth=3", `color="`+wayColor+`"`)
	}
	from, to := edge.From, edge.To
	if from == to && e.inside[from] > 0 {
		e.dotLoop(depth, from, attributes)
		return
	}
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

// dotLoop writes a transition of a container to itself. Graphviz draws none from a cluster to itself: this one leads through a point
// outside.
func (e *exporter) dotLoop(depth int, state *asl.State, attributes []string) {
	cluster, inner := "cluster_"+e.id(state), e.id(e.anchor(state))
	e.loops++
	point := "loop" + strconv.Itoa(e.loops)
	e.line(depth, point, ` [shape=point, width=0.04, label=""];`)
	e.line(depth, inner, " -> ", point, " [", strings.Join(append(slices.Clone(attributes), "ltail="+cluster, "dir=none"), ", "), "];")
	attributes = slices.DeleteFunc(attributes, func(a string) bool { return strings.HasPrefix(a, "label=") })
	e.line(depth, point, " -> ", inner, " [", strings.Join(append(attributes, "lhead="+cluster), ", "), "];")
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

// dotText writes a string of Graphviz's language, in which a backslash may begin an escape and an ampersand an entity of HTML.
func dotText(s string) string { return dotQuoted(dotEscaped(s)) }

func dotEscaped(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "&", "&amp;").Replace(wording.Line(s))
}

func dotQuoted(escaped string) string { return `"` + escaped + `"` }
