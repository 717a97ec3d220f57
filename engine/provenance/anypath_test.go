package provenance_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Any text at all is a path that is followed, that is missing, or an error.
func TestAnyTextAsAPath(t *testing.T) {
	s := demoRun(t)
	l := lensOf(s)
	pieces := []string{"$", "$$", "$states", "$x", ".order", ".lines", "[0]", "[1]", "[-1]", "[*]", "..", ".", "[", "]", "['sku']", "['", `"`, "\\", "[9999999999999999999]",
		".input", ".result", ".context", ".Execution", ".Input", ".Map.Item.Value", "?(@.a)", " ", "\x00", "é", ".payment", "()", ",", ":"}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 6).Draw(t, "pieces"), "")
		if rapid.IntRange(0, 5).Draw(t, "any") == 0 {
			text += rapid.String().Draw(t, "text")
		}
		i := rapid.IntRange(-1, s.Log().Len()).Draw(t, "event")
		way, loss, err := l.Find(i, text)
		if (way != nil) == (loss != nil) && err == nil || err != nil && way != nil {
			t.Fatalf("%q at event %d: %v, %v, %v", text, i, way, loss, err)
		}
		forward, err := l.Forward(i, text)
		if (forward == nil) == (err == nil) || (way == nil) != (forward == nil) {
			t.Fatalf("%q at event %d: %v, %v", text, i, forward, err)
		}
	})
}
