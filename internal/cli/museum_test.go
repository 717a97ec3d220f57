package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"asldb/internal/files"
	"asldb/internal/testkit"
)

// TestMuseum runs the commands over the files of all formats as earlier versions have written them: each archive of the
// museum has files and the command lines that read them, and the traces lie beside.
func TestMuseum(t *testing.T) {
	museum := filepath.Join("..", "..", "testdata", "museum")
	archives, err := filepath.Glob(filepath.Join(museum, "*.txtar"))
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, name := range archives {
		t.Run(filepath.Base(name), func(t *testing.T) { visitMuseum(t, museum, name) })
	}
}

// visitMuseum runs the command lines of an archive, and checks that no file is changed but the session.
func visitMuseum(t *testing.T, museum, name string) {
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	work := filepath.Join(dir, "work")
	// A session is found by the path of its definition.
	digest := files.Digest([]byte(filepath.Join(work, "pay.asl.json")))[:12]
	kept := make(map[string]string)
	for _, file := range archive.Files {
		kept[strings.ReplaceAll(file.Name, "$DIGEST", digest)] = strings.ReplaceAll(string(file.Data), "$DIR", work)
	}
	traces, err := filepath.Glob(filepath.Join(museum, "*.trace"))
	if err != nil || len(traces) == 0 {
		t.Fatalf("no traces: %v", err)
	}
	for _, trace := range traces {
		data, err := os.ReadFile(trace)
		if err != nil {
			t.Fatal(err)
		}
		kept["work/"+filepath.Base(trace)] = string(data)
	}
	for name, text := range kept {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		testkit.Write(t, name, text)
	}
	t.Chdir(work)
	t.Setenv("ASLDB_STATE", filepath.Join(dir, "state"))
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "config"))
	for line := range strings.Lines(string(archive.Comment)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		call, want, found := strings.Cut(line, " => ")
		args := strings.Fields(call)
		if !found || len(args) < 2 {
			t.Fatalf("%q is not a status, a command line, => and a text", line)
		}
		var out, errs bytes.Buffer
		status := Main(args[1:], strings.NewReader("c\nq\n"), &out, &errs)
		if got := strconv.Itoa(status); got != args[0] || !strings.Contains(out.String()+errs.String(), want) {
			t.Errorf("%s: status %d, without %q:\n%s%s", call, status, want, out.String(), errs.String())
		}
	}
	for name, text := range kept {
		if strings.HasPrefix(name, "state/") {
			continue // sessions are saved at their end
		}
		if data, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(data) != text {
			t.Errorf("%s was changed, %v", name, err)
		}
	}
}
