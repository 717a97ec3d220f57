package recorder

import (
	"testing"

	"asldb/engine/value"
)

// A line that is only taken apart says the same as one that is decoded whole, however it is written.
func TestLinesAreTakenApart(t *testing.T) {
	keys := []string{"a", "seq", "text", "deep", "é", "q\"", "none"}
	for _, line := range []string{
		`{}`, `{"a":1}`, `{"seq":12,"text":"x, } ] \" {","deep":{"a":[1,{"b":"}"}]},"a":null}`,
		`{ "a" : 1 , "text" : "t" }`,
		`{"é":1,"q\"":2,"text":"ü \u00fc"}`, `{"seq":0,"a":-7}`, `{"seq":01}`, `{"seq":1.50,"text":""}`,
		`{"seq":123456789012345678}`,
		`{"text":"tab	"}`, `{"a":}`, `{"a":1,}`, `{"a":1`, `{"a":[1}`, `{"a":1}}`, `[1]`, ``, `{"a":tru}`,
		`{"a":"x}`, `{"a":1 2}`, "{\"text\":\"\xff\"}",
	} {
		whole, wrong := parseLine([]byte(line))
		f, err := new(decoder).fields([]byte(line))
		if wrong == nil && err != nil {
			t.Errorf("%q: %v", line, err)
			continue
		}
		if err != nil {
			continue
		}
		for _, key := range keys {
			got := f.get(key)
			if wrong != nil {
				continue
			}
			want := whole.Get(key)
			if (got == nil) != (want == nil) || got != nil && value.Compact(got) != value.Compact(want) {
				t.Errorf("%q: %s is %v, want %v", line, key, got, want)
			}
			if f.has(key) != (want != nil) {
				t.Errorf("%q: has %s: %v", line, key, f.has(key))
			}
		}
		if wrong != nil && f.fault == "" {
			t.Errorf("%q is wrong (%v), and nobody says so", line, wrong)
		}
		if f.fault != "" {
			continue
		}
		if want, is := whole.Get("text").(value.String); is && f.text("text") != string(want) {
			t.Errorf("%q: the text is %q", line, f.text("text"))
		}
		if number, is := whole.Get("seq").(value.Number); is {
			if want, integer := number.Int64(); integer && f.integer("seq") != want {
				t.Errorf("%q: seq is %d", line, f.integer("seq"))
			}
		}
	}
}
