package tree_test

import (
	"testing"

	"asldb/engine/value"
	"asldb/tui/part/tree"
)

func TestWhatCannotBeSeenIsEscaped(t *testing.T) {
	for text, want := range map[string][2]string{ // usually, and where lines would look the same
		"plain é 日本":           {`"plain é 日本"`, `"plain é 日本"`},
		"a\u202eb":             {`"a\u202eb"`, `"a\u202eb"`},
		"a\u200bb\ufeff":       {`"a\u200bb\ufeff"`, `"a\u200bb\ufeff"`},
		"a\u200db":             {`"a\u200db"`, `"a\u200db"`},
		"a\ufe0f":              {`"a\ufe0f"`, `"a\ufe0f"`},
		"\u009b\ue000":         {`"\u009b\ue000"`, `"\u009b\ue000"`},
		"👩\u200d👧":             {"\"👩\u200d👧\"", `"👩\u200d👧"`},
		"👩\u200d":              {`"👩\u200d"`, `"👩\u200d"`},
		"❤\ufe0f":              {"\"❤\ufe0f\"", `"❤\ufe0f"`},
		"👍\U0001f3fd":          {"\"👍\U0001f3fd\"", "\"👍\U0001f3fd\""},
		"1\ufe0f\u20e3":        {"\"1\ufe0f\u20e3\"", `"1\ufe0f` + "\u20e3\""},
		"❤\ufe0f\u200d🔥":       {"\"❤\ufe0f\u200d🔥\"", `"❤\ufe0f\u200d🔥"`},
		"x\U000e0041":          {`"x\udb40\udc41"`, `"x\udb40\udc41"`},
		"tab\tquote\"\\u200b?": {`"tab\tquote\"\\u200b?"`, `"tab\tquote\"\\u200b?"`},
	} {
		for i, exact := range []bool{false, true} {
			line := tree.Line{Key: text, HasKey: true, Value: value.String(text), Exact: exact}
			if got := line.Text("…"); got != want[i]+": "+want[i] {
				t.Errorf("%q (exact: %v) is shown as %q, want %q twice", text, exact, got, want[i])
			}
		}
	}
}
