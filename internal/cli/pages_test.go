package cli

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb/internal/cli/command"
	"asldb/internal/definitions"
	"asldb/internal/testkit"
	"asldb/internal/wording"
)

// documents are the pages of the documentation.
func documents(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	tasks, err := filepath.Glob("../../docs/tasks/*.md")
	if err != nil {
		t.Fatal(err)
	}
	return append(append([]string{"../../README.md"}, pages...), tasks...)
}

// block is a fenced block of a page.
type block struct {
	page, kind string
	line       int
	text       string
}

// first is the key of the block in notRun.
func (b *block) first() string {
	line, _, _ := strings.Cut(b.text, "\n")
	return b.page + ": " + line
}

// blocksOf are the fenced blocks of a page.
func blocksOf(t *testing.T, page string) (list []block) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", page))
	if err != nil {
		t.Fatal(err)
	}
	var open *block
	indent := ""
	for i, line := range strings.Split(string(text), "\n") {
		trimmed := strings.TrimLeft(line, " ")
		kind, fence := strings.CutPrefix(trimmed, "```")
		switch {
		case fence && open == nil:
			open, indent = &block{page: page, kind: kind, line: i + 1}, line[:len(line)-len(trimmed)]
		case fence:
			list, open = append(list, *open), nil
		case open != nil:
			open.text += strings.TrimPrefix(line, indent) + "\n"
		}
	}
	if open != nil {
		t.Errorf("%s:%d: the block has no end", page, open.line)
	}
	return list
}

// enterExample makes the folder of the example the working directory.
func enterExample(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, definitions.Files()); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
}

// compareFile compares a file of the documentation with what it is to have; -update writes it.
func compareFile(t *testing.T, file string, want []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf(
			"%s is not what the program shows; go test ./internal/cli -run %s -update writes it anew: look at it then",
			filepath.Base(file),
			strings.Split(t.Name(), "/")[0],
		)
	}
}

// TestPicturesOfHostileNames: a picture and a recording of hostile names and data are XML and JSON, and have no control characters.
func TestPicturesOfHostileNames(t *testing.T) {
	for _, c := range hostileCases() {
		t.Chdir(t.TempDir())
		names := c.write(t)
		arguments := []string{
			"debug",
			names["machine.asl.json"],
			"--fixtures",
			names["fixtures.yaml"],
			"--no-state",
			"--keys",
			"c",
			"--svg",
			"x.svg",
			"--cast",
			"x.cast",
		}
		var out, problems bytes.Buffer
		if status := Main(arguments, strings.NewReader(""), &out, &problems); status != command.StatusOK {
			t.Fatalf("status %d\n%s", status, problems.String())
		}
		image, err := os.ReadFile("x.svg")
		if err != nil {
			t.Fatal(err)
		}
		for decoder := xml.NewDecoder(bytes.NewReader(image)); ; {
			if _, err := decoder.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%v:\n%s", err, image)
			}
		}
		for _, text := range testkit.Hostile {
			if (wording.Line(text) != text || strings.Contains(text, "<")) && text != "\t" && text != "\nFAKE" &&
				strings.Contains(string(image), text) {
				t.Errorf("the picture has %q", text)
			}
		}
		recording, err := os.ReadFile("x.cast")
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(recording)) {
			if !json.Valid([]byte(line)) {
				t.Errorf("no JSON: %s", line)
			}
		}
	}
}
