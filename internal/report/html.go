package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"

	"asldb/internal/wording"
)

// node is a block as the template of pages sees it.
type node struct {
	Kind    string // heading, para, entry, code, table, graph, details, listing
	Level   int
	Label   []piece
	Text    []piece
	Class   string // of code: its language; of details: case, failed
	Open    bool
	Lines   [][]piece // of code, graphs and listings
	Anchor  string    // of a listing's lines, before their numbers
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
	Link        string // to an anchor of the page
}

// page makes the nodes of a document.
type page struct {
	Name   string
	Title  []piece
	Nodes  []node
	Filter bool // there are cases

	listings map[string]listed
}

// listed is a listing of a page.
type listed struct {
	anchor string
	lines  int
}

// HTML writes the document as one page that needs no network.
func (d *Doc) HTML(w io.Writer) error {
	p := &page{Name: d.Title.line(), listings: map[string]listed{}}
	for _, b := range d.Blocks {
		if l, ok := b.(Listing); ok {
			p.listings[l.File] = listed{fmt.Sprintf("f%d-", len(p.listings)), strings.Count(l.Text, "\n") + 1}
		}
	}
	p.Title, p.Nodes = p.pieces(d.Title), p.nodes(d.Blocks)
	return pageTemplate().Execute(w, p)
}

func (p *page) nodes(blocks []Block) (list []node) {
	for _, b := range blocks {
		if n := p.node(b); n.Kind != "" {
			list = append(list, n)
		}
	}
	return list
}

// node returns the node of a block; its kind is empty where the page has nothing of it.
func (p *page) node(b Block) node {
	switch b := b.(type) {
	case Heading:
		return node{Kind: "heading", Level: min(b.Level+1, 6), Text: p.pieces(b.Text)}
	case Para:
		n := node{Kind: "para", Level: b.Level, Label: p.pieces(b.Label), Text: p.pieces(b.Text)}
		if kindOf(b) == entry {
			n.Kind = "entry"
		}
		return n
	case Code:
		return node{Kind: "code", Level: b.Level, Class: b.Language, Lines: p.lines(b.toned())}
	case *Table:
		return p.table(b)
	case Meter:
		return node{Kind: "entry", Level: b.Level, Text: []piece{{Text: Bar(b.Classes, Look{Page: true})}}}
	case Gap:
		return node{}
	case Details:
		return p.details(b)
	case Figure:
		return p.figure(b)
	case Listing:
		lines := Code{Text: strings.ReplaceAll(b.Text, "\r\n", "\n")}
		return node{Kind: "listing", Text: p.pieces(T("Lines of " + b.File)), Lines: p.lines(lines.toned()),
			Anchor: p.listings[b.File].anchor}
	}
	panic("report: a block that no page has")
}

func (p *page) table(t *Table) (n node) {
	if len(t.Rows) == 0 {
		return n
	}
	n.Kind = "table"
	for _, c := range t.Columns {
		n.Columns = append(n.Columns, cell{c.Right, p.pieces(T(c.Name))})
	}
	for _, row := range t.Rows {
		var cells []cell
		for i := range row {
			cells = append(cells, cell{t.Columns[i].Right, p.pieces(row[i])})
		}
		n.Rows = append(n.Rows, cells)
	}
	return n
}

func (p *page) details(d Details) node {
	if len(d.Blocks) == 0 && !d.Case {
		return node{}
	}
	n := node{Kind: "details", Text: p.pieces(d.Summary), Open: d.Open, Nodes: p.nodes(d.Blocks)}
	if d.Case {
		p.Filter, n.Class = true, "case"
		if d.Open {
			n.Class = "case failed"
		}
	}
	return n
}

func (p *page) figure(f Figure) node {
	drawing, err := f.Draw()
	about := wording.Line(f.About)
	if err != nil {
		return node{Kind: "para", Text: []piece{{Text: about + ": no graph, " + wording.Line(err.Error())}}}
	}
	n := node{Kind: "graph", Text: []piece{{Text: "Graph of " + about}}, Open: drawing.Lines != nil}
	if n.Open {
		n.Lines = p.lines(drawing.Lines())
	} else {
		mermaid := Code{Text: drawing.Mermaid}
		n.Lines = p.lines(mermaid.toned())
	}
	return n
}

// classes are the classes of the tones in the style sheet.
var classes = [toneCount]string{
	Good: "good", Bad: "bad", Caution: "caution", Quiet: "quiet", Strong: "strong", Gutter: "quiet",
}

func (p *page) lines(list []Text) [][]piece {
	lines := make([][]piece, len(list))
	for i := range list {
		lines[i] = p.pieces(list[i])
		for k := range list[i] {
			lines[i][k].Text = wording.Text(list[i][k].Text) // with its tabs
		}
	}
	return lines
}

func (p *page) pieces(t Text) []piece {
	list := make([]piece, 0, len(t))
	for i := range t {
		one := piece{Text: wording.Line(t[i].Text), Class: classes[t[i].Tone]}
		switch t[i].Role {
		case Name, Path, Source, Value:
			one.Code = true
		case Words, Message:
		}
		if at := t[i].At; at.Line > 0 && at.Line <= p.listings[at.File].lines {
			one.Link = fmt.Sprint(p.listings[at.File].anchor, at.Line)
		}
		list = append(list, one)
	}
	return list
}

// pageText is the page of a report.
//
//go:embed page.html
var pageText string

var pageTemplate = sync.OnceValue(func() *template.Template {
	number := func(i int) int { return i + 1 }
	return template.Must(template.New("page").Funcs(template.FuncMap{"number": number}).Parse(pageText))
})
