package report

import "testing"

func TestFileURI(t *testing.T) {
	for path, want := range map[string]string{
		"/home/a b/x.json":      "file:///home/a%20b/x.json",
		"C:/work/x.json":        "file:///C:/work/x.json",
		"//server/share/x.json": "file://server/share/x.json",
	} {
		if got := fileURI(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// TestForms: a word has one form.
func TestForms(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range forms {
		for _, name := range append([]string{f.Name}, f.Aliases...) {
			if seen[name] || f.About == "" {
				t.Errorf("%q is there twice, or is not described", name)
			}
			seen[name] = true
		}
	}
}
