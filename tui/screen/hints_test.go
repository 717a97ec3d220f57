package screen

import (
	"strings"
	"testing"
)

// TestHintsFollowThePane: the bottom line has the keys of the situation first, then those of the focused pane.
func TestHintsFollowThePane(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{})
	hint := func() string {
		rows := strings.Split(d.frame(), "\n")
		return rows[len(rows)-1]
	}
	for _, step := range []struct{ keys, want string }{
		{"", "i stage  s state  c continue  b break  B breakpoints"},
		{"i i i", "H lens  e edit  = evaluate  v source"},
		{"2", "c continue  b break  v source"},
		{"3", "& filter  ] tab  m bookmark"},
		{"4", "w watch  B breakpoints"},
		{"3 home", "esc now"},
		{"esc E c", "i stage  s state  c continue  x answer"},
		{"1 E c esc down", "x answer"},
	} {
		d.press(strings.Fields(step.keys)...)
		if got := hint(); !strings.Contains(got, step.want) {
			t.Errorf("after %q the hints are %q, want %q", step.keys, got, step.want)
		}
	}
}
