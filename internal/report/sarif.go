package report

import (
	"cmp"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
)

const (
	sarifSchema  = "https://json.schemastore.org/sarif-2.1.0.json"
	sarifVersion = "2.1.0"
)

// SARIF writes one log in the Static Analysis Results Interchange Format 2.1.0, with the rules that were broken.
// Columns count characters, as the log says.
func SARIF(w io.Writer, machines []Machine, o Options) error {
	var results, artifacts []value.Value
	broken := make(map[string]int) // the place of each rule in the list
	var list []value.Value
	for _, f := range Files(machines) {
		artifacts = append(artifacts, value.ObjectOf(member("location", artifact(f.Name))))
	}
	for i := range machines {
		m := &machines[i]
		shown, _ := o.shown(m)
		for j := range shown {
			d := &shown[j]
			index, known := broken[d.Rule]
			if !known {
				index = len(list)
				broken[d.Rule] = index
				list = append(list, sarifRule(d.Rule))
			}
			results = append(results, sarifResult(m.Given, d, index))
		}
	}
	run := value.ObjectOf(
		member("tool", value.ObjectOf(member("driver", value.ObjectOf(
			member("name", value.String("asldb")), member("version", value.String(o.Version)),
			member("rules", value.NewArray(list)),
		)))),
		member("columnKind", value.String("unicodeCodePoints")),
		member("artifacts", value.NewArray(artifacts)),
		member("results", value.NewArray(results)),
	)
	return write(w, value.ObjectOf(
		member("$schema", value.String(sarifSchema)), member("version", value.String(sarifVersion)),
		member("runs", value.ArrayOf(run)),
	))
}

func sarifRule(name string) value.Value {
	r, known := rules.Find(name)
	members := []value.Member{member("id", value.String(name))}
	if known {
		members = append(members,
			member("shortDescription", message(r.Summary)), member("fullDescription", message(r.Explanation)),
			member("defaultConfiguration", value.ObjectOf(member("level", value.String(level(r.Severity))))),
			member("help", message(r.Section)),
		)
	}
	return value.NewObject(members)
}

func message(text string) value.Value { return value.ObjectOf(member("text", value.String(text))) }

func level(s source.Severity) string {
	switch s {
	case source.Warning:
		return "warning"
	case source.Hint:
		return "note"
	case source.Error:
	}
	return "error"
}

func sarifResult(given *source.File, d *source.Diagnostic, rule int) value.Value {
	text := d.Message
	if d.Suggestion != "" {
		text += "; " + d.Suggestion
	}
	members := []value.Member{
		member("ruleId", value.String(d.Rule)), member("ruleIndex", number(rule)),
		member("level", value.String(level(d.Severity))), member("message", message(text)),
		member("locations", value.ArrayOf(sarifLocation(cmp.Or(d.File, given), d.Span, d.Pointer, ""))),
	}
	var related []value.Value
	for _, r := range d.Reasons {
		if r.Span.Start.Line > 0 {
			related = append(related, sarifLocation(cmp.Or(r.File, given), r.Span, "", r.Text))
		}
	}
	if len(related) > 0 {
		members = append(members, member("relatedLocations", value.NewArray(related)))
	}
	return value.NewObject(members)
}

func sarifLocation(file *source.File, span source.Span, pointer, text string) value.Value {
	physical := []value.Member{member("artifactLocation", artifact(file.Name))}
	if span.Start.Line > 0 {
		physical = append(physical, member("region", region(span)))
	}
	members := []value.Member{member("physicalLocation", value.NewObject(physical))}
	if pointer != "" {
		members = append(members, member("logicalLocations", value.ArrayOf(value.ObjectOf(
			member("fullyQualifiedName", value.String(pointer)), member("kind", value.String("value")),
		))))
	}
	if text != "" {
		members = append(members, member("message", message(text)))
	}
	return value.NewObject(members)
}

// region is a stretch of a file. SARIF wants an end that is not before the beginning.
func region(span source.Span) value.Value {
	members := []value.Member{member("startLine", number(span.Start.Line)), member("startColumn", number(span.Start.Col))}
	if span.End.Offset > span.Start.Offset {
		members = append(members, member("endLine", number(span.End.Line)), member("endColumn", number(span.End.Col)))
	}
	return value.NewObject(members)
}

// artifact names a file by a URI reference. Standard input has none: its name goes into a description.
func artifact(file string) value.Value {
	if strings.HasPrefix(file, "<") {
		return value.ObjectOf(member("description", message(file)))
	}
	path := filepath.ToSlash(file)
	uri := (&url.URL{Path: path}).String() // it puts ./ before a name with a colon
	if filepath.IsAbs(file) {
		uri = "file://" + uri
	}
	return value.ObjectOf(member("uri", value.String(uri)))
}
