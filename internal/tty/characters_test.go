package tty

import "testing"

func TestUnicode(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		page uint32
		want bool
	}{
		{nil, 0, true},
		{map[string]string{"LANG": "C"}, 0, true}, // says nothing about the characters of the terminal
		{map[string]string{"LANG": "de_DE.UTF-8"}, 0, true},
		{map[string]string{"LANG": "de_DE.utf8@euro"}, 0, true},
		{map[string]string{"LANG": "de_DE.ISO-8859-15@euro"}, 0, false},
		{map[string]string{"LC_ALL": "ja_JP.eucJP", "LANG": "ja_JP.UTF-8"}, 0, false},
		{map[string]string{"LC_CTYPE": "C.UTF-8", "LANG": "ja_JP.eucJP"}, 0, true},
		{nil, 65001, true},
		{nil, 437, false},
		{map[string]string{"WT_SESSION": "1"}, 850, true},
		{map[string]string{"TERM_PROGRAM": "vscode"}, 1252, true},
		{map[string]string{"LANG": "en_US.ISO-8859-1", "WT_SESSION": "1"}, 65001, false},
	} {
		if got := unicodeBy(func(name string) string { return c.env[name] }, c.page); got != c.want {
			t.Errorf("%v with the code page %d: %v, want %v", c.env, c.page, got, c.want)
		}
	}
}
