package explore

import (
	"fmt"
	"html/template"
	"io"
	"strings"

	"asldb/internal/wording"
)

// Markdown writes the report for pages of code hosts.
func Markdown(w io.Writer, r *Result) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## asldb explore: %s\n\n%s\n\n%s\n", wording.Markdown(r.Definition), Head(r), summary(r))
	if lines := table(r, unicodeSigns, false); len(lines) > 0 {
		b.WriteString("\n| task | error | once | always | ends as |\n|---|---|---|---|---|\n")
		for i := range lines {
			l := &lines[i]
			ends := wording.Markdown(l.ends)
			if l.bad {
				ends = "**" + ends + "** (!)"
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", wording.Markdown(l.task), wording.Markdown(l.errors), wording.Markdown(l.once), wording.Markdown(l.always), ends)
		}
		fmt.Fprintf(&b, "\n%s\n", unicodeSigns.legend())
	}
	for class := Bug; class <= Unreached; class++ {
		list := ofClass(r, class)
		if len(list) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n### %s\n\n", class)
		for _, f := range list {
			fmt.Fprintf(&b, "- %s", wording.Markdown(title(f)))
			if f.Place != "" {
				fmt.Fprintf(&b, " (%s)", wording.Markdown(f.Place))
			}
			b.WriteByte('\n')
			for _, l := range details(f) {
				fmt.Fprintf(&b, "  - %s\n", wording.Markdown(l))
			}
			if f.Case != nil && class.Bad() {
				b.WriteString("\n" + wording.Fenced("  ", "yaml", f.Case.Text))
			}
		}
	}
	for i, note := range r.Notes {
		if i == 0 {
			b.WriteString("\n### notes\n\n")
		}
		fmt.Fprintf(&b, "- %s\n", wording.Markdown(note))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// page is the data of the HTML page.
type page struct {
	Definition, Head, Summary, Legend string
	Bad                               bool
	Lines                             []pageLine
	Classes                           []pageClass
	Notes                             []string
}

type pageLine struct {
	Task, Place, Errors, All, Once, Always, Ends string
	Bad                                          bool
}

type pageClass struct {
	Name     string
	Bad      bool
	Findings []pageFinding
}

type pageFinding struct {
	Title, Place, Case string
	Details            []string
}

// HTML writes the report as one page that needs no network.
func HTML(w io.Writer, r *Result) error {
	p := page{Definition: wording.Line(r.Definition), Head: Head(r), Summary: summary(r), Legend: unicodeSigns.legend()}
	lines := table(r, unicodeSigns, false)
	for i := range lines {
		l := &lines[i]
		p.Lines = append(p.Lines, pageLine{
			l.task, l.place, l.errors, strings.Join(l.all, ", "), l.once, l.always, l.ends, l.bad,
		})
	}
	for class := Bug; class <= Unreached; class++ {
		c := pageClass{Name: class.String(), Bad: class.Bad()}
		for _, f := range ofClass(r, class) {
			found := pageFinding{Title: title(f), Place: wording.Line(f.Place), Details: details(f)}
			if f.Case != nil {
				found.Case = wording.Text(f.Case.Text)
			}
			c.Findings = append(c.Findings, found)
		}
		if len(c.Findings) > 0 {
			p.Classes = append(p.Classes, c)
			p.Bad = p.Bad || class.Bad()
		}
	}
	for _, note := range r.Notes {
		p.Notes = append(p.Notes, wording.Line(note))
	}
	return htmlPage.Execute(w, p)
}

var htmlPage = template.Must(template.New("report").Parse(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>asldb explore: {{.Definition}}</title>
<style>
:root { color-scheme: light dark; --bad: #cf222e; --line: #8886; }
@media (prefers-color-scheme: dark) { :root { --bad: #ff7b72; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 80em; margin: 2em auto; padding: 0 1em; }
h2 { font-size: 1.1em; margin: 1.6em 0 .3em; }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-weight: normal; color: GrayText; }
td, th { border-top: 1px solid var(--line); padding: .25em .5em; vertical-align: top; }
small { color: GrayText; }
.bad { color: var(--bad); }
pre { margin: .3em 0; padding: .6em; border: 1px solid var(--line); overflow-x: auto; }
</style>
</head>
<body>
<h1>{{.Definition}}</h1>
<p>{{.Head}}<br><span{{if .Bad}} class="bad"{{end}}>{{.Summary}}</span></p>
{{with .Lines}}<table>
<tr><th>task</th><th>error</th><th>once</th><th>always</th><th>ends as</th></tr>
{{range .}}<tr><td>{{.Task}}{{with .Place}} <small>{{.}}</small>{{end}}</td><td title="{{.All}}">{{.Errors}}</td><td>{{.Once}}</td><td>{{.Always}}</td><td{{if .Bad}} class="bad"{{end}}>{{.Ends}}{{if .Bad}} (!){{end}}</td></tr>
{{end}}</table>
<p><small>{{$.Legend}}</small></p>
{{end}}{{range .Classes}}<h2{{if .Bad}} class="bad"{{end}}>{{.Name}}</h2>
<ul>
{{range .Findings}}<li>{{.Title}} <small>{{.Place}}</small>{{range .Details}}<br><small>{{.}}</small>{{end}}{{with .Case}}<details><summary><small>as a case</small></summary><pre>{{.}}</pre></details>{{end}}</li>
{{end}}</ul>
{{end}}{{with .Notes}}<h2>notes</h2>
<ul>
{{range .}}<li>{{.}}</li>
{{end}}</ul>
{{end}}</body>
</html>
`))
