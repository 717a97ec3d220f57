package suiterun

import (
	"html/template"
	"io"
	"strings"

	"asldb/internal/suite"
	"asldb/internal/wording"
)

// HTML returns a report as one page that needs no network.
func HTML(w io.Writer) suite.Sink { return &page{w: w} }

type page struct {
	w      io.Writer
	Suites []*pageSuite
	Cover  *suite.Covered
	Counts string
	Bad    bool
	Took   string
}

type pageSuite struct {
	File, Definition, Counts string
	Cases                    []pageCase
}

type pageCase struct {
	Sign, Class, Name, Place, Figures string
	Body                              string
}

// Send implements [result.Sink].
func (p *page) Send(event suite.Event) error {
	switch e := event.(type) {
	case suite.SuiteBegan:
		p.Suites = append(p.Suites, &pageSuite{File: wording.Line(e.Suite.File), Definition: wording.Line(e.Suite.Definition)})
	case suite.CaseEnded:
		s := p.Suites[len(p.Suites)-1]
		s.Cases = append(s.Cases, pageCaseOf(e.Case))
	case suite.SuiteEnded:
		p.Suites[len(p.Suites)-1].Counts = Counts(&e.Suite.Summary)
	case suite.Covered:
		p.Cover = &e
	case suite.Ended:
		s := &e.Summary
		p.Counts, p.Bad, p.Took = Counts(s), s.Failed+s.Wrong > 0, wall(s.Wall)+", "+virtual(s.Virtual)+" of virtual time"
		return htmlPage.Execute(p.w, p)
	case suite.Began:
	}
	return nil
}

func pageCaseOf(c *suite.Outcome) pageCase {
	out := pageCase{Class: strings.ReplaceAll(c.Kind.String(), " ", "-"), Name: wording.Line(c.Name), Place: place(c.Suite.File, c.At.Line), Figures: figures(c)}
	out.Sign, _ = signOf(c.Kind, false)
	if c.Kind != suite.Passed {
		out.Figures = c.Kind.String()
		out.Body = "  " + strings.Join(body(c), "\n  ")
	}
	return out
}

// Percent returns the share of the coverage, for the page.
func (p *page) Percent() int { return p.Cover.Profile.Share().Percent() }

var htmlPage = template.Must(template.New("report").Parse(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>asldb: {{.Counts}}</title>
<style>
:root { color-scheme: light dark; --good: #1a7f37; --bad: #cf222e; --other: #7d4e00; --line: #8886; }
@media (prefers-color-scheme: dark) { :root { --good: #3fb950; --bad: #ff7b72; --other: #d29922; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70em; margin: 2em auto; padding: 0 1em; }
h2 { font-size: 1.1em; margin: 1.6em 0 .3em; }
table { border-collapse: collapse; width: 100%; }
td { border-top: 1px solid var(--line); padding: .25em .5em; vertical-align: top; }
td:first-child { width: 1.5em; }
td:last-child, small { color: GrayText; }
.passed td:first-child { color: var(--good); }
.failed td:first-child, .error td:first-child { color: var(--bad); }
.skipped td:first-child, .new td:first-child, .no-expectation td:first-child { color: var(--other); }
pre { margin: .3em 0; padding: .6em; border: 1px solid var(--line); overflow-x: auto; }
</style>
</head>
<body>
<h1>{{if .Bad}}Failed{{else}}Passed{{end}}</h1>
<p>{{.Counts}}<br><small>{{.Took}}</small></p>
{{with .Cover}}<p>Coverage {{$.Percent}} %</p>{{end}}
{{range .Suites}}<h2>{{.File}}</h2>
<p><small>{{with .Definition}}{{.}}; {{end}}{{.Counts}}</small></p>
<table>
{{range .Cases}}<tr class="{{.Class}}"><td>{{.Sign}}</td><td>{{.Name}} <small>{{.Place}}</small>{{with .Body}}<pre>{{.}}</pre>{{end}}</td><td>{{.Figures}}</td></tr>
{{end}}</table>
{{end}}</body>
</html>
`))
