package project

import (
	"cmp"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/files"
)

const (
	sarifSchema  = "https://json.schemastore.org/sarif-2.1.0.json"
	sarifVersion = "2.1.0"
)

// sourceRoot is the id that GitHub and others give the root of the checked-out files.
const sourceRoot = "%SRCROOT%"

// fingerprint is the name of the digest by which a result is known again in a later log. It is that of a baseline.
const fingerprint = "asldb/v2"

// sarif is a log that is being written.
type sarif struct {
	folder string         // files in it are named from there
	seen   map[string]int // how many results have a digest
}

// SARIF writes one log in the Static Analysis Results Interchange Format 2.1.0, with the rules that were broken.
// Columns count characters, as the log says. Files in Options.Folder are named from there.
func SARIF(w io.Writer, machines []Checked, o Options) error {
	log := &sarif{o.Folder, make(map[string]int)}
	var results, artifacts []value.Value
	broken := make(map[string]int) // the place of each rule in the list
	var list []value.Value
	for _, f := range Files(machines) {
		artifacts = append(artifacts, value.ObjectOf(value.M("location", log.artifact(f.Name))))
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
			results = append(results, log.result(m, d, index))
		}
	}
	run := value.ObjectOf(
		value.M("tool", value.ObjectOf(value.M("driver", value.ObjectOf(
			value.M("name", value.String("asldb")), value.M("version", value.String(o.Version)),
			value.M("rules", value.NewArray(list)),
		)))),
		value.M("originalUriBaseIds", value.ObjectOf(value.M(sourceRoot, value.ObjectOf(
			value.M("description", message("the folder in which asldb ran")),
		)))),
		value.M("columnKind", value.String("unicodeCodePoints")),
		value.M("artifacts", value.NewArray(artifacts)),
		value.M("results", value.NewArray(results)),
	)
	return write(w, value.ObjectOf(
		value.M("$schema", value.String(sarifSchema)), value.M("version", value.String(sarifVersion)),
		value.M("runs", value.ArrayOf(run)),
	))
}

func sarifRule(name string) value.Value {
	r, known := rules.Find(name)
	members := []value.Member{value.M("id", value.String(name))}
	if known {
		members = append(members,
			value.M("shortDescription", message(r.Summary)), value.M("fullDescription", message(r.Explanation)),
			value.M("defaultConfiguration", value.ObjectOf(value.M("level", value.String(level(r.Severity))))),
			value.M("help", message(r.Section)),
		)
		if r.URL() != "" {
			members = append(members, value.M("helpUri", value.String(r.URL())))
		}
		members = append(members, value.M("properties", value.ObjectOf(
			value.M("tags", value.NewArray(tags(r))),
			value.M("problem.severity", value.String(problemSeverity(r.Severity))),
		)))
	}
	return value.NewObject(members)
}

func message(text string) value.Value { return value.ObjectOf(value.M("text", value.String(text))) }

func level(s source.Severity) string {
	switch s {
	case source.Warning:
		return "warning"
	case source.Hint, source.Note:
		return "note"
	case source.Error, source.Danger:
	}
	return "error"
}

// tags are the tags of a rule.
func tags(r rules.Rule) []value.Value {
	kind := "correctness"
	switch r.Severity {
	case source.Warning:
		kind = "suspicious"
	case source.Hint, source.Note:
		kind = "best-practice"
	case source.Error, source.Danger:
	}
	list := []value.Value{value.String("step-functions"), value.String(kind)}
	if r.Express {
		list = append(list, value.String("express"))
	}
	return list
}

// problemSeverity is the severity in the words of GitHub's code scanning.
func problemSeverity(s source.Severity) string {
	if s == source.Hint {
		return "recommendation"
	}
	return s.String()
}

func (l *sarif) result(m *Checked, d *source.Diagnostic, rule int) value.Value {
	text := d.Message
	if d.Suggestion != "" {
		text += "; " + d.Suggestion
	}
	file := cmp.Or(d.File, m.Given)
	var related []value.Value
	for _, r := range d.Reasons {
		if r.Span.Start.Line == 0 {
			text += "\n" + r.Text
			continue
		}
		id := len(related) + 1
		text += fmt.Sprintf("\n[%s](%d)", escapeLink.Replace(r.Text), id)
		related = append(related, l.location(cmp.Or(r.File, file), r.Span, "", r.Text).With("id", number(id)))
	}
	members := []value.Member{
		value.M("ruleId", value.String(d.Rule)), value.M("ruleIndex", number(rule)),
		value.M("level", value.String(level(d.Severity))), value.M("message", message(text)),
		value.M("locations", value.ArrayOf(l.location(file, d.Span, d.Pointer, ""))),
		value.M("partialFingerprints", value.ObjectOf(value.M(fingerprint, value.String(l.digest(m, d))))),
	}
	if len(related) > 0 {
		members = append(members, value.M("relatedLocations", value.NewArray(related)))
	}
	if fix, ok := l.fix(d); ok {
		members = append(members, value.M("fixes", value.ArrayOf(fix)))
	}
	return value.NewObject(members)
}

// escapeLink escapes the characters that end the text of a link (SARIF, section 3.11.6).
var escapeLink = strings.NewReplacer(`\`, `\\`, `[`, `\[`, `]`, `\]`)

// digest tells a result from all others, also in a later log: see [baseline.Identity]. Of several with the same one it counts.
func (l *sarif) digest(m *Checked, d *source.Diagnostic) string {
	digest := Of(l.folder, m.Given.Name, m.Name, d).Digest()
	l.seen[digest]++
	return fmt.Sprintf("%s:%d", digest, l.seen[digest])
}

// fix returns the change of the file that a suggestion asks for (section 3.55).
func (l *sarif) fix(d *source.Diagnostic) (fix value.Value, ok bool) {
	e, ok := d.Edit()
	if !ok || strings.HasPrefix(e.File.Name, "<") {
		return nil, false
	}
	kind := "possible: "
	if d.Fix.Certain {
		kind = "certain: "
	}
	return value.ObjectOf(
		value.M("description", message(kind+"write "+e.Text+" for "+d.Fix.From)),
		value.M("artifactChanges", value.ArrayOf(value.ObjectOf(
			value.M("artifactLocation", l.artifact(e.File.Name)),
			value.M("replacements", value.ArrayOf(value.ObjectOf(
				value.M("deletedRegion", region(e.Span)),
				value.M("insertedContent", message(e.Text)),
			))),
		))),
	), true
}

func (l *sarif) location(file *source.File, span source.Span, pointer, text string) *value.Object {
	physical := []value.Member{value.M("artifactLocation", l.artifact(file.Name))}
	if span.Start.Line > 0 {
		physical = append(physical, value.M("region", region(span)))
	}
	members := []value.Member{value.M("physicalLocation", value.NewObject(physical))}
	if pointer != "" {
		members = append(members, value.M("logicalLocations", value.ArrayOf(value.ObjectOf(
			value.M("fullyQualifiedName", value.String(pointer)), value.M("kind", value.String("value")),
		))))
	}
	if text != "" {
		members = append(members, value.M("message", message(text)))
	}
	return value.NewObject(members)
}

// region is a stretch of a file. SARIF wants an end that is not before the beginning.
func region(span source.Span) value.Value {
	members := []value.Member{value.M("startLine", number(span.Start.Line)), value.M("startColumn", number(span.Start.Col))}
	if span.End.Offset > span.Start.Offset {
		members = append(members, value.M("endLine", number(span.End.Line)), value.M("endColumn", number(span.End.Col)))
	}
	return value.NewObject(members)
}

// artifact names a file by a URI reference: one in the folder from there, another one by its path. Standard input has none: its name
// goes into a description.
func (l *sarif) artifact(file string) value.Value {
	if strings.HasPrefix(file, "<") {
		return value.ObjectOf(value.M("description", message(file)))
	}
	name := files.Relative(l.folder, file)
	if filepath.IsLocal(name) {
		uri := (&url.URL{Path: slashed(name)}).String() // it puts ./ before a name with a colon
		return value.ObjectOf(value.M("uri", value.String(uri)), value.M("uriBaseId", value.String(sourceRoot)))
	}
	if absolute, err := filepath.Abs(name); err == nil {
		name = absolute
	}
	return value.ObjectOf(value.M("uri", value.String(fileURI(slashed(name)))))
}

// fileURI returns the URI of a file by its absolute path with slashes. On Windows a path begins with a drive, C:/, or two slashes and a
// computer.
func fileURI(path string) string {
	u := url.URL{Scheme: "file", Path: path}
	if share, ok := strings.CutPrefix(path, "//"); ok {
		host, rest, _ := strings.Cut(share, "/")
		u.Host, u.Path = host, "/"+rest
	} else if !strings.HasPrefix(path, "/") {
		u.Path = "/" + path
	}
	return u.String()
}
