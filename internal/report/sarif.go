package report

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
	"asldb/internal/baseline"
	"asldb/internal/edits"
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
func SARIF(w io.Writer, machines []Machine, o Options) error {
	log := &sarif{o.Folder, make(map[string]int)}
	var results, artifacts []value.Value
	broken := make(map[string]int) // the place of each rule in the list
	var list []value.Value
	for _, f := range Files(machines) {
		artifacts = append(artifacts, value.ObjectOf(member("location", log.artifact(f.Name))))
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
		member("tool", value.ObjectOf(member("driver", value.ObjectOf(
			member("name", value.String("asldb")), member("version", value.String(o.Version)),
			member("rules", value.NewArray(list)),
		)))),
		member("originalUriBaseIds", value.ObjectOf(member(sourceRoot, value.ObjectOf(
			member("description", message("the folder in which asldb ran")),
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
		if r.URL() != "" {
			members = append(members, member("helpUri", value.String(r.URL())))
		}
		members = append(members, member("properties", value.ObjectOf(
			member("tags", value.NewArray(tags(r))),
			member("problem.severity", value.String(problemSeverity(r.Severity))),
		)))
	}
	return value.NewObject(members)
}

func message(text string) value.Value { return value.ObjectOf(member("text", value.String(text))) }

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

func (l *sarif) result(m *Machine, d *source.Diagnostic, rule int) value.Value {
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
		member("ruleId", value.String(d.Rule)), member("ruleIndex", number(rule)),
		member("level", value.String(level(d.Severity))), member("message", message(text)),
		member("locations", value.ArrayOf(l.location(file, d.Span, d.Pointer, ""))),
		member("partialFingerprints", value.ObjectOf(member(fingerprint, value.String(l.digest(m, d))))),
	}
	if len(related) > 0 {
		members = append(members, member("relatedLocations", value.NewArray(related)))
	}
	if fix, ok := l.fix(d); ok {
		members = append(members, member("fixes", value.ArrayOf(fix)))
	}
	return value.NewObject(members)
}

// escapeLink escapes the characters that end the text of a link (SARIF, section 3.11.6).
var escapeLink = strings.NewReplacer(`\`, `\\`, `[`, `\[`, `]`, `\]`)

// digest tells a result from all others, also in a later log: see [baseline.Identity]. Of several with the same one it counts.
func (l *sarif) digest(m *Machine, d *source.Diagnostic) string {
	digest := baseline.Of(l.folder, m.Given.Name, m.Name, d).Digest()
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
		member("description", message(kind+"write "+e.Text+" for "+d.Fix.From)),
		member("artifactChanges", value.ArrayOf(value.ObjectOf(
			member("artifactLocation", l.artifact(e.File.Name)),
			member("replacements", value.ArrayOf(value.ObjectOf(
				member("deletedRegion", region(e.Span)),
				member("insertedContent", message(e.Text)),
			))),
		))),
	), true
}

func (l *sarif) location(file *source.File, span source.Span, pointer, text string) *value.Object {
	physical := []value.Member{member("artifactLocation", l.artifact(file.Name))}
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

// artifact names a file by a URI reference: one in the folder from there, another one by its path. Standard input has none: its name
// goes into a description.
func (l *sarif) artifact(file string) value.Value {
	if strings.HasPrefix(file, "<") {
		return value.ObjectOf(member("description", message(file)))
	}
	name := edits.Relative(l.folder, file)
	if filepath.IsLocal(name) {
		uri := (&url.URL{Path: slashed(name)}).String() // it puts ./ before a name with a colon
		return value.ObjectOf(member("uri", value.String(uri)), member("uriBaseId", value.String(sourceRoot)))
	}
	if absolute, err := filepath.Abs(name); err == nil {
		name = absolute
	}
	return value.ObjectOf(member("uri", value.String(fileURI(slashed(name)))))
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
