package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"asldb/engine/source"
	"asldb/engine/waiter"
	"asldb/fixtures"
	"asldb/internal/cli/command"
)

// snippetKind says how a block that isn't a command is tried.
type snippetKind int

const (
	// triedElsewhere is a block that another test tries, or that only a program of others could.
	triedElsewhere snippetKind = iota
	fixturesFile
	suiteFile
	suitePart // keys that are added to the suite of the example
	yamlText
	jsonText
	suppressedModel // whose problems the model suppresses, two of them
)

// snippet is a kind of block, with the reason where it is tried elsewhere.
type snippet struct {
	kind   snippetKind
	reason string
}

// snippets are the blocks of a page, by the page and a part of their text.
var snippets = []struct {
	page, part string
	snippet
}{
	{"docs/fixtures.md", "", snippet{kind: fixturesFile}},
	{"docs/waiters.md", "suppress", snippet{kind: suppressedModel}},
	{"docs/stats.md", "perGBHour", snippet{kind: yamlText}},
	{"docs/testing.md", "invariants:", snippet{kind: suitePart}},
	{"docs/testing.md", "yaml-language-server", snippet{kind: yamlText}},
	{"docs/testing.md", "cases:", snippet{kind: suiteFile}},
	{"docs/tasks/test.md", "cases:", snippet{kind: suiteFile}},
	{"docs/rules.md", "rules: ", snippet{reason: "internal/project reads it"}},
	{"docs/rules.md", "asldb:ignore", snippet{reason: "a part of a definition; internal/project tries such comments"}},
	{"docs/ci.md", "", snippet{kind: yamlText}}, // its steps run in ci.txtar
	{"docs/editors.md", "vim.", snippet{reason: "scripts/editors/neovim runs it in Neovim"}},
	{"docs/editors.md", "(", snippet{reason: "needs Emacs"}},
	{"docs/editors.md", "[[language]]", snippet{reason: "needs Helix"}},
	{"docs/editors.md", `"type": "asldb"`, snippet{kind: jsonText}},
	{"docs/testing.md", "ignore:", snippet{kind: suitePart}},
	{"docs/serve.md", "DockerContainer", snippet{reason: "needs testcontainers and Docker: it was not run"}},
	{"docs/serve.md", "import json, time, boto3", snippet{reason: "needs boto3: it was not run"}},
	{"docs/mcp.md", `"mcpServers"`, snippet{kind: jsonText}},
	{"docs/tasks/editor.md", "require('dap')", snippet{reason: "needs Neovim; scripts/editors/neovim runs the settings of docs/editors.md"}},
}

// snippetOf returns the kind of a block.
func snippetOf(b *block) (s snippet, ok bool) {
	for _, row := range snippets {
		if row.page == b.page && strings.Contains(b.text, row.part) {
			return row.snippet, true
		}
	}
	return snippet{}, false
}

// TestSnippetsOfTheDocs tries every block of README.md and docs that is neither a command nor a plain text.
func TestSnippetsOfTheDocs(t *testing.T) {
	var all []block
	for _, file := range documents(t) {
		page, err := filepath.Rel("../..", file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, blocksOf(t, filepath.ToSlash(page))...)
	}
	enterExample(t)
	printed(t, "fixtures", "from-history", "failed.json", "-o", "failed.fixtures.yaml") // as docs/tasks/test.md does
	tried := 0
	for _, b := range all {
		switch b.kind {
		case "", "sh", "console", "text":
			continue
		}
		s, ok := snippetOf(&b)
		if !ok {
			t.Errorf("%s:%d: no test tries the block, and snippets has no reason for it", b.page, b.line)
			continue
		}
		if s.kind == triedElsewhere && s.reason == "" {
			t.Errorf("%s:%d: the reason is missing", b.page, b.line)
		}
		if err := s.try(t, &b); err != nil {
			t.Errorf("%s:%d: %v", b.page, b.line, err)
		}
		tried++
	}
	if tried < 25 {
		t.Errorf("%d blocks, want more", tried)
	}
}

// namedFile is a file that a fixtures file names.
var namedFile = regexp.MustCompile(`[\w./-]+\.(?:yaml|json)`)

// try reads or runs a block.
func (s *snippet) try(t *testing.T, b *block) error {
	switch s.kind {
	case fixturesFile:
		text := b.text
		if !strings.Contains(text, "version:") {
			text = "version: 1\n" + text
		}
		dir := t.TempDir()
		for _, name := range namedFile.FindAllString(text, -1) {
			if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), []byte("version: 1\n"), 0o600); err != nil {
				return err
			}
		}
		_, err := fixtures.Load(filepath.Join(dir, "page.yaml"), []byte(text))
		return err
	case suiteFile:
		return runSuite(t, b.text, command.StatusOK)
	case suitePart:
		suite, err := os.ReadFile("order.test.yaml")
		if err != nil {
			return err
		}
		return runSuite(t, string(suite)+b.text, command.StatusOK)
	case jsonText:
		var value any
		return json.Unmarshal([]byte(b.text), &value)
	case suppressedModel:
		m, problems := waiter.Read(&source.File{Name: "page.smithy", Data: []byte(b.text)})
		if len(problems) > 0 || m.Suppressed != 2 {
			return fmt.Errorf("%v, %d suppressed", problems, m.Suppressed)
		}
		return nil
	case yamlText:
		var value any
		return yaml.Unmarshal([]byte(b.text), &value)
	case triedElsewhere:
	}
	return nil
}

// runSuite runs a suite in the folder of the example.
func runSuite(t *testing.T, text string, want int) error {
	t.Helper()
	if err := os.WriteFile("page.test.yaml", []byte(text), 0o600); err != nil {
		return err
	}
	var out, errors strings.Builder
	if status := Main([]string{"test", "page.test.yaml", "--no-state"}, strings.NewReader(""), &out, &errors); status != want {
		t.Errorf("status %d, want %d:\n%s%s\n%s", status, want, text, out.String(), errors.String())
	}
	return nil
}
