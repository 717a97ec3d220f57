package graph

import (
	"strings"
	"testing"

	"asldb/internal/testkit"
)

// TestFontsHaveTheLines: the characters of lines are in every font, too.
func TestFontsHaveTheLines(t *testing.T) {
	for _, p := range []*pens{asciiLines, unicodeLines} {
		signs := []string{p.separator, p.block, p.here, p.seen, p.unseen}
		for _, list := range [][]string{p.light[:], p.double[:], p.doubleJoin[:], p.dottedLine[:], p.heavyDotted[:], p.arrows[:]} {
			signs = append(signs, list...)
		}
		for _, sign := range p.mixed {
			signs = append(signs, sign)
		}
		for _, r := range strings.Join(signs, "") {
			if fonts, ok := testkit.FontsOf(r); !ok || !fonts.JetBrains || !fonts.Cascadia || !fonts.DejaVu {
				t.Errorf("%q (%U) is not in every font", r, r)
			}
		}
	}
}
