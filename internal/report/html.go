package report

import (
	"html/template"
	"io"
	"sync"

	"asldb/internal/wording"
)

// node is a block as the template of pages sees it.
type node struct {
	Kind    string // heading, para, entry, code, table, graph, details
	Level   int
	Label   []piece
	Text    []piece
	Code    string
	Columns []cell
	Rows    [][]cell
	Nodes   []node
}

type cell struct {
	Right bool
	Text  []piece
}

// piece is a span as the template sees it.
type piece struct {
	Text, Class string
	Code        bool
}

// HTML writes the document as one page that needs no network.
func (d *Doc) HTML(w io.Writer) error {
	page := struct {
		Name  string
		Title []piece
		Nodes []node
	}{Name: d.Title.line(), Title: pieces(d.Title)}
	for _, b := range d.Blocks {
		page.Nodes = append(page.Nodes, nodesOf(b)...)
	}
	return pageTemplate().Execute(w, page)
}

func nodesOf(b Block) []node {
	switch b := b.(type) {
	case Heading:
		return []node{{Kind: "heading", Level: min(b.Level+1, 6), Text: pieces(b.Text)}}
	case Para:
		n := node{Kind: "para", Level: b.Level, Label: pieces(b.Label), Text: pieces(b.Text)}
		if kindOf(b) == entry {
			n.Kind = "entry"
		}
		return []node{n}
	case Code:
		return []node{{Kind: "code", Level: b.Level, Code: b.visible()}}
	case *Table:
		if len(b.Rows) == 0 {
			return nil
		}
		n := node{Kind: "table"}
		for _, c := range b.Columns {
			n.Columns = append(n.Columns, cell{c.Right, pieces(T(c.Name))})
		}
		for _, row := range b.Rows {
			var cells []cell
			for i := range row {
				cells = append(cells, cell{b.Columns[i].Right, pieces(row[i])})
			}
			n.Rows = append(n.Rows, cells)
		}
		return []node{n}
	case Meter:
		return []node{{Kind: "entry", Level: b.Level, Text: []piece{{Text: Bar(b.Classes, Look{Page: true})}}}}
	case Gap:
		return nil
	case Details:
		if len(b.Blocks) == 0 {
			return nil
		}
		n := node{Kind: "details", Text: pieces(b.Summary)}
		for _, inner := range b.Blocks {
			n.Nodes = append(n.Nodes, nodesOf(inner)...)
		}
		return []node{n}
	case Figure:
		text, err := b.drawn()
		about := wording.Line(b.About)
		if err != nil {
			return []node{{Kind: "para", Text: []piece{{Text: about + ": no graph, " + wording.Line(err.Error())}}}}
		}
		return []node{{Kind: "graph", Text: []piece{{Text: "Graph of " + about}}, Code: wording.Text(text)}}
	}
	panic("report: a block that no page has")
}

// classes are the classes of the tones in the style sheet.
var classes = [toneCount]string{Good: "good", Bad: "bad", Caution: "caution", Quiet: "quiet", Strong: "strong", Gutter: "quiet"}

func pieces(t Text) []piece {
	list := make([]piece, 0, len(t))
	for i := range t {
		p := piece{Text: wording.Line(t[i].Text), Class: classes[t[i].Tone]}
		switch t[i].Role {
		case Name, Path, Source, Value:
			p.Code = true
		case Words, Message:
		}
		list = append(list, p)
	}
	return list
}

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Parse(
		`{{define "text"}}{{range .}}{{if .Code}}<code{{with .Class}} class="{{.}}"{{end}}>{{.Text}}</code>` +
			`{{else if .Class}}<span class="{{.Class}}">{{.Text}}</span>{{else}}{{.Text}}{{end}}{{end}}{{end}}<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>asldb: {{.Name}}</title>
<style>
:root { color-scheme: light dark; --good: #1a7f37; --bad: #cf222e; --caution: #7d4e00; --line: #8886; }
@media (prefers-color-scheme: dark) { :root { --good: #3fb950; --bad: #ff7b72; --caution: #d29922; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 80em; margin: 2em auto; padding: 0 1em; }
h2, h3, h4 { font-size: 1.1em; margin: 1.6em 0 .3em; }
table { border-collapse: collapse; }
th { text-align: left; font-weight: normal; color: GrayText; }
td, th { border-top: 1px solid var(--line); padding: .25em .5em; vertical-align: top; }
.right { text-align: right; }
.good { color: var(--good); }
.bad { color: var(--bad); }
.caution { color: var(--caution); }
.quiet { color: GrayText; }
.strong, .label { font-weight: bold; }
.entry { margin: 0; }
.l1 { margin-left: 1.5em; } .l2 { margin-left: 3em; } .l3, .l4, .l5, .l6 { margin-left: 4.5em; }
pre { margin-top: .3em; margin-bottom: .6em; padding: .6em; border: 1px solid var(--line); overflow-x: auto; }
</style>
</head>
<body>
{{with .Title}}<h1>{{template "text" .}}</h1>
{{end}}{{template "nodes" .Nodes}}</body>
</html>
{{define "nodes"}}{{range .}}{{if eq .Kind "heading"}}<h{{.Level}}>{{template "text" .Text}}</h{{.Level}}>
{{else if eq .Kind "code"}}<pre class="l{{.Level}}">{{.Code}}</pre>
{{else if eq .Kind "graph"}}<details><summary>{{template "text" .Text}}</summary><pre>{{.Code}}</pre></details>
{{else if eq .Kind "details"}}<details><summary>{{template "text" .Text}}</summary>
{{template "nodes" .Nodes}}</details>
{{else if eq .Kind "table"}}<table>
<tr>{{range .Columns}}<th{{if .Right}} class="right"{{end}}>{{template "text" .Text}}</th>{{end}}</tr>
{{range .Rows}}<tr>{{range .}}<td{{if .Right}} class="right"{{end}}>{{template "text" .Text}}</td>{{end}}</tr>
{{end}}</table>
{{else}}<p class="{{.Kind}} l{{.Level}}">{{with .Label}}<span class="label">{{template "text" .}}</span> {{end}}{{template "text" .Text}}</p>
{{end}}{{end}}{{end}}`))
})
