// This part of the package writes the problems of definitions: for people, as JSON, as SARIF for code hosts and editors, and in
// the shape of Step Functions' ValidateStateMachineDefinition.

package project

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// Machine is one state machine with its problems. Each problem has its file: a machine of a template has some in the template
// and some in the file that the template names.
type Checked struct {
	// Given is the file that was named: the definition, or the template with it.
	Given *source.File
	// Name is that of the machine in a template, which may have several; empty where the file is the definition.
	Name     string
	Problems []source.Diagnostic
	// Source is the file of the definition and Root its tree; nil where the text could not be read.
	Source *source.File
	Root   *source.Node
}

// Label names the machine in messages: "order.asl.json", "template.yaml (Orders)".
func (m *Checked) Label() string {
	if m.Name == "" {
		return wording.Line(m.Given.Name)
	}
	return wording.Line(m.Given.Name) + " (" + wording.Line(m.Name) + ")"
}

// Files returns the files that were given and those of the problems, each once, in the order in which they come.
func Files(machines []Checked) []*source.File {
	var files []*source.File
	add := func(f *source.File) {
		if f != nil && !slices.ContainsFunc(files, func(known *source.File) bool { return known.Name == f.Name }) {
			files = append(files, f)
		}
	}
	for i := range machines {
		add(machines[i].Given)
		add(machines[i].Source)
		for j := range machines[i].Problems {
			add(machines[i].Problems[j].File)
		}
	}
	return files
}

// Count returns how many problems there are of each severity.
func (m *Checked) Count() (errors, warnings, hints int) {
	for i := range m.Problems {
		switch m.Problems[i].Severity {
		case source.Error, source.Danger:
			errors++
		case source.Warning:
			warnings++
		default:
			hints++
		}
	}
	return errors, warnings, hints
}

// Options say how much is written.
type Options struct {
	// Max is the greatest number of problems of one machine, errors before all others; 0 is no bound. How many are left
	// out is reported.
	Max int
	// Own adds asldb's own warnings to the reply of the service.
	Own bool
	// Brief leaves machines without a problem out of the text, and adds a summary.
	Brief bool
	// Width is that of the terminal for which the lines of the text are broken, in cells; 0: they are not.
	Width int
	// Folder is the root of the repository, or the working folder: SARIF and GitHub name the files in it from there.
	Folder string
	// Strict: warnings are failures, too, for JUnit.
	Strict bool
	// Version is that of the program, for SARIF.
	Version string
	// Skipped are the machines that were not checked, with the reasons.
	Skipped []string
}

// shown returns the problems to write, in the order of their places, and how many are left out: warnings and hints
// before errors.
func (o Options) shown(m *Checked) (shown []source.Diagnostic, left int) {
	if o.Max <= 0 || len(m.Problems) <= o.Max {
		return m.Problems, 0
	}
	errors, _, _ := m.Count()
	room, others := min(o.Max, errors), max(0, o.Max-errors)
	for _, d := range m.Problems {
		switch {
		case d.Severity.Fails() && room > 0:
			room--
		case !d.Severity.Fails() && others > 0:
			others--
		default:
			continue
		}
		shown = append(shown, d)
	}
	return shown, len(m.Problems) - len(shown)
}

// Text writes every problem with its line of the text, and their number below them.
func Text(w io.Writer, machines []Checked, o Options) error {
	for i := range machines {
		m := &machines[i]
		if o.Brief && len(m.Problems) == 0 {
			continue
		}
		shown, left := o.shown(m)
		for _, d := range shown {
			if _, err := fmt.Fprintln(w, strings.TrimRight(d.FormatWithin(o.Width), "\n")); err != nil {
				return err
			}
		}
		if left > 0 {
			if _, err := fmt.Fprintf(w, "%s: and %d more (--max 0 shows all)\n", m.Label(), left); err != nil {
				return err
			}
		}
		if _, err := fmt.Fprintf(w, "%s: %s\n", m.Label(), m.summary()); err != nil {
			return err
		}
	}
	if o.Brief {
		if _, err := fmt.Fprintln(w, total(machines)); err != nil {
			return err
		}
	}
	for _, s := range o.Skipped {
		if _, err := fmt.Fprintln(w, "not checked: "+s); err != nil {
			return err
		}
	}
	return nil
}

// total is the summary of several machines: "12 state machines in 9 files: 2 with errors (3 errors, 1 warning)".
func total(machines []Checked) string {
	files := make(map[string]bool)
	var errors, warnings, hints, wrong int
	for i := range machines {
		e, w, h := machines[i].Count()
		errors, warnings, hints = errors+e, warnings+w, hints+h
		if e > 0 {
			wrong++
		}
		files[machines[i].Given.Name] = true
	}
	text := wording.Count(len(machines), "state machine") + " in " + wording.Count(len(files), "file")
	switch problems := list(errors, warnings, hints); {
	case problems == "":
		return text + ": valid"
	case wrong == 0:
		return text + ": valid, with " + problems
	default:
		return fmt.Sprintf("%s: %d not valid: %s", text, wrong, problems)
	}
}

// summary says how many problems a machine has: "valid", "2 errors, 1 warning".
func (m *Checked) summary() string {
	errors, warnings, hints := m.Count()
	switch text := list(errors, warnings, hints); {
	case text == "":
		return "valid"
	case errors == 0:
		return "valid, with " + text
	default:
		return text
	}
}

// list says how many problems there are: "2 errors, 1 warning"; it is empty where there are none.
func list(errors, warnings, hints int) string {
	var parts []string
	for _, p := range []struct {
		n    int
		noun string
	}{{errors, "error"}, {warnings, "warning"}, {hints, "hint"}} {
		if p.n > 0 {
			parts = append(parts, wording.Count(p.n, p.noun))
		}
	}
	return strings.Join(parts, ", ")
}

// JSON writes one document with every machine and every problem, with places and codes.
func JSON(w io.Writer, machines []Checked, o Options) error {
	codes := rules.Codes()
	valid := true
	list := make([]value.Value, 0, len(machines))
	for i := range machines {
		m := &machines[i]
		errors, warnings, hints := m.Count()
		valid = valid && errors == 0
		shown, left := o.shown(m)
		problems := make([]value.Value, 0, len(shown))
		for j := range shown {
			problems = append(problems, problemJSON(&shown[j], codes))
		}
		entry := []value.Member{value.M("file", value.String(m.Given.Name))}
		if m.Name != "" {
			entry = append(entry, value.M("machine", value.String(m.Name)))
		}
		list = append(list, value.NewObject(append(entry,
			value.M("valid", value.Bool(errors == 0)),
			value.M("errors", number(errors)), value.M("warnings", number(warnings)), value.M("hints", number(hints)),
			value.M("omitted", number(left)),
			value.M("problems", value.NewArray(problems)),
		)))
	}
	members := []value.Member{value.M("valid", value.Bool(valid)), value.M("files", value.NewArray(list))}
	if len(o.Skipped) > 0 {
		var skipped []value.Value
		for _, s := range o.Skipped {
			skipped = append(skipped, value.String(s))
		}
		members = append(members, value.M("notChecked", value.NewArray(skipped)))
	}
	return write(w, value.NewObject(members))
}

func problemJSON(d *source.Diagnostic, codes map[string]string) value.Value {
	members := []value.Member{
		value.M("severity", value.String(d.Severity.String())),
		value.M("rule", value.String(d.Rule)),
		value.M("code", value.String(codeOf(d, codes))),
		value.M("message", value.String(d.Message)),
		value.M("pointer", value.String(d.Pointer)),
	}
	members = append(members, sureness(d)...)
	if d.File != nil {
		members = append(members, value.M("file", value.String(d.File.Name)))
	}
	if d.Span.Start.Line > 0 {
		members = append(members, value.M("start", position(d.Span.Start)), value.M("end", position(d.Span.End)))
	}
	for _, m := range []struct{ key, text string }{{"expected", d.Expected}, {"found", d.Found}, {"suggestion", d.Suggestion}} {
		if m.text != "" {
			members = append(members, value.M(m.key, value.String(m.text)))
		}
	}
	if e, ok := d.Edit(); ok {
		members = append(members, value.M("fix", value.ObjectOf(
			value.M("certain", value.Bool(d.Fix.Certain)), value.M("start", position(e.Span.Start)), value.M("end", position(e.Span.End)),
			value.M("text", value.String(e.Text)),
		)))
	}
	if len(d.Reasons) > 0 {
		reasons := make([]value.Value, 0, len(d.Reasons))
		for _, r := range d.Reasons {
			reason := []value.Member{value.M("text", value.String(r.Text))}
			if r.Span.Start.Line > 0 {
				if r.File != nil && r.File != d.File {
					reason = append(reason, value.M("file", value.String(r.File.Name)))
				}
				reason = append(reason, value.M("start", position(r.Span.Start)), value.M("end", position(r.Span.End)))
			}
			reasons = append(reasons, value.NewObject(reason))
		}
		members = append(members, value.M("reasons", value.NewArray(reasons)))
	}
	return value.NewObject(members)
}

// sureness are the members that say whose words a problem has, the service's own words where they are others, and how it is known that
// the service refuses the definition, or does what the problem says.
func sureness(d *source.Diagnostic) []value.Member {
	words, service := value.String("asldb"), d.Service.Message
	if service != "" && strings.TrimSuffix(service, ".") == strings.TrimSuffix(d.Message, ".") {
		words, service = "aws", ""
	}
	members := []value.Member{value.M("wording", words)}
	if service != "" {
		members = append(members, value.M("serviceMessage", value.String(service)))
	}
	if r, known := rules.Find(d.Rule); known {
		members = append(members, value.M("sureness", value.String(r.Evidence())))
	}
	return members
}

// position is a place: line and column from 1, in characters, and the offset in bytes from 0.
func position(p source.Position) value.Value {
	return value.ObjectOf(value.M("line", number(p.Line)), value.M("column", number(p.Col)), value.M("offset", number(p.Offset)))
}

func number(n int) value.Value { return value.Int(int64(n)) }

func write(w io.Writer, v value.Value) error {
	_, err := w.Write(wording.JSON([]byte(value.Pretty(v) + "\n")))
	return err
}
