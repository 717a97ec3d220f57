// Package report writes the problems of definitions: for people, as JSON, as SARIF for code hosts and editors, and in
// the shape of Step Functions' ValidateStateMachineDefinition.
package report

import (
	"fmt"
	"io"
	"strings"

	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/visible"
)

// File is one file with its problems, in the order of their places.
type File struct {
	Source   *source.File
	Problems []source.Diagnostic
	// Root is the definition's tree; nil where the text could not be read.
	Root *source.Node
}

// Count returns how many problems there are of each severity.
func (f *File) Count() (errors, warnings, hints int) {
	for i := range f.Problems {
		switch f.Problems[i].Severity {
		case source.Error:
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
	// Max is the greatest number of problems of one file, errors before all others; 0 is no bound. How many are left
	// out is reported.
	Max int
	// Own adds asldb's own warnings to the reply of the service.
	Own bool
	// Version is that of the program, for SARIF.
	Version string
}

// shown returns the problems to write, in the order of their places, and how many are left out: warnings and hints
// before errors.
func (o Options) shown(f *File) (shown []source.Diagnostic, left int) {
	if o.Max <= 0 || len(f.Problems) <= o.Max {
		return f.Problems, 0
	}
	errors, _, _ := f.Count()
	room, others := min(o.Max, errors), max(0, o.Max-errors)
	for _, d := range f.Problems {
		switch {
		case d.Severity == source.Error && room > 0:
			room--
		case d.Severity != source.Error && others > 0:
			others--
		default:
			continue
		}
		shown = append(shown, d)
	}
	return shown, len(f.Problems) - len(shown)
}

// Text writes every problem with its line of the text, and their number below them.
func Text(w io.Writer, files []File, o Options) error {
	for i := range files {
		f := &files[i]
		shown, left := o.shown(f)
		for _, d := range shown {
			if _, err := fmt.Fprintln(w, strings.TrimRight(d.Format(f.Source), "\n")); err != nil {
				return err
			}
		}
		if left > 0 {
			if _, err := fmt.Fprintf(w, "%s: and %d more (--max 0 shows all)\n", visible.Line(f.Source.Name), left); err != nil {
				return err
			}
		}
		if _, err := fmt.Fprintf(w, "%s: %s\n", visible.Line(f.Source.Name), f.summary()); err != nil {
			return err
		}
	}
	return nil
}

// summary says how many problems a file has: "valid", "2 errors, 1 warning".
func (f *File) summary() string {
	errors, warnings, hints := f.Count()
	var parts []string
	for _, p := range []struct {
		n    int
		noun string
	}{{errors, "error"}, {warnings, "warning"}, {hints, "hint"}} {
		switch {
		case p.n == 1:
			parts = append(parts, "1 "+p.noun)
		case p.n > 1:
			parts = append(parts, fmt.Sprintf("%d %ss", p.n, p.noun))
		}
	}
	text := strings.Join(parts, ", ")
	switch {
	case text == "":
		return "valid"
	case errors == 0:
		return "valid, with " + text
	}
	return text
}

// JSON writes one document with every file and every problem, with places and codes.
func JSON(w io.Writer, files []File, o Options) error {
	codes := rules.Codes()
	valid := true
	list := make([]value.Value, 0, len(files))
	for i := range files {
		f := &files[i]
		errors, warnings, hints := f.Count()
		valid = valid && errors == 0
		shown, left := o.shown(f)
		problems := make([]value.Value, 0, len(shown))
		for j := range shown {
			problems = append(problems, problemJSON(&shown[j], codes))
		}
		list = append(list, value.ObjectOf(
			member("file", value.String(f.Source.Name)),
			member("valid", value.Bool(errors == 0)),
			member("errors", number(errors)), member("warnings", number(warnings)), member("hints", number(hints)),
			member("omitted", number(left)),
			member("problems", value.NewArray(problems)),
		))
	}
	return write(w, value.ObjectOf(member("valid", value.Bool(valid)), member("files", value.NewArray(list))))
}

func problemJSON(d *source.Diagnostic, codes map[string]string) value.Value {
	members := []value.Member{
		member("severity", value.String(d.Severity.String())),
		member("rule", value.String(d.Rule)),
		member("code", value.String(codes[d.Rule])),
		member("message", value.String(d.Message)),
		member("pointer", value.String(d.Pointer)),
	}
	if d.Span.Start.Line > 0 {
		members = append(members, member("start", position(d.Span.Start)), member("end", position(d.Span.End)))
	}
	for _, m := range []struct{ key, text string }{{"expected", d.Expected}, {"found", d.Found}, {"suggestion", d.Suggestion}} {
		if m.text != "" {
			members = append(members, member(m.key, value.String(m.text)))
		}
	}
	if len(d.Reasons) > 0 {
		reasons := make([]value.Value, 0, len(d.Reasons))
		for _, r := range d.Reasons {
			reason := []value.Member{member("text", value.String(r.Text))}
			if r.Span.Start.Line > 0 {
				reason = append(reason, member("start", position(r.Span.Start)), member("end", position(r.Span.End)))
			}
			reasons = append(reasons, value.NewObject(reason))
		}
		members = append(members, member("reasons", value.NewArray(reasons)))
	}
	return value.NewObject(members)
}

// position is a place: line and column from 1, in characters, and the offset in bytes from 0.
func position(p source.Position) value.Value {
	return value.ObjectOf(member("line", number(p.Line)), member("column", number(p.Col)), member("offset", number(p.Offset)))
}

func member(key string, v value.Value) value.Member { return value.Member{Key: key, Value: v} }

func number(n int) value.Value { return value.Int(int64(n)) }

func write(w io.Writer, v value.Value) error {
	_, err := w.Write(visible.JSON([]byte(value.Pretty(v) + "\n")))
	return err
}
