package checks

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"
)

// Texts are escaped for Markdown, and put into fences, by package visible alone. A picture is XML.
func TestMarkdownIsEscapedInOnePackage(t *testing.T) {
	eachSource(t, func(set *token.FileSet, name string, file *ast.File) {
		if strings.HasPrefix(name, "internal/wording/") || strings.HasPrefix(name, "internal/testkit/") ||
			name == "tui/svg.go" {
			return
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
				for _, markup := range []string{"&lt;", "```", "\"\\\\`\""} {
					if strings.Contains(text.Value, markup) {
						t.Errorf("%s has %s: internal/wording escapes Markdown", set.Position(text.Pos()), text.Value)
					}
				}
			}
			return true
		})
	})
}
