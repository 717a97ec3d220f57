package lint

import (
	"fmt"
	"testing"
)

// firstOf returns the first problem of a text: its place, severity and message, and the last advice behind a bar.
func firstOf(text string) string {
	_, problems := find(text, Options{})
	if len(problems) == 0 {
		return "no problem"
	}
	d := &problems[0]
	line := fmt.Sprintf("%d:%d %s: %s", d.Span.Start.Line, d.Span.Start.Col, d.Severity, d.Message)
	if d.Suggestion != "" {
		line += " | " + d.Suggestion
	}
	return line
}

func TestMessages(t *testing.T) {
	for _, c := range mistakenStates {
		if got := firstOf(`{"StartAt":"A","States":{"A":` + c.state + `,"Z":{"Type":"Succeed"}}}`); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
	}
	for _, c := range mistakenTexts {
		if got := firstOf(c.text); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
	}
}
