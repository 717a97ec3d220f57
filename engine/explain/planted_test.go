package explain_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/explain"
	"asldb/engine/path"
	"asldb/engine/provenance"
	"asldb/internal/testkit/runs"
)

// Each planted mistake is explained by the field that failed, and by the change that mends it; a fix that is
// offered for it mends the run.
func TestPlantedMistakes(t *testing.T) {
	for _, p := range runs.Plants {
		s := open(t, p.Definition, p.Input)
		play(t, s, p.Answers...)
		if s.Status() != engine.Failed {
			t.Errorf("%s: the run is %s", p.Name, s.Status())
		}
		write := func(text explain.Text) string { return strings.Join(explain.Plain(100).Lines(text), "\n") }
		if text := write(explain.Failed(s, nil)); !strings.Contains(text, p.Field) {
			t.Errorf("%s: %s is not named:\n%s", p.Name, p.Field, text)
		}
		if text := write(explain.EndingOf(s, nil).Report()); !strings.Contains(text, p.Advice) {
			t.Errorf("%s: no %q in\n%s", p.Name, p.Advice, text)
		}
		offered := false
		for i := range s.Log().Len() {
			fixes, mended := explain.Fixes(s, i), false
			offered = offered || len(fixes) > 0
			for _, f := range fixes {
				_, after := tried(t, s, &f)
				mended = mended || after.Status() == engine.Succeeded
			}
			if len(fixes) > 0 && !mended {
				t.Errorf("%s: no fix of event %d mends the run: %+v", p.Name, i, fixes)
			}
		}
		if !offered {
			t.Errorf("%s: no fix is offered", p.Name)
		}
	}
}

// The advice that isn't a fix is true: with the change that it names the run succeeds.
func TestAdviceOfPlantedMistakes(t *testing.T) {
	for _, test := range []struct{ name, from, to string }{
		{"an OutputPath that drops a member", `"OutputPath":"$.a",`, ""},
		{"an ItemSelector that is missing", `"ItemsPath"`,
			`"ItemSelector": {"item.$": "$$.Map.Item.Value", "orderId.$": "$.orderId"},"ItemsPath"`},
		{"a text in place of a number", "MathAdd($.count,", "MathAdd(States.StringToJson($.count),"},
		{"a variable of another branch", `"StartAt":"C","States":{`,
			`"StartAt":"S","States":{"S":{"Type":"Pass","Assign":{"rate":0},"Next":"C"},`},
		{"a member of another way of a Choice", `"StartAt":"C","States":{`,
			`"StartAt":"S","States":{"S":{"Type":"Pass","Result":"","ResultPath":"$.card","Next":"C"},`},
	} {
		p := runs.Plants[slices.IndexFunc(runs.Plants, func(p runs.Plant) bool { return p.Name == test.name })]
		changed := strings.Replace(p.Definition, test.from, test.to, 1)
		if changed == p.Definition {
			t.Fatalf("%s: the definition has no %s", test.name, test.from)
		}
		s := open(t, changed, p.Input)
		if play(t, s, p.Answers...); s.Status() != engine.Succeeded {
			t.Errorf("%s: the changed definition ends %s: %v", test.name, s.Status(), s.Failure())
		}
	}
}

// Each face says the same of a planted mistake, once: at the end of the run, at the event of the error, and in the lens
// of the path that missed.
func TestFacesSayTheSame(t *testing.T) {
	for _, p := range runs.Plants {
		s := open(t, p.Definition, p.Input)
		play(t, s, p.Answers...)
		write := func(text explain.Text) string { return strings.Join(explain.Plain(100).Labelled(text), "\n") }
		faces := map[string]string{
			"run": write(explain.Failed(s, nil)), "why": write(explain.EndingOf(s, nil).Report()),
		}
		for i := range s.Log().Len() {
			e := s.Log().At(i)
			if !e.RaisesError() || e.Failure() != s.Failure() {
				continue
			}
			faces[e.Type.String()] = write(explain.Happened(s, i, nil))
			if said, ok := explain.Sentence(s, i); ok {
				faces[e.Type.String()+" in short"] = explain.Plain(100).Paragraph(&said) + "\n" + p.Advice
			}
			var miss *path.MissError
			if !errors.As(e.Failure().Err, &miss) || !strings.HasPrefix(miss.Path.String(), "$") {
				continue
			}
			if loss, err := provenance.LensOf(s).Loss(i, miss.Path.String()); err == nil {
				faces["lens"] = write(explain.Loss(loss, s.Log()))
			}
		}
		if len(faces) < 3 {
			t.Errorf("%s: only %d faces", p.Name, len(faces))
		}
		for face, text := range faces {
			for _, part := range []string{p.Said, p.Advice} {
				if part != "" && strings.Count(text, part) != 1 &&
					!(part == p.Advice && strings.Contains(p.Said, part)) {
					t.Errorf("%s, %s: %q is not there once:\n%s", p.Name, face, part, text)
				}
			}
		}
	}
}
