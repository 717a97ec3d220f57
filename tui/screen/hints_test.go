package screen

import (
	"strings"
	"testing"
)

// TestHintsOfTheSituation: the bottom line has the three best next keys of the situation, on a wide screen three more.
func TestHintsOfTheSituation(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{})
	hint := func() string {
		rows := strings.Split(d.frame(), "\n")
		return rows[len(rows)-1]
	}
	for _, step := range []struct{ keys, want string }{
		{"", " c run  s step  e input  b break  / find  : command "},
		{"i i i", " i stage  s state  c continue  H where from  x change result  b break "},
		{"3", " enter go there  / find  esc back  i stage  s state  c continue "},
		{"3 2 home 3 home", " enter go there  / find  esc back "},
		{"2 esc E c", " i stage  s state  c continue  H where from  x change result "},
		{"t t t r c", " a next timer  c continue  x result now  i stage  s state  b break "},
	} {
		d.press(strings.Fields(step.keys)...)
		if got := hint(); !strings.HasPrefix(got, step.want) || !strings.HasSuffix(got, " ? keys  q quit ") {
			t.Errorf("after %q the hints are %q, want %q", step.keys, got, step.want)
		}
	}
	d = drive(t, order(t), 80, 24, Options{}).press("i")
	if got, want := hint(), " i stage  s state  c continue  "; !strings.HasPrefix(got, want+strings.Repeat(" ", 20)) {
		t.Errorf("a narrow screen has the hints %q, want %q alone", got, want)
	}
}

// TestEarlierKeys: a key of an earlier version works, and names its command the first time.
func TestEarlierKeys(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{}).opened().press("o").sees("ExecutionStarted", "o is :step-over.")
	if d.press("o"); strings.Contains(d.frame(), ":step-over") {
		t.Errorf("it is named twice:\n%s", d.frame())
	}
	d.press("4").sees("4 is :side.")
}
