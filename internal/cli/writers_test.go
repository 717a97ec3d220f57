package cli_test

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"asldb/internal/cli"
	"asldb/internal/definitions"
	"asldb/internal/testkit"
)

// output is the name of the file that is written: that of a suite, as --save wants it.
const output = "new.test.yaml"

// writers are the command lines that write a file: it is called OUT. The exit status tells something else, too, where
// it is not 0.
var writers = []struct {
	line   string
	status int
	// old is the text of OUT before, where there must be one or may be one.
	old string
}{
	{"debug order.asl.json -f order.fixtures.yaml --no-state --keys i --svg OUT", 0, "old"},
	{"debug order.asl.json -f order.fixtures.yaml --no-state --keys i --cast OUT", 0, "old"},
	{"run order.asl.json -f order.fixtures.yaml --coverage-out OUT", 0, ""},
	{"test order.test.yaml --no-state --coverage-out OUT", 0, "old"},
	{"test order.test.yaml --no-state --report junit=OUT", 0, "old"},
	{"test order.test.yaml --no-state --report markdown=OUT --report json", 0, ""},
	{"test order.test.yaml --mutate --mutants 2 --report markdown=OUT", 0, "old"},
	{"fixtures record order.asl.json -f order.fixtures.yaml -o OUT", 0, ""},
	{"fixtures record order.asl.json -f order.fixtures.yaml -o OUT --force", 0, "old"},
	{"explore order.asl.json -f order.fixtures.yaml --save OUT", 0, ""},
	{"history import history.json -o OUT", 0, ""},
	{"trace repair cut.trace -o OUT", 0, ""},
	{"trace repair cut.trace --in-place", 0, ""},
	{"validate bad.asl.json --write-baseline --baseline OUT", 0, ""},
}

// written returns the files that the writers read, and their own output as it is before.
func written(t *testing.T, old string) map[string]string {
	t.Helper()
	texts := map[string]string{"bad.asl.json": `{"StartAt":"A","States":{"A":{"Type":"Pass","End":true},"B":{"Type":"Pass","End":true}}}`}
	err := fs.WalkDir(definitions.Files(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(definitions.Files(), name)
		texts[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	dir := testkit.New(t, texts)
	for _, line := range []string{
		"run order.asl.json -f order.fixtures.yaml --format history",
		"run order.asl.json -f order.fixtures.yaml --trace OUT",
	} {
		history, _ := execute(t, dir, line, "run.trace", 0)
		texts["history.json"] = cmp.Or(texts["history.json"], history)
	}
	trace := testkit.Texts(t, dir)["run.trace"]
	texts["cut.trace"] = trace[:len(trace)-5]
	if old != "" {
		texts[output] = old
	}
	return texts
}

// execute runs a command line with the files of a folder.
func execute(t *testing.T, dir, line, out string, want int) (printed string, failed error) {
	t.Helper()
	words := strings.Fields(line)
	for i, word := range words {
		form, name, ok := strings.Cut(word, "=")
		if !ok {
			form, name = "", word
		} else {
			form += "="
		}
		if name == "OUT" {
			words[i] = form + filepath.Join(dir, out)
		} else if strings.Contains(name, ".") {
			words[i] = form + filepath.Join(dir, name)
		}
	}
	var stdout, stderr bytes.Buffer
	status := cli.Main(words, strings.NewReader(""), &stdout, &stderr)
	switch {
	case strings.Contains(stderr.String(), testkit.ErrFull.Error()) && status == 2:
		return "", fmt.Errorf("%w: %s", testkit.ErrFull, stderr.String())
	case status != want:
		t.Errorf("%s: status %d, %s", line, status, stderr.String())
	}
	return stdout.String(), nil
}

// Every command that writes a file leaves the old one or the new one, whichever of its calls fails, and its status says
// so.
func TestWritersOnAFullDisk(t *testing.T) {
	for _, w := range writers {
		t.Run(w.line, func(t *testing.T) {
			testkit.EachFailure(t, written(t, w.old), func(dir string) error {
				_, err := execute(t, dir, w.line, output, w.status)
				return err
			})
		})
	}
}
