package wording_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"asldb/internal/wording"
)

func TestText(t *testing.T) {
	for _, test := range []struct{ in, line, json string }{
		{"plain é 日本 \u00a0~", "plain é 日本 \u00a0~", "plain é 日本 \u00a0~"},
		{"e\u0301", "e\u0301", "e\u0301"},
		{"a\x1b[31mb\x00\x7f", "a<U+001B>[31mb<U+0000><U+007F>", ""},
		{"a\u009b31m\u0085", "a<U+009B>31m<U+0085>", `a\u009b31m\u0085`},
		{"a\r\n\tb", `a\r\n\tb`, ""},
		{"a\u202eb\u2066c\u200eд\u061c", "a<U+202E>b<U+2066>c<U+200E>д<U+061C>", `a\u202eb\u2066c\u200eд\u061c`},
		{"a\u200bb\u200c\ufeff\u2060\u00ad", "a<U+200B>b<U+200C><U+FEFF><U+2060><U+00AD>",
			`a\u200bb\u200c\ufeff\u2060\u00ad`},
		{"a\u2028b\u2029", "a<U+2028>b<U+2029>", `a\u2028b\u2029`},
		{"\ue000\U000f0000\ufffe\U0001ffff", "<U+E000><U+F0000><U+FFFE><U+1FFFF>",
			`\ue000\udb80\udc00\ufffe\ud83f\udfff`},
		{"\u115f\u3164\u034f", "<U+115F><U+3164><U+034F>", `\u115f\u3164\u034f`},
		{"a\xffb", "a\uFFFDb", ""},
		{"\u0600\u06dd", "\u0600\u06dd", "\u0600\u06dd"}, // Arabic signs that are format characters, and seen

		{"a\u200db", "a<U+200D>b", `a\u200db`},
		{"a\ufe0f", "a<U+FE0F>", `a\ufe0f`},
		{"1\ufe0f", "1<U+FE0F>", `1\ufe0f`},
		{"👩\u200d", "👩<U+200D>", `👩\u200d`},
		{"👩\u200da", "👩<U+200D>a", `👩\u200da`},
		{"\u200d👩", "<U+200D>👩", `\u200d👩`},
		{"👩\u200d👧", "👩\u200d👧", `👩\u200d👧`},
		{"❤\ufe0f", "❤\ufe0f", `❤\ufe0f`},
		{"❤\ufe0f\ufe0f", "❤\ufe0f<U+FE0F>", `❤\ufe0f\ufe0f`},
		{"❤\ufe0e", "❤<U+FE0E>", `❤\ufe0e`},
		{"❤\ufe0f\u200d🔥", "❤\ufe0f\u200d🔥", `❤\ufe0f\u200d🔥`},
		{"🧑🏻\u200d❤\ufe0f\u200d💋\u200d🧑🏼", "🧑🏻\u200d❤\ufe0f\u200d💋\u200d🧑🏼", `🧑🏻\u200d❤\ufe0f\u200d💋\u200d🧑🏼`},
		{"👍🏽", "👍🏽", "👍🏽"},
		{"x🏽", "x🏽", "x🏽"},
		{"1\ufe0f\u20e3", "1\ufe0f\u20e3", `1\ufe0f` + "\u20e3"},
		{"x\U000e0041", "x<U+E0041>", `x\udb40\udc41`},
		{"🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
			"🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", ""},
		{"🏴\U000e0068\U000e0069\U000e007f", "🏴<U+E0068><U+E0069><U+E007F>", ""}, // a text in tags
		{"👩" + strings.Repeat("\u200d👩", 5), "👩" + strings.Repeat("\u200d👩", 4) + "<U+200D>👩", ""},
	} {
		if got := wording.Line(test.in); got != test.line {
			t.Errorf("%+q: as a line %+q, want %+q", test.in, got, test.line)
		}
		if test.json == "" {
			continue
		}
		if got := string(wording.JSON([]byte(`"` + test.in + `"`))); got != `"`+test.json+`"` {
			t.Errorf("%+q: in JSON %s, want %s", test.in, got, test.json)
		}
	}
	for _, same := range [][2]string{{"👩\u200d👧", "👩👧"}, {"❤\ufe0f", "❤"}} {
		if a, b := wording.Bare(same[0]), wording.Bare(same[1]); a != b {
			t.Errorf("bare, %+q is %+q and %+q is %+q", same[0], a, same[1], b)
		}
	}
	if got := wording.Text("a\nb\tc\r\x1b"); got != "a\nb\tc\\r<U+001B>" {
		t.Errorf("as text %q", got)
	}
}

// TestHiddenIsByItsClass compares with Unicode's own classes, which Hidden does not look up for most characters.
func TestHiddenIsByItsClass(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if r >= 0xd800 && r < 0xe000 {
			continue
		}
		want := unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp, unicode.Variation_Selector,
			unicode.Other_Default_Ignorable_Code_Point, unicode.Noncharacter_Code_Point) &&
			!unicode.Is(unicode.Prepended_Concatenation_Mark, r)
		if got := wording.Hidden(r); got != want {
			t.Errorf("%U: hidden is %v, want %v", r, got, want)
		}
	}
}

func TestJSONOfAScreenKeepsEmoji(t *testing.T) {
	for in, want := range map[string]string{
		`"a\n"`: `"a\n"`, "\"👩\u200d👧\"": "\"👩\u200d👧\"", "\"a\u200db\"": `"a\u200db"`,
		"\"é\u202e1\ufe0f\u20e3\"": "\"é\\u202e1\ufe0f\u20e3\"",
	} {
		if got := wording.JSONLine(in); got != want {
			t.Errorf("%+q gives %+q, want %+q", in, got, want)
		}
	}
}

// anyText draws texts in which hidden characters and parts of emoji meet.
func anyText() *rapid.Generator[string] {
	parts := rapid.SampledFrom([]string{
		"a", "1", "é", "日", "👩", "❤", "🔥", "🏽", "🏴", "\u200d", "\ufe0f", "\u20e3", "\u202e", "\u009b", "\x1b", "\n",
		"\ufeff", "\U000e0067", "\xff", "<", "\\",
	})
	return rapid.OneOf(rapid.String(), rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(parts, 0, 12).Draw(t, "parts"), "")
	}))
}

// TestNothingHiddenLeaves: outside of an emoji no hidden character is in a line; a line is its own line; the units of
// Next are the line.
func TestNothingHiddenLeaves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := anyText().Draw(t, "text")
		line := wording.Line(in)
		if again := wording.Line(line); again != line {
			t.Fatalf("%+q gives %+q, and that %+q", in, line, again)
		}
		var units strings.Builder
		for rest := in; rest != ""; {
			shown, size := wording.Next(rest)
			units.WriteString(shown)
			if rest = rest[size:]; wording.IsEmoji(shown) {
				continue
			}
			for _, r := range shown {
				if wording.Hidden(r) {
					t.Fatalf("%+q gives the hidden %U", in, r)
				}
			}
		}
		if units.String() != line {
			t.Fatalf("%+q gives %+q, and by its units %+q", in, line, units.String())
		}
	})
}

// TestJSONKeepsValues: the result of JSON has nothing hidden and reads as the same value, however it is cut for a
// Writer.
func TestJSONKeepsValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := anyText().Draw(t, "text")
		var text bytes.Buffer
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(map[string]string{in: in}); err != nil {
			t.Fatal(err)
		}
		escaped := wording.JSON(text.Bytes())
		for _, r := range string(escaped) {
			if r != '\n' && wording.Hidden(r) {
				t.Fatalf("%+q gives the hidden %U in %s", in, r, escaped)
			}
		}
		var before, after, onScreen map[string]string
		if err := json.Unmarshal(text.Bytes(), &before); err != nil {
			t.Fatal(err)
		}
		for to, form := range map[*map[string]string][]byte{&after: escaped,
			&onScreen: []byte(wording.JSONLine(text.String()))} {
			if err := json.Unmarshal(form, to); err != nil {
				t.Fatalf("%s: %v", form, err)
			}
			for key, member := range before {
				if got, ok := (*to)[key]; !ok || got != member {
					t.Fatalf("%s reads as %+q, want %+q", form, *to, before)
				}
			}
		}
		var written bytes.Buffer
		w := wording.NewWriter(&written)
		for rest := text.Bytes(); len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "cut")
			if wrote, err := w.Write(rest[:n]); wrote != n || err != nil {
				t.Fatal(wrote, err)
			}
			rest = rest[n:]
		}
		if written.String() != string(escaped) {
			t.Fatalf("in parts it is %s, want %s", written.String(), escaped)
		}
	})
}

// A long line continues below itself, further to the right; words stay whole, and so does what fits.
func TestHanging(t *testing.T) {
	for _, c := range []struct {
		line        string
		width, hang int
		want        string
	}{
		{"a short line", 0, 2, "a short line"}, {"a short line", 12, 2, "a short line"}, {"", 5, 2, ""},
		{"        ", 5, 2, "        "},
		{"one two three four", 9, 2, "one two\n  three\n  four"},
		{"  one two three four", 9, 2, "  one two\n    three\n    four"},
		{"a /a/very/long/name/of/a/file b", 10, 2, "a\n  /a/very/long/name/of/a/file\n  b"},
		{"$.a  - 1  and  2", 10, 4, "$.a  - 1\n    and  2"},
		{"界界 界界 界界", 10, 1, "界界 界界\n 界界"},
		{"                one two three", 20, 8, "                one\n          two three"},
	} {
		if got := wording.Hanging(c.line, c.width, c.hang); got != c.want {
			t.Errorf("%q in %d: %q, want %q", c.line, c.width, got, c.want)
		}
	}
}
