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
		{"", "i stage  s state  c continue  b break  E on error"},
		{"i i i", "H lens  e edit  = evaluate  v source"},
		{"2", "R run to  b break"},
		{"3", "& filter  T time axis"},
		{"4", "w watch  U until"},
		{"3 home", "esc now"},
		{"esc E c", "i stage  s state  c continue  X otherwise"},
		{"1 E c esc down", "x answer"},
	} {
		d.press(strings.Fields(step.keys)...)
		if got := hint(); !strings.Contains(got, step.want) {
			t.Errorf("after %q the hints are %q, want %q", step.keys, got, step.want)
		}
	}
}
