package report

import (
	_ "embed"
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

// pageText is the page of a report.
//
//go:embed page.html
var pageText string

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Parse(pageText))
})
