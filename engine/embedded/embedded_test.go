package embedded

import "testing"

func TestNameError(t *testing.T) {
	for want, e := range map[string]*NameError{
		"the template has no state machine": {Container: "template", Wanted: "a"},
		"the configuration has no resource aws_sfn_state_machine": {Container: "configuration",
			Machine: "resource aws_sfn_state_machine"},
		"the template has these state machines: a, b; say which with --resource NAME": {Container: "template",
			Names: []string{"a", "b"}},
		`the template has no state machine "c"; it has these state machines: a, b`: {Container: "template",
			Wanted: "c", Names: []string{"a", "b"}},
	} {
		if got := e.Error(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
