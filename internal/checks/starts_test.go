package checks

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/lint"
	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/testkit"
)

// changesOfEach is how many changes of a definition TestWhatIsValidStarts makes, spread over its values: more with
// ASLDB_EVERY_CHANGE=1.
func changesOfEach() int {
	if os.Getenv("ASLDB_EVERY_CHANGE") != "" {
		return 40
	}
	return 4
}

// What validate calls valid compiles and starts, in every dialect, and the reverse: over the corpora and over changes
// of each definition, where a value is left out or replaced; a change is tried in aws and in one edition of the
// specification. What only Step Functions itself refuses runs in aws, too.
func TestWhatIsValidStarts(t *testing.T) {
	var files []string
	for _, pattern := range []string{"workflows/files/*.asl.json", "definitions/*/*.json"} {
		folder, rest, _ := strings.Cut(pattern, "/")
		found, err := filepath.Glob(filepath.Join(testkit.Dir(t, folder), rest))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	texts, valid, changes := 0, 0, 0
	dialects := []engine.Dialect{engine.AWS, engine.Spec, engine.Spec2020, engine.Spec2016}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range changed(t, filepath.Base(file), data) {
			in := dialects
			if name != filepath.Base(file) {
				changes++
				in = []engine.Dialect{engine.AWS, dialects[1+changes%3]}
			}
			for _, d := range in {
				texts++
				problems, refusal := startsIn(text, d)
				wrong := slices.ContainsFunc(problems, isError)
				if wrong && refusal == nil && d.Does(rules.RefusesAsTheService) &&
					!slices.ContainsFunc(ofTheLanguage(text, d), isError) {
					continue
				}
				if !wrong {
					valid++
				}
				if (refusal != nil) != wrong {
					t.Errorf("%s in %s: refused for %v, problems: %s", name, d, refusal, formatted(problems))
				}
			}
		}
	}
	if len(files) < 100 || valid < texts/10 || valid > texts*9/10 {
		t.Errorf("%d files, %d texts, %d of them valid: that shows little", len(files), texts, valid)
	}
	t.Logf("%d files, %d texts in a dialect, %d of them valid", len(files), texts, valid)
}

// startsIn returns why a definition does not start in a dialect, nil where it does, and what validate says of it.
func startsIn(text []byte, d engine.Dialect) (problems []source.Diagnostic, refusal error) {
	file := &source.File{Name: "definition.json", Data: text}
	root, problem := source.Read(file, nil)
	if problem != nil {
		problems = []source.Diagnostic{*problem}
	} else {
		problems = lint.All(file, root, lint.Options{Dialect: d})
	}
	definition, _ := asl.Parse(file)
	if definition == nil {
		return problems, errors.New("it does not parse")
	}
	machine, err := engine.Compile(definition, d)
	if err != nil {
		return problems, err
	}
	e := machine.Start(value.ObjectOf(), engine.StartOptions{Limits: engine.LimitsOf(d)})
	if events := e.Step(); len(events) == 0 {
		return problems, errors.New("its first step does nothing")
	}
	return problems, nil
}

// substitutes come in the place of values.
var substitutes = []any{nil, true, -1.5, "x", "$.x[0]", "States.Array (true)", []any{}, map[string]any{}, leftOut{}}

// leftOut is a substitute: the member or item is not there.
type leftOut struct{}

func isLeftOut(v any) bool { _, out := v.(leftOut); return out }

// changed iterates over a definition and changes of it, each with a name.
func changed(t *testing.T, name string, data []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		if !yield(name, data) {
			return
		}
		var whole any
		if json.Unmarshal(data, &whole) != nil {
			return
		}
		count := 0
		eachValue(whole, func(any) any { count++; return nil })
		changes := min(changesOfEach(), count)
		for i := range changes {
			at, with := i*count/changes, substitutes[(i+len(name))%len(substitutes)]
			var copied any
			if err := json.Unmarshal(data, &copied); err != nil {
				t.Fatal(err)
			}
			eachValue(copied, func(v any) any {
				if at--; at != -1 {
					return nil
				}
				return &with
			})
			text, err := json.Marshal(copied)
			if err != nil {
				t.Fatal(err)
			}
			if !yield(fmt.Sprintf("%s, change %d", name, i), text) {
				return
			}
		}
	}
}

// eachValue calls f for each value inside of v, in one order. Where f returns a pointer, the value that it leads to
// comes in place.
func eachValue(v any, f func(any) any) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if with, ok := f(v[key]).(*any); !ok {
				eachValue(v[key], f)
			} else if v[key] = *with; isLeftOut(*with) {
				delete(v, key)
			}
		}
	case []any:
		for i := range v {
			if with, ok := f(v[i]).(*any); !ok {
				eachValue(v[i], f)
			} else if v[i] = *with; isLeftOut(*with) {
				v[i] = nil
			}
		}
	}
}

func isError(p source.Diagnostic) bool { return p.Severity == source.Error }

// ofTheLanguage returns the problems of a definition but those that lint adds.
func ofTheLanguage(text []byte, d engine.Dialect) []source.Diagnostic {
	file := &source.File{Name: "definition.json", Data: text}
	root, _ := source.Read(file, nil) // it was read before
	_, problems := asl.Examine(file, root, d)
	return problems
}

func formatted(problems []source.Diagnostic) string {
	var out strings.Builder
	for _, p := range problems {
		if isError(p) {
			out.WriteString("\n" + p.Format())
		}
	}
	return out.String()
}
