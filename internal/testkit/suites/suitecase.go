// Package suites helps tests that run cases of suites about the built-in example.
package suites

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/value"
	"asldb/internal/definitions"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
)

// Head is the beginning of a suite about the example, in three lines.
const Head = `version: 1
definition: order.asl.json
include: [order.fixtures.yaml]
`

// Load writes the example and a suite about it, and reads them.
func Load(t *testing.T, text string) (*suite.Suite, *suiterun.Machine) {
	t.Helper()
	dir := t.TempDir()
	for file, content := range map[string]string{
		definitions.DefinitionName: string(definitions.DemoDefinition), definitions.FixturesName: string(definitions.Fixtures), "order.test.yaml": text,
	} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := suite.Load(filepath.Join(dir, "order.test.yaml"), []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	m, err := suiterun.OpenCase(*s.Definition(), suiterun.Settings{Limits: engine.ServiceLimits()})
	if err != nil {
		t.Fatal(err)
	}
	return s, m
}

// Outcome writes the outcome of a case in lines.
func Outcome(c *suite.Outcome) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", c.Name, c.Kind)
	if c.Reason != "" {
		fmt.Fprintf(&b, ": %s", c.Reason)
	}
	b.WriteString("\n")
	for _, f := range c.Findings {
		fmt.Fprintf(&b, "  %d: %s (%s)\n", f.At.Line, f.Expectation, f.Place)
		for _, d := range f.Differences {
			fmt.Fprintf(&b, "    %s - %s + %s", d.Path, shown(d.Wanted), shown(d.Found))
			if d.Reason != "" {
				fmt.Fprintf(&b, " (%s)", d.Reason)
			}
			if d.From != "" {
				fmt.Fprintf(&b, " %s", d.From)
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

func shown(v value.Value) string {
	if v == nil {
		return "nothing"
	}
	return value.Preview(v, 60)
}

// Same compares texts line by line.
func Same(t *testing.T, got, want string) {
	t.Helper()
	a, b := strings.Split(strings.TrimSpace(got), "\n"), strings.Split(strings.TrimSpace(want), "\n")
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(a):
			t.Errorf("line %d is missing: %s", i+1, b[i])
		case i >= len(b):
			t.Errorf("line %d is too many: %s", i+1, a[i])
		case a[i] != b[i]:
			t.Errorf("line %d is\n%s\nand should be\n%s", i+1, a[i], b[i])
		}
	}
}
