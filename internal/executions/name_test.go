package executions

import "testing"

// TestFileNames: the names of files are possible on every system, and stay as they are where that is so.
func TestFileNames(t *testing.T) {
	for name, want := range map[string]string{
		"order-17": "order-17", "a.b": "a.b", ".hidden": "_hidden", "a:b/c": "a_b_c", "straße": "stra_e",
		"end.": "end_",
		"CON":  "_CON", "nul": "_nul", "Com1.x": "_Com1.x", "lpt9": "_lpt9", "console": "console", "com10": "com10",
		"a.con": "a.con",
	} {
		if got := fileName(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
