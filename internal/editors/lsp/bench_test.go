package lsp

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
)

// longDefinition returns a definition of n states, each of about 200 bytes.
func longDefinition(n int) string {
	var b strings.Builder
	b.WriteString("{\"StartAt\": \"S0\", \"States\": {\n")
	for i := range n {
		fmt.Fprintf(
			&b,
			"\"S%d\": {\"Type\": \"Pass\", \"Comment\": \"%s\", \"Parameters\": {\"a.$\": \"$.a\", \"b\": [1, 2, 3]}, \"ResultPath\": \"$.r%d\", \"Next\": \"S%d\"},\n",
			i,
			strings.Repeat("x", 80),
			i%5,
			i+1,
		)
	}
	fmt.Fprintf(&b, "\"S%d\": {\"Type\": \"Succeed\"}\n}}", n)
	return b.String()
}

// serverWith returns a server that sends nothing by itself, with one document open.
func serverWith(uri, text string) (*server, *document) {
	s := &server{
		ctx:       context.Background(),
		documents: make(map[string]*document),
		hints:     true,
		options:   Options{Delay: time.Hour},
	}
	d := &document{uri: uri, name: uri, lines: linesOf([]byte(text))}
	s.documents[d.uri] = d
	return s, d
}

// edit changes a stretch of a document.
func edit(tb testing.TB, s *server, d *document, from, to int, text string) {
	tb.Helper()
	at := d.lines.span(from, to)
	changes := changeParams{TextDocument: documentID{URI: d.uri}, ContentChanges: []change{{Range: &at, Text: text}}}
	if _, err := s.change(&changes); err != nil {
		tb.Fatal(err)
	}
}

// BenchmarkChange is a keystroke in the middle of a definition of 1,000 and of 10,000 states with the problems after
// it, and with a completion after it.
func BenchmarkChange(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		text := longDefinition(n)
		at := len(text)/2 + strings.Index(text[len(text)/2:], "xxx")
		b.Run(fmt.Sprintf("problems/%d", n), func(b *testing.B) {
			s, d := serverWith("untitled:a.asl.json", text)
			for i := range b.N {
				edit(b, s, d, at, at+i%2, []string{"y", ""}[i%2]) // one character more, and then one less
				if list := s.problems(d); len(list) > n/10000 {   // a definition over 1 MiB is told
					b.Fatal(list[0].Message)
				}
			}
		})
		b.Run(fmt.Sprintf("completion/%d", n), func(b *testing.B) {
			s, d := serverWith("untitled:a.asl.json", text)
			s.problems(d)
			in := positionParams{TextDocument: documentID{URI: d.uri}}
			for range b.N {
				edit(b, s, d, at, at+1, "y")
				path := at + strings.Index(text[at:], `"$.a"`)
				in.Position = d.lines.position(path + len(`"$.`))
				list, err := s.complete(context.Background())(&in)
				if err != nil || len(list.(completionList).Items) == 0 {
					b.Fatal(list, err)
				}
			}
		})
	}
}
