package lsp

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The page of the features has each that the server announces, methods that it answers, and tests that there are.
func TestTableOfFeatures(t *testing.T) {
	page, err := os.ReadFile("../../../docs/language-server.md")
	if err != nil {
		t.Fatal(err)
	}
	tests := make(map[string]bool)
	names, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllSubmatch(content, -1) {
			tests[string(found[1])] = true
		}
	}
	e := begin(t, nil)
	described := make(map[string]bool)
	rows := 0
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 5 || !strings.Contains(cells[1], "`") {
			continue
		}
		rows++
		method, test := strings.Trim(cells[1], " `"), strings.Trim(cells[4], " `")
		if !tests[test] {
			t.Errorf("%s: there is no test %q", strings.TrimSpace(cells[0]), test)
		}
		if rest, is := strings.CutPrefix(method, "textDocument/"); is {
			kind, _, _ := strings.Cut(rest, "/")
			described[kind] = true
			if kind == "publishDiagnostics" {
				continue
			}
			if m := e.ask(method, map[string]any{}); m.Error != nil && m.Error.Code == -32601 {
				t.Errorf("%s is not answered", method)
			}
		}
	}
	if rows < 25 {
		t.Errorf("%d rows", rows)
	}
	for name := range capabilities() {
		kind, is := strings.CutSuffix(name, "Provider")
		known := described[kind] || kind == "workspaceSymbol" || kind == "documentFormatting"
		if is && !known && !described[strings.TrimSuffix(kind, "s")] {
			t.Errorf("%s has no row", name)
		}
	}
}
