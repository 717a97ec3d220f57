package value_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"asldb/engine/value"
)

func TestChanged(t *testing.T) {
	long := strings.Repeat("a long text ", 1000)
	for _, test := range []struct {
		other, text string
		want        []string
	}{
		{`"old text"`, `"new text"`, []string{"new"}},
		{`1`, `1.0`, []string{".0"}},
		{`"x"`, `"x"`, nil},
		{`"für"`, `"fúr"`, []string{"ú"}},
		{"one 1 and the other 1.", "one 2 and the other 2.", []string{"2", "2"}},
		{long + "x" + long, long + "y" + long, []string{"y"}},
		{long, "q" + strings.Repeat("z", 700) + long, []string{"q" + strings.Repeat("z", 700)}},
		{"a\xffb", "a\xfeb", []string{"\xfe"}},
	} {
		got := value.Each(value.Changed(test.other, test.text), func(span value.Span) string {
			return test.text[span.From:span.To]
		})
		if !slices.Equal(got, test.want) {
			t.Errorf("%.20s to %.20s: %q, want %q", test.other, test.text, got, test.want)
		}
	}
}

// TestPair: the first difference is on the screen, however far behind it is in the values.
func TestPair(t *testing.T) {
	same := strings.Repeat("0123456789", 100)
	body := func(total string) string { return `"{\"id\":7,\"total\":` + total + `}"` }
	for _, test := range []struct{ a, b, was, is string }{
		{`1`, ``, "1", "nothing"},
		{`"short"`, `"other"`, `"short"`, `"other"`},
		{`"` + same + `x tail"`, `"` + same + `y tail"`, `"…567890123456789x tail"`, `"…567890123456789y tail"`},
		{`"` + same + `"`, `"` + same + `more"`, `"…567890123456789"`, `"…567890123456789more"`},
		{`["` + same + `",1]`, `["` + same + `",2]`, `…90123456789",1]`, `…90123456789",2]`},
		{body("1"), body("2"), "JSON with $.total = 1", "JSON with $.total = 2"},
		{body(`1,\"x\":1`), body(`2`), "JSON with $.total = 1", "JSON with $.total = 2, 1 more"},
		{`"{\"a\":1}"`, `"{}"`, "JSON with $.a = 1", "JSON without $.a"},
		{`"[1, 2]"`, `"[1,2]"`, `"[1, 2]"`, `"[1,2]"`},
		{`"{broken"`, `"{broke"`, `"{broken"`, `"{broke"`},
	} {
		was, is := value.Pair(parsed(test.a), parsed(test.b), 60)
		if strings.HasPrefix(test.was, "…") { // how much is before a change is the function's own choice
			if !strings.HasPrefix(was, "…") || !strings.HasSuffix(was, `",1]`) || !strings.HasSuffix(is, `",2]`) ||
				len(was) > 60 {
				t.Errorf("%q and %q", was, is)
			}
			continue
		}
		if strings.HasPrefix(test.was, `"…`) {
			if !strings.HasPrefix(was, `"…`) || was[len(was)-4:] != test.was[len(test.was)-4:] ||
				is[len(is)-4:] != test.is[len(test.is)-4:] || len(was) > 60 {
				t.Errorf("%q and %q", was, is)
			}
			continue
		}
		if was != test.was || is != test.is {
			t.Errorf("%.30s to %.30s: %q and %q, want %q and %q", test.a, test.b, was, is, test.was, test.is)
		}
	}
}

// TestPairsDiffer: whatever differs is seen, in a bound that a line of 80 cells has.
func TestPairsDiffer(t *testing.T) {
	text := rapid.StringOfN(rapid.RuneFrom([]rune("ab é\"\\\n🙂{[1,")), 0, 300, -1)
	rapid.Check(t, func(t *rapid.T) {
		head, tail := text.Draw(t, "head"), text.Draw(t, "tail")
		a, b := value.String(head+text.Draw(t, "a")+tail), value.String(head+text.Draw(t, "b")+tail)
		limit := rapid.IntRange(20, 400).Draw(t, "limit")
		was, is := value.Pair(a, b, limit)
		if (a == b) != (was == is) {
			t.Fatalf("%q and %q are shown as %q and %q", a, b, was, is)
		}
		if max(utf8.RuneCountInString(was), utf8.RuneCountInString(is)) > limit+10 {
			t.Fatalf("%q and %q are longer than %d", was, is, limit)
		}
		left, right := value.Window(string(a), string(b), limit)
		if (a == b) != (left == right) {
			t.Fatalf("%q and %q are shown as %q and %q", a, b, left, right)
		}
	})
}

func TestFormOfTexts(t *testing.T) {
	form := value.Form{Limit: 60}
	for _, test := range []struct{ path, wanted, found, want string }{
		{"$.body", `"{\"a\":1,\"b\":[{\"c\":2}]}"`, `"{\"a\":1,\"b\":[{\"c\":3}]}"`,
			"$.body (JSON).b[0].c  - 2\n                      + 3  set by A"},
		{"", `"[1]"`, `"[2]"`, "(JSON)[0]  - 1\n           + 2  set by A"},
		{"$.m", `"one\ntwo\nthree\n"`, `"one\n2\nthree\nfour\n"`,
			"$.m, line 2  - \"two\\n\"\n             + \"2\\n\"\n$.m, line 4  - nothing\n             + \"four\\n\"  set by A"},
		{"$.m", `"one\ntwo\n"`, `"one\n"`, "$.m, line 2  - \"two\\n\"\n             + nothing  set by A"},
		{"$.m", `"one two"`, `"one 2"`, "$.m  - \"one two\"\n     + \"one 2\"  set by A"},
	} {
		d := value.Difference{Path: test.path, Wanted: parsed(test.wanted), Found: parsed(test.found), From: "set by A"}
		if got := strings.Join(form.Lines(&d), "\n"); got != test.want {
			t.Errorf("got\n%s\nwant\n%s", got, test.want)
		}
	}
	many := value.Difference{Path: "$", Wanted: value.String(strings.Repeat("a\n", 20)),
		Found: value.String(strings.Repeat("b\n", 20)), Reason: "why"}
	if lines := form.Lines(&many); len(lines) != 17 || lines[16] != "$  12 more  why" {
		t.Errorf("%d lines, the last %q", len(lines), lines[len(lines)-1])
	}
}

func TestLines(t *testing.T) {
	for _, test := range []struct{ before, after, want string }{
		{"a\nb\nc\n", "a\nB\nc\n", " a|-b|+B| c|"},
		{"a", "a\n", "-a+a|"},
		{"", "a\n", "+a|"},
		{"", "", ""},
		{"x\ny\n", "x\ny\n", " x| y|"},
	} {
		got := ""
		for _, h := range value.TextLines(test.before, test.after) {
			sign := "-"
			if h.Same {
				sign, h.After = " ", nil
			}
			for _, line := range h.Before {
				got += sign + strings.ReplaceAll(line, "\n", "|")
			}
			for _, line := range h.After {
				got += "+" + strings.ReplaceAll(line, "\n", "|")
			}
		}
		if got != test.want {
			t.Errorf("%q to %q: %q, want %q", test.before, test.after, got, test.want)
		}
	}
	if hunks := value.TextLines(strings.Repeat("a\n", 1e6), strings.Repeat("b\n", 1e6)); len(hunks) != 1 ||
		hunks[0].Same {
		t.Errorf("%d hunks of texts that are too long", len(hunks))
	}
}

// TestUnifiedIsApplied: git makes the new text of the old one and the difference.
func TestUnifiedIsApplied(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("there is no git")
	}
	if value.Unified("a", "x\n", "b", "x\n") != nil {
		t.Error("texts that are the same differ")
	}
	text := func(n, change int, last string) string {
		var b strings.Builder
		for i := range n {
			line := "line " + string(rune('a'+i%26))
			if change > 0 && i%change == change/2 {
				line += " changed"
			}
			b.WriteString(line + "\n")
		}
		return b.String() + last
	}
	for _, test := range []struct{ before, after string }{
		{text(30, 0, ""), text(30, 7, "")}, {text(30, 0, ""), text(30, 8, "")},
		{text(30, 9, "end"), text(33, 20, "end")}, {text(5, 0, "end"), text(5, 0, "end\n")},
		{text(3, 0, ""), text(40, 1, "x")}, {text(40, 1, "x"), "x\n"}, {"a\r\nb\r\n", "a\r\nc\r\n"},
	} {
		folder := t.TempDir()
		name := filepath.Join(folder, "f.txt")
		if err := os.WriteFile(name, []byte(test.before), 0o600); err != nil {
			t.Fatal(err)
		}
		patch := value.Unified("a/f.txt", test.before, "b/f.txt", test.after)
		cmd := exec.Command(git, "apply", "--whitespace=nowarn", "-")
		cmd.Dir, cmd.Stdin = folder, strings.NewReader(string(patch))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s\n%s", err, out, patch)
		}
		if got, _ := os.ReadFile(name); string(got) != test.after {
			t.Errorf("got\n%s\nwant\n%s\nby\n%s", got, test.after, patch)
		}
	}
}
