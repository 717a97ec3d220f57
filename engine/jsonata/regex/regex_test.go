package regex

import (
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"
)

// groupsOf writes the first match and its groups as JSON, "null" for none, "error" for a pattern that is none.
func groupsOf(t *testing.T, pattern, text string) string {
	t.Helper()
	re, err := JavaScript(pattern)
	if err != nil {
		return "error"
	}
	loc, err := re.In(text, nil).Find(0)
	if err != nil {
		t.Fatal(pattern, err)
	}
	if loc == nil {
		return "null"
	}
	groups := make([]any, 0, len(loc)/2)
	for i := 0; i < len(loc); i += 2 {
		if loc[i] < 0 {
			groups = append(groups, nil)
			continue
		}
		groups = append(groups, text[loc[i]:loc[i+1]])
	}
	out, err := json.Marshal(groups)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// The first match and its groups are as in JavaScript's RegExp.exec (ECMA-262, section 22.2).
func TestJavaScript(t *testing.T) {
	for _, c := range [][3]string{
		{`(z)((a+)?(b+)?(c))*`, `zaacbbbcac`, `["zaacbbbcac","z","ac","a",null,"c"]`},
		{`^(.*?)*(.*)$`, `darted`, `["darted","d",""]`},
		{`(a*)*`, `b`, `["",null]`},
		{`(a*)*`, `aab`, `["aa","aa"]`},
		{`(?:(a)|b)*`, `ab`, `["ab",null]`},
		{`(?:(a)|b)+?c`, `abc`, `["abc",null]`},
		{`(a{0,1}){0,3}b`, `aab`, `["aab","a"]`},
		{`(?:a|(b)){2}`, `ba`, `["ba",null]`},
		{`(a?)+`, `b`, `["",""]`},
		{`(?=(a+))a*b\1`, `baaabac`, `["aba","a"]`},
		{`(?!foo)...`, `foobar`, `["oob"]`},
		{`(?<=\$)\d+`, `a$42`, `["42"]`},
		{`(?<!\$)\b\d+`, `$42 17`, `["17"]`},
		{`(\w)\1`, `hello`, `["ll","l"]`},
		{`(.*?)a(?!(a+)b\2c)\2(.*)`, `baaabaac`, `["baaabaac","ba",null,"abaac"]`},
		{`\1(a)`, `aa`, `["a","a"]`},
		{`(a\1)`, `aa`, `["a","a"]`},
		{`\k<n>(?<n>a)`, `xaa`, `["a","a"]`},
		{`(?<n>a)\k<n>`, `xaab`, `["aa","a"]`},
		{`(?<=(\d+)(\d+))$`, `1053`, `["","1","053"]`},
		{`(?<=(a?)*)b`, `aab`, `["b","a"]`},
		{`(?<=(?:(\w)|-)+)!`, `a-b-!`, `["!","a"]`},
		{`^((.)?a\2)+$`, `babadad`, `["babadad","dad","d"]`},
		{`(?=\u{2})u`, `uu`, `["u"]`},
		{`[^]`, "\n", `["\n"]`},
		{`[]`, `a`, `null`},
		{`.`, " ", `null`},
		{`(?=.)[^\d]`, `4x`, `["x"]`},
		{`(?=.)\s`, " ", "[\" \"]"},
		{`\bé`, `é`, `null`},
		{`(?=.)\b(é)`, `é`, `null`},
		{`(?=.)[\s\w]+`, " é a_1 ", `[" "]`},
		{`a{,2}`, `a{,2}`, `["a{,2}"]`},
		{`x{2`, `x{2`, `["x{2"]`},
		{`(?<a>.)(.)`, `xy`, `["xy","x","y"]`},
		{`\01\x41\u0042\cA\0`, "\u0001AB\u0001\u0000", `["\u0001AB\u0001\u0000"]`},
		{`[\b\n-\r\-\]]+`, "\b\n-]", `["\b\n-]"]`},
		{`(?=[[])[[]a`, `[a`, `["[a"]`},
		{`\8`, `8`, `["8"]`},
		{`\12`, "\n", `["\n"]`},
		{`(?=a){2}a`, `a`, `["a"]`},
		{`a$`, "a\n", `null`},
		{`(?=a)a$`, "a\n", `null`},
		{`(a|ab)(c|bcd)(d*)`, `abcd`, `["abcd","a","bcd",""]`},
		{`a**`, `a`, `error`},
		{`(`, `a`, `error`},
		{`a)`, `a`, `error`},
		{`(?<a`, `a`, `error`},
		{`[a`, `a`, `error`},
		{`{1}`, `a`, `error`},
		{`(?<=a)*`, `a`, `error`},
		{`(?<a>x)(?<a>y)`, `xy`, `error`},
		{`\`, `a`, `error`},
		{`a{2,1}`, `a`, `error`},
	} {
		var want any
		if json.Unmarshal([]byte(c[2]), &want) != nil {
			want = c[2]
		}
		got := groupsOf(t, c[0], c[1])
		var have any
		if json.Unmarshal([]byte(got), &have) != nil {
			have = got
		}
		a, _ := json.Marshal(have)
		b, _ := json.Marshal(want)
		if string(a) != string(b) {
			t.Errorf("%s on %q: got %s, want %s", c[0], c[1], a, b)
		}
	}
}

// RE2 matches the patterns that it supports; the pattern decides.
func TestWhichMatcher(t *testing.T) {
	for pattern, backtracks := range map[string]bool{
		`^[a-z]+\d*$`: false, `(\d+,?)+`: false, `(?:(\w+)\s*)+`: false, `(a|b)*`: false, `(?:a?)*`: false,
		`(a)?b`:   false,
		`a{1001}`: true, `(?=a)`: true, `(?<!a)b`: true, `(a)\1`: true, `(a*)*`: true, `(?:(a)|b)*`: true,
		`(?:a*?)*`: true,
		`(?:|a)+`:  true, `(a(b)?)+`: true, `(a?)?`: true,
	} {
		re, err := JavaScript(pattern)
		if err != nil || re.Backtracks() != backtracks {
			t.Errorf("%s: %v, %v", pattern, re, err)
		}
	}
}

// A later search sees the text before the place where it begins.
func TestFindFrom(t *testing.T) {
	for _, c := range []struct {
		pattern string
		at      int
		want    int
	}{
		{`^a`, 1, -1}, {`\ba`, 3, 3}, {`a`, 1, 3}, {`(?<=é)a`, 1, 3}, {`(?<=é)a`, 4, -1}, {`(?<= )a`, 3, 6},
		{`\Ba`, 0, -1},
		{`(?m)^b`, 0, 8}, {`(?m)^b`, 7, 8}, {`(?m)(?=b)^b`, 3, 8}, {`(?m)a(?=.)$`, 0, -1}, {`(?m)(?=a)a$`, 4, 6},
	} {
		re, err := JavaScript(c.pattern)
		if err != nil {
			t.Fatal(c.pattern, err)
		}
		loc, err := re.In("aéa  a\nb", nil).Find(c.at)
		got := -1
		if loc != nil {
			got = loc[0]
		}
		// "aéa  a\nb": a at 0, 3 and 6; b at 8
		if err != nil || got != c.want {
			t.Errorf("%s from %d: got %v, %v, want %d", c.pattern, c.at, loc, err, c.want)
		}
	}
}

func TestJava(t *testing.T) {
	for _, c := range []struct {
		pattern, flags, text string
		want                 bool
	}{
		{`a.c`, "", "abc", true}, {`a.c`, "", "abcd", false}, {`A.C`, "i", "abc", true}, {`a.c`, "s", "a\nc", true},
		{`(?!foo).*`, "", "food", false}, {`(?!foo).*`, "", "bar", true}, {`.*(?<=\d)x`, "", "1x", true},
		{`(\w)\1`, "", "aa", true}, {`(\w)\1`, "", "ab", false}, {`(?>a+)b`, "", "aab", true},
		{`(\w)\1`, "i", "aA", true},
	} {
		re, err := Java(c.pattern, c.flags)
		if err != nil {
			t.Fatal(c.pattern, err)
		}
		if got, err := re.Matches(c.text, nil); got != c.want || err != nil {
			t.Errorf("%s on %s: %v, %v", c.pattern, c.text, got, err)
		}
	}
	if _, err := Java("(", ""); err == nil || !strings.Contains(err.Error(), "missing closing )") {
		t.Error(err)
	}
}

// A search without an end is given up, and can be interrupted before.
func TestBound(t *testing.T) {
	re, err := JavaScript(`^(?:(a+)+)+\1b$`)
	if err != nil {
		t.Fatal(err)
	}
	for i := range re.tries {
		compiled, err := re.tries[i]()
		if err != nil {
			t.Fatal(err)
		}
		compiled.MatchTimeout = time.Millisecond
	}
	text := strings.Repeat("a", 60)
	if _, err := re.Matches(text, nil); !errors.Is(err, ErrBound) {
		t.Errorf("got %v", err)
	}
	asked := 0
	stop := errors.New("stop")
	_, err = re.In(text, func() error {
		if asked++; asked == 2 {
			return stop
		}
		return nil
	}).Find(0)
	if err != stop {
		t.Errorf("got %v", err)
	}
}

// Repetitions inside of repetitions are written twice for each; there is an end to that.
func TestLongPatterns(t *testing.T) {
	pattern := `(\1a)?`
	for range 40 {
		pattern = "(?:" + pattern + ")+"
	}
	if _, err := JavaScript(pattern); err == nil {
		t.Error("no error")
	}
	if _, err := JavaScript(strings.Repeat("(", 1000) + strings.Repeat(")", 1000)); err == nil {
		t.Error("no error")
	}
}

func TestConcurrentUse(t *testing.T) {
	re, err := JavaScript(`(\w)\1`)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 4 {
		group.Add(1)
		go func() {
			defer group.Done()
			for range 50 {
				if ok, err := re.Matches("hello", nil); !ok || err != nil {
					t.Error(ok, err)
				}
			}
		}()
	}
	group.Wait()
}

// Whatever the pattern, there is an error or a match inside the text.
func FuzzJavaScript(f *testing.F) {
	for _, pattern := range []string{`(?<=(a?)*)b\1`, `[^\s\]]{2,3}?`, `\k<n>(?<n>x)`, `(?i:a)|\u00e9`, `(?m)^$`, `\`} {
		f.Add(pattern, "aab é\n")
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		re, err := JavaScript(pattern)
		if err != nil {
			return
		}
		loc, err := re.In(text, nil).Find(0)
		if err != nil {
			return
		}
		for i := 0; i+1 < len(loc); i += 2 {
			if loc[i] >= 0 && (loc[i] > loc[i+1] || loc[i+1] > len(text)) {
				t.Errorf("%q on %q: %v", pattern, text, loc)
			}
		}
	})
}
