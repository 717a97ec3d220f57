package keys

import (
	"errors"
	"strings"
	"testing"
)

func TestRebind(t *testing.T) {
	m, err := Default().With(map[Action][]string{StepStage: {"n"}, FindNext: {"ctrl+n", "alt+n"}, Zoom: {}})
	if err != nil {
		t.Fatal(err)
	}
	if m.Lookup("n") != StepStage || m.Lookup("i") != None || m.Lookup("alt+n") != FindNext || m.Lookup("z") != None {
		t.Error("the keys are not those that were asked for")
	}
	if got := m.Key(Zoom); got != ":zoom" {
		t.Errorf("an action without a key is shown as %q", got)
	}
	if Default().Lookup("i") != StepStage {
		t.Error("the default table has changed")
	}
	for text, changes := range map[string]map[Action][]string{
		"the key n belongs to find-next already":    {StepStage: {"n"}},
		"the key space belongs to zoom already":     {StepStage: {" "}, Zoom: {" "}, Fold: {"z"}},
		`there is no key "hyper+x"`:                 {StepStage: {"hyper+x"}},
		`there is no key "ctrl+m"`:                  {StepStage: {"ctrl+m"}},
		"ctrl+c always ends the program; kill must": {Kill: {"Q"}},
	} {
		_, err := Default().With(changes)
		var wrong *KeyError
		if !errors.As(err, &wrong) || !strings.HasPrefix(err.Error(), strings.Replace(text, "belongs to zoom", "belongs to", 1)[:20]) {
			t.Errorf("%v: %v, want %s", changes, err, text)
			continue
		}
		if _, blamed := changes[wrong.Action]; !blamed && wrong.Action != Kill {
			t.Errorf("%v: the error is about an action that was not changed", err)
		}
	}
}

func TestDefaultKeysAreValid(t *testing.T) {
	for _, b := range table() {
		for _, key := range b.Keys {
			if !ValidKey(key) {
				t.Errorf("%q of %s is not a key", key, b.Names[0])
			}
		}
	}
}

func TestCommand(t *testing.T) {
	m := Default()
	for line, want := range map[string]struct {
		action   Action
		argument string
	}{
		"break Charge if $.a > 1": {AddBreak, "Charge if $.a > 1"},
		":clock  +5m":             {ClockMode, " +5m"},
		"until x":                 {AddBreak, "x"},
		"step ":                   {StepState, ""},
		"12":                      {GoTo, "12"},
	} {
		a, argument, err := m.Command(line)
		if err != nil || a != want.action || argument != want.argument {
			t.Errorf("%q: %d %q %v", line, a, argument, err)
		}
	}
	for line, want := range map[string]string{
		"brek x": `there is no command "brek"; did you mean :break?`,
		"xyzzy":  `there is no command "xyzzy"`,
		"":       `there is no command ""`,
		"zoom 3": ":zoom takes nothing after its name",
	} {
		var wrong *CommandError
		if _, _, err := m.Command(line); !errors.As(err, &wrong) || err.Error() != want {
			t.Errorf("%q: %v, want %s", line, err, want)
		}
	}
}
