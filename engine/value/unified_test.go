package value

import (
	"math/rand"
	"strings"
	"testing"
)

// The lines that a diff leaves out before it compares make no difference to it.
func TestUnifiedOfLongTexts(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewSource(1))
	for range 3000 {
		var a []string
		for range random.Intn(300) {
			a = append(a, strings.Repeat("x", random.Intn(3))+"\n")
		}
		b := append([]string{}, a...)
		for range 1 + random.Intn(3) {
			if at := random.Intn(len(b) + 1); random.Intn(2) == 0 || at == len(b) {
				b = append(b[:at], append([]string{"x\n"}, b[at:]...)...)
			} else {
				b = append(b[:at], b[at+1:]...)
			}
		}
		before, after := strings.Join(a, ""), strings.Join(b, "")
		if random.Intn(3) == 0 {
			before = strings.TrimSuffix(before, "\n")
		}
		got := Unified("a", before, "b", after)
		want := unified("a", "b", rowsOf(TextLines(before, after)), 0)
		if string(got) != string(want) {
			t.Fatalf("%q\n%q\ngot %s\nwant %s", before, after, got, want)
		}
	}
}
