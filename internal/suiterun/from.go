package suiterun

import (
	"fmt"
	"path/filepath"
	"strings"

	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/fixtures/mocks"
	"asldb/internal/suite"
	"asldb/internal/wording"
)

// From writes a suite called name, which need not be there yet, with the cases of fixtures or of mocks of another
// program, each with the path, the status and the error that its run has. Fixtures are included; mocks become a part of
// the suite. A case whose run has no end is skipped, and one about states that the definition does not have is left
// out; both are among Unreached with the reason. The error is one about the suite that was made.
func From(name, definition string, m *Machine, read *mocks.Read) (*Suite, error) {
	cases := read.File.Cases()
	if len(cases) == 0 { // the file as a whole is one
		cases = []string{strings.TrimSuffix(filepath.Base(read.Source.Name), filepath.Ext(read.Source.Name))}
	}
	var b strings.Builder
	b.WriteString(headOf(name, definition, m, "Cases of "+wording.Line(filepath.Base(read.Source.Name))+
		", with the path and the status that each run had when this was written."))
	var bodies *source.Node
	if read.Tree == nil {
		fmt.Fprintf(&b, "include: [%s]\n", value.Quote(relativeName(name, read.Source.Name)))
	} else {
		bodies = read.Tree.Get("cases")
		b.WriteString(common(read.Tree))
	}
	result := &Suite{Cases: len(cases)}
	head := b.String()
	b.WriteString("cases:\n")
	for _, c := range cases {
		body := ""
		if bodies != nil {
			body = indented(bodies.Get(c))
		}
		text, reason, err := measured(name, head, c, body, m)
		if err != nil {
			return nil, err
		}
		if reason != "" {
			result.Unreached = append(result.Unreached, c+": "+reason)
		}
		if text == "" {
			result.Cases--
		}
		b.WriteString(text)
	}
	if result.Cases == 0 {
		return nil, fmt.Errorf("no case of %s is about this definition", wording.Line(read.Source.Name))
	}
	result.Text = []byte(b.String())
	return result, nil
}

// relativeName returns the name of a file as the suite names it.
func relativeName(name, file string) string {
	relative, err := filepath.Rel(filepath.Dir(name), file)
	if err != nil {
		relative = file
	}
	return filepath.ToSlash(relative)
}

// common is the common part of mocks, as fixtures.
func common(tree *source.Node) string {
	var members []source.NodeMember
	for _, m := range tree.Members {
		if m.Key != "version" && m.Key != "cases" {
			members = append(members, m)
		}
	}
	if len(members) == 0 {
		return ""
	}
	return string(fixtures.TreeYAML(source.NewObject(members, tree.Span)))
}

// indented is the body of a case of mocks, as fixtures.
func indented(body *source.Node) string {
	if body == nil || body.Kind != value.KindObject || len(body.Members) == 0 {
		return ""
	}
	var b strings.Builder
	for line := range strings.Lines(string(fixtures.TreeYAML(body))) {
		b.WriteString("    " + line)
	}
	return b.String()
}

// measured returns a case with the expectations that its run meets. reason says why it has no end, and is skipped.
func measured(name, head, c, body string, m *Machine) (text, reason string, err error) {
	text = fmt.Sprintf("  %s:\n%s", value.Quote(c), body)
	s, err := suite.Load(name, []byte(head+"cases:\n"+text+"    expect: {}\n"))
	if err != nil {
		return "", "", err
	}
	if err := CheckCase(s, m); err != nil { // of another state machine of a mock configuration, for example
		return "", "left out: " + wording.Line(err.Error()), nil
	}
	outcome, run := RunCase(s.Cases[0], m, CaseOptions{Brief: true})
	switch {
	case run != nil && run.Log().Ended():
		return text + "    expect:\n" + expectations(run.Log()), "", nil
	case outcome.Kind == suite.Wrong:
		reason = wording.Line(outcome.Reason)
	default:
		reason = "its run does not end"
	}
	return text + "    skip: " + value.Quote(reason) + "\n    expect: {}\n", reason, nil
}
