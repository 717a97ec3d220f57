package lsp

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// sent returns the problems of a document as they are sent.
func sent(t *testing.T, s *server, d *document) string {
	t.Helper()
	lists := make(map[string]*publishParams)
	s.list(d, lists)
	content, err := json.Marshal(lists)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// After any edits, with completions between them, a server shows the same problems as one that opens the text anew.
func TestEdits(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/examples/*/[dt]e*.*")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	pieces := []string{
		"", "", "x", `"`, "}", "{", ",", "\n", "é", `"Comment": "c", `, `, "OutputPath": "$.none"`,
		`"Next": "Nowhere",`, "States", "$.a.b", "[1]",
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(uint64(len(text)), 36))
		name := "file:///nowhere/" + filepath.Base(file)
		s, d := serverWith(name, string(text))
		for n := range 60 {
			from := random.IntN(len(d.lines.data) + 1)
			to := min(len(d.lines.data), from+random.IntN(2))
			if before := d.lines.data; n%6 == 5 { // as it was
				edit(t, s, d, 0, len(before), string(text))
			} else {
				edit(t, s, d, from, to, pieces[random.IntN(len(pieces))])
			}
			if n%3 == 0 {
				in := positionParams{TextDocument: documentID{URI: d.uri}, Position: d.lines.position(from)}
				if _, err := s.complete(context.Background())(&in); err != nil {
					t.Fatal(err)
				}
			}
			fresh, same := serverWith(name, string(d.lines.data))
			if got, want := sent(t, s, d), sent(t, fresh, same); got != want {
				t.Fatalf("%s: after %d edits the problems are\n%s\nand of a new server\n%s\nof the text\n%s", file, n+1,
					got, want, d.lines.data)
			}
		}
	}
}
