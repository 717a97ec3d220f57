package lsp

import (
	"strings"
	"testing"

	"asldb/internal/testkit/runs"
)

// TestPlantedMistakes: the problems of a definition that is being written have the sentences of the other faces, of the
// mistakes that the definition alone shows.
func TestPlantedMistakes(t *testing.T) {
	for _, p := range runs.Plants {
		e := begin(t, nil)
		e.open("a.asl.json", p.Definition)
		said, known := p.Static()
		if text := shown(e.problems("a.asl.json")); said != "" && known != strings.Contains(text, ": "+said) {
			t.Errorf("%s: %q is told: want %v\n%s", p.Name, said, known, text)
		}
	}
}
