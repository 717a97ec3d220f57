package lint

import (
	"strings"
	"testing"

	"asldb/engine/rules"
	"asldb/engine/source"
)

// find returns every problem of a text.
func find(text string, o Options) (*source.File, []source.Diagnostic) {
	src := &source.File{Name: "t.json", Data: []byte(text)}
	if !strings.HasPrefix(strings.TrimSpace(text), "{") {
		src.Name = "t.yaml"
	}
	root, problem := source.Read(src, nil)
	if problem != nil {
		return src, []source.Diagnostic{*problem}
	}
	return src, All(src, root, o)
}

func formatAll(src *source.File, problems []source.Diagnostic) string {
	var out strings.Builder
	for _, d := range problems {
		out.WriteString(d.Format() + "\n")
	}
	return out.String()
}

// TestExamples holds every rule of the catalogue to its own examples: the wrong one has the problem, in the severity
// that is reported, and the corrected one has no problem at all.
func TestExamples(t *testing.T) {
	// These need more than a definition.
	apart := map[string]bool{
		source.RuleTooLarge: true, rules.NotFollowed: true, rules.UnresolvedSubstitution: true, rules.UnresolvedReference: true, rules.DefinitionNotFound: true,
		rules.MissingSubstitution: true, rules.UnknownReference: true, rules.ShortTimeout: true, // of templates
		rules.NestedInput: true,
	}
	for r := range rules.All() {
		if r.Summary == "" || r.Explanation == "" || r.Section == "" {
			t.Errorf("%s: not explained", r.Name)
		}
		if apart[r.Name] || r.Name == rules.UnusedIgnore || r.Name == rules.InvalidIgnore { // internal/project has the test of ignores
			continue
		}
		options := Options{Hints: r.Severity == source.Hint, Express: r.Express}
		src, problems := find(r.Wrong, options)
		found := false
		for _, d := range problems {
			found = found || d.Rule == r.Name
		}
		if !found {
			t.Errorf("%s: the wrong example does not have it:\n%s\n%s", r.Name, r.Wrong, formatAll(src, problems))
		}
		_, problems = find(r.Right, options)
		for _, d := range problems {
			if d.Rule == r.Name || d.Severity != source.Hint {
				t.Errorf("%s: the right example:\n%s\n%s", r.Name, r.Right, d.Format())
			}
		}
	}
}
