package explore

import (
	"bytes"
	"path/filepath"
	"strings"
)

// Suite returns a suite with the cases of the findings, for a file of a name, and the number of its cases; nil where there is none. fixtures
// is the name of the fixtures file that the bases with [Given.Written] are of; empty: there is none.
//
// Each case says what should hold. One of a bug fails until the bug is mended, and so does one of an invariant that does not hold or of a run
// without end. The others expect the run as it was: they pass.
func (r *Result) Suite(name, definition, resource, fixtures string) ([]byte, int) {
	var cases bytes.Buffer
	count := 0
	for _, f := range r.Findings {
		if f.Case == nil {
			continue
		}
		count++
		cases.WriteString("  # " + f.Class.String() + ": " + f.Text + "\n")
		cases.WriteString(f.Case.Text)
	}
	if count == 0 {
		return nil, 0
	}
	relative := func(file string) string {
		if short, err := filepath.Rel(filepath.Dir(name), file); err == nil {
			file = short
		}
		return quoted(filepath.ToSlash(file))
	}
	var b bytes.Buffer
	b.WriteString("# Findings of asldb explore. A case of a bug fails until the bug is mended; the others say what the definition does now.\nversion: 1\n")
	b.WriteString("definition: " + relative(definition) + "\n")
	if resource != "" {
		b.WriteString("resource: " + quoted(resource) + "\n")
	}
	base := r.Bases[0].setting
	switch {
	case base.file != nil && base.written && fixtures != "":
		b.WriteString("include: [" + relative(fixtures) + "]\n")
		if base.file.StartTime == nil {
			b.WriteString("startTime: " + quoted(base.options.Start.Format("2006-01-02T15:04:05Z07:00")) + "\n")
		}
	case base.file == nil:
		b.WriteString("startTime: " + quoted(base.options.Start.Format("2006-01-02T15:04:05Z07:00")) + "\n")
		for line := range strings.Lines(string(base.drafted)) {
			if !strings.HasPrefix(line, "version:") && !strings.HasPrefix(line, "#") {
				b.WriteString(line)
			}
		}
	}
	b.WriteString("\ncases:\n")
	b.Write(cases.Bytes())
	return b.Bytes(), count
}
