package lsp

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// longDefinition returns a definition of n states, each of about 200 bytes.
func longDefinition(n int) string {
	var b strings.Builder
	b.WriteString("{\"StartAt\": \"S0\", \"States\": {\n")
	for i := range n {
		fmt.Fprintf(&b, "\"S%d\": {\"Type\": \"Pass\", \"Comment\": \"%s\", \"Parameters\": {\"a.$\": \"$.a\", \"b\": [1, 2, 3]}, \"ResultPath\": \"$.r%d\", \"Next\": \"S%d\"},\n", i, strings.Repeat("x", 80), i%5, i+1)
	}
	fmt.Fprintf(&b, "\"S%d\": {\"Type\": \"Succeed\"}\n}}", n)
	return b.String()
}

// BenchmarkChange is a keystroke in a definition of 1,000 states with the problems after it, and a completion before.
func BenchmarkChange(b *testing.B) {
	text := longDefinition(1000)
	s := &server{ctx: context.Background(), documents: make(map[string]*document), hints: true}
	d := &document{uri: "untitled:a.asl.json", name: "untitled:a.asl.json", lines: linesOf([]byte(text))}
	s.documents[d.uri] = d
	b.Run("problems", func(b *testing.B) {
		for range b.N {
			s.generation++
			if list := s.problems(d); len(list) > 0 {
				b.Fatal(list[0].Message)
			}
		}
	})
	b.Run("completion", func(b *testing.B) {
		at := positionParams{TextDocument: documentID{URI: d.uri}}
		at.Position = d.lines.position(strings.Index(text, `"$.a"`) + len(`"$.`))
		for range b.N {
			s.generation++
			list, err := s.complete(context.Background())(&at)
			if err != nil || len(list.(completionList).Items) == 0 {
				b.Fatal(list, err)
			}
		}
	})
}
