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
