package value

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawText draws a text that is JSON, or nearly so.
func drawText(t *rapid.T, depth int) string {
	blank := func() string {
		return rapid.SampledFrom([]string{"", "", "", " ", "\n\t", "\r "}).Draw(t, "blank")
	}
	text := func() string {
		return `"` + rapid.SampledFrom([]string{
			"", "a", "b", "key", "日本", `\"`, `\\`, `\n\t\/\b\f\r`, `\u00e4`, `\ud83d\ude00`, `\ud800`, `\x`, "\x01",
			`a\`, "\u007f", strings.Repeat("long ", 9),
		}).Draw(t, "text") + `"`
	}
	kind := rapid.IntRange(0, 9).Draw(t, "kind")
	if depth == 0 {
		kind %= 5
	}
	switch kind {
	case 0, 1:
		return blank() + rapid.SampledFrom([]string{
			"0", "-0", "1", "12", "255", "256", "999", "1000", "01", "-1", "1.0", "1.", ".5", "1e5", "1E+5", "1e",
			"--1", "12345678901234567890", "1e400", "0x1", "",
		}).Draw(t, "number") + blank()
	case 2:
		return blank() + rapid.SampledFrom([]string{"null", "true", "false", "nul", "True", "nulll", "NaN"}).Draw(t,
			"word")
	case 3, 4:
		return blank() + text() + blank()
	case 5, 6:
		var items []string
		for range rapid.IntRange(0, 6).Draw(t, "items") {
			items = append(items, drawText(t, depth-1))
		}
		return "[" + strings.Join(items, rapid.SampledFrom([]string{",", ",", ",", ",,", " "}).Draw(t, "comma")) +
			rapid.SampledFrom([]string{"]", "]", "]", ",]", "", "}"}).Draw(t, "end")
	}
	var members []string
	for range rapid.IntRange(0, 6).Draw(t, "members") {
		members = append(members, blank()+text()+blank()+
			rapid.SampledFrom([]string{":", ":", ":", ":", "", ","}).Draw(t, "colon")+drawText(t, depth-1))
	}
	return "{" + blank() + strings.Join(members, ",") + blank() +
		rapid.SampledFrom([]string{"}", "}", "}", ",}", "", "]"}).Draw(t, "end")
}

// What is decoded by hand is what the tokenizer makes of it, to the capacity for parts; all else gives the tokenizer's
// error.
func TestQuickIsTheTokenizer(t *testing.T) {
	decoded := 0
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t, 3)
		if rapid.Bool().Draw(t, "long") {
			text = "[" + text + ",\"" + strings.Repeat("x", internFrom) + "\"]"
		}
		q := quick{data: []byte(text), depth: 3}
		got, ok := q.decode()
		want, err := parseTokens([]byte(text), Limits{Depth: 3}.withDefaults(), nil)
		if ok {
			decoded++
		}
		if ok && (err != nil || Compact(got) != Compact(want) || KindOf(got) != KindOf(want)) {
			t.Fatalf("%q: %v, want %v, %v", text, got, want, err)
		}
		if !ok && err == nil && !strings.Contains(text, `\u`) {
			t.Fatalf("%q is not decoded by hand", text)
		}
	})
	if decoded == 0 {
		t.Error("nothing was decoded by hand")
	}
}

func BenchmarkQuick(b *testing.B) {
	small := []byte(`{"c":{"n":1234},"status":"captured"}`)
	large := []byte("[" + strings.Repeat(`{"id":"ch_3PqL","amount":129.90,"status":"captured","tags":["a","b"],"n":17},`, 5000) + "null]")
	for name, data := range map[string][]byte{"small": small, "large": large} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(data, Limits{}); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"-tokens", func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := parseTokens(data, Limits{}.withDefaults(), nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
