package value_test

import (
	"strings"
	"testing"

	"asldb/engine/value"
)

func parsed(text string) value.Value {
	if text == "" {
		return nil
	}
	return value.Must(text)
}

func TestList(t *testing.T) {
	form := value.Form{Limit: 100}
	for _, test := range []struct{ wanted, found, want string }{
		{`{"a":1,"b":[1,{"c":2}]}`, `{"b":[1.0,{"c":2}],"a":1}`, ""},
		{`{"a":1,"b":[1,{"c":2}]}`, `{"a":2,"b":[1,{"c":3}]}`, "$.a: wanted 1, found 2; $.b[1].c: wanted 2, found 3"},
		{`{"a b":1}`, `{"it's":2}`, `$['a b']: wanted 1, found nothing; $['it\'s']: wanted nothing, found 2`},
		{`[1]`, `[1,2]`, "$: wanted [1], found [1,2], has 2 items instead of 1 item"},
		{`{"a":[]}`, `{"a":{}}`, "$.a: wanted [], found {}"},
		{`null`, ``, "$: wanted null, found nothing"},
		{``, `1`, "$: wanted nothing, found 1"},
		{``, ``, ""},
	} {
		var got []string
		for _, d := range value.List(parsed(test.wanted), parsed(test.found)) {
			got = append(got, form.Sentence(&d))
		}
		if strings.Join(got, "; ") != test.want {
			t.Errorf("%s to %s: %q, want %q", test.wanted, test.found, strings.Join(got, "; "), test.want)
		}
	}
	d := value.Difference{Path: "$.a", Wanted: value.Must(`1`), Reason: "is missing", From: "from A"}
	if got, want := strings.Join(form.Lines(&d), "\n"), "$.a  - 1\n     + nothing  is missing  from A"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	whole := value.Difference{Found: value.Must(`1`)}
	if got, want := strings.Join(form.Lines(&whole), "\n")+"\n"+form.Sentence(&whole),
		"- nothing\n+ 1\nwanted nothing, found 1"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
