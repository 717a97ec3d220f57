package screen

import (
	"strings"
	"testing"
)

// At a stop there is what the run noticed since the stop before, and Enter goes to where it was.
func TestNoticedAtAStop(t *testing.T) {
	const gates = `{"StartAt":"P","States":{"P":{"Type":"Pass","Next":"G"},
		"G":{"Type":"Choice","Choices":[{"Variable":"$.score","NumericGreaterThan":700,"Next":"End"}],"Default":"Q"},
		"Q":{"Type":"Pass","Next":"End"},"End":{"Type":"Succeed"}}}`
	d := drive(t, session(t, gates, `{"score":"742"}`, script{}), 120, 40, Options{})
	lacks := func(where string) {
		t.Helper()
		if strings.Contains(d.frame(), "noticed") {
			t.Errorf("%s there is something to notice:\n%s", where, d.frame())
		}
	}
	d.press("s", "s")
	lacks("before the Choice state")
	d.press("s").sees(`noticed G: rule 1 can't hold: $.score is the string "742"`)
	d.press("s")
	lacks("a state later")
	d.press("c").sees("SUCCEEDED", "noticed G: rule 1 can't hold")
	d.press("up", "enter").sees("Choices", `$.score is "742", a string and not a number`)
}

// Enter goes there from each line of a fact that is broken, from the data below it upwards.
func TestNoticedIsFollowedFromEachLine(t *testing.T) {
	const gate = `{"StartAt":"G","States":{"G":{"Type":"Choice","Choices":[{"Variable":"$.score",` +
		`"NumericGreaterThan":700,"Next":"End"}],"Default":"End"},"End":{"Type":"Succeed"}}}`
	for ups := 1; ups <= 3; ups++ {
		d := drive(t, session(t, gate, `{"score":"742"}`, script{}), 60, 40, Options{})
		d.press("c").sees("noticed G: rule 1 can't hold")
		for range ups {
			d.press("up")
		}
		d.press("enter").sees("Choices", `a string and not a number`)
	}
}

// A project file can turn it off, at stops and at the end.
func TestNoticedIsTurnedOff(t *testing.T) {
	const gate = `{"StartAt":"G","States":{"G":{"Type":"Choice","Choices":[{"Variable":"$.score",` +
		`"NumericGreaterThan":700,"Next":"P"}],"Default":"P"},"P":{"Type":"Pass","End":true}}}`
	d := drive(t, session(t, gate, `{"score":"742"}`, script{}), 120, 40, Options{Unnoticed: true})
	for _, key := range []string{"s", "s", "c"} {
		if d.press(key); strings.Contains(d.frame(), "noticed") {
			t.Errorf("%s: there is something to notice:\n%s", key, d.frame())
		}
	}
	d.sees("SUCCEEDED")
}

// Under a run that has succeeded there is what it noticed: a comparison that can never hold, at most five facts. A run
// without any has no such line.
func TestNoticedAtTheEnd(t *testing.T) {
	const gates = `{"StartAt":"G1","States":{%,"End":{"Type":"Succeed"}}}`
	gate := func(n, next string) string {
		return `"` + n + `":{"Type":"Choice","Choices":[{"Variable":"$.score",` +
			`"NumericGreaterThan":700,"Next":"End"}],"Default":"` + next + `"}`
	}
	one := strings.Replace(gates, "%", gate("G1", "End"), 1)
	d := drive(t, session(t, one, `{"score":"742"}`, script{}), 120, 40, Options{})
	d.press("c").sees("SUCCEEDED", `noticed G1: rule 1 can't hold: $.score is the string "742"`, "compares numbers")
	d = drive(t, session(t, one, `{"score":742}`, script{}), 120, 40, Options{})
	d.press("c").sees("SUCCEEDED")
	if strings.Contains(d.frame(), "noticed") {
		t.Errorf("there is something to notice:\n%s", d.frame())
	}
	var all []string
	for _, pair := range []string{"G1 G2", "G2 G3", "G3 G4", "G4 G5", "G5 G6", "G6 G7", "G7 End"} {
		from, to, _ := strings.Cut(pair, " ")
		all = append(all, gate(from, to))
	}
	seven := strings.Replace(gates, "%", strings.Join(all, ","), 1)
	d = drive(t, session(t, seven, `{"score":"742"}`, script{}), 120, 60, Options{})
	d.press("c").sees("noticed G5", "2 more: asldb why lists them")
	if strings.Contains(d.frame(), "noticed G6") {
		t.Errorf("more than five facts are shown:\n%s", d.frame())
	}
}
