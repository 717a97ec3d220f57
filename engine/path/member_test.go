package path_test

import (
	"testing"

	"asldb/engine/path"
	"asldb/engine/value"
)

// TestMember: the segment leads to the member, whatever its name.
func TestMember(t *testing.T) {
	for name, want := range map[string]string{
		"total": ".total", "a_1": ".a_1", "1a": "['1a']", "a b": "['a b']", "it's": `['it\'s']`, `a\b`: `['a\\b']`,
		"": "['']", "é": "['é']",
	} {
		got := path.Member(name)
		if got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
		if name == "" {
			continue
		}
		p, err := path.ParseReference("$" + got)
		if err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		data := value.NewObject([]value.Member{{Key: name, Value: value.Bool(true)}})
		if v := p.Find(&path.Roots{Data: data}); v != value.Bool(true) {
			t.Errorf("%q: $%s leads to %v", name, got, v)
		}
	}
}
