package checks

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"asldb/engine/rules"
	"asldb/internal/cli/command"
	"asldb/internal/definitions"
	"asldb/internal/project"
	"asldb/internal/testkit"
)

// seededWords are names that are misspelt in definitions: fields, values of Type, functions and error names.
var seededWords = []string{
	"Next", "Type", "StartAt", "Resource", "Parameters", "ResultPath", "ResultSelector", "ErrorEquals", "MaxAttempts", "IntervalSeconds",
	"Succeed", "Parallel", "States.Format", "States.ArrayLength", "States.StringToJson", "States.Timeout", "States.TaskFailed", "Arguments", "Choices",
}

// misspell swaps two letters of a word, leaves one out or doubles it.
func misspell(r *rand.Rand, word string) string {
	b := []byte(word)
	i := len(b) - 1 - r.IntN(max(1, len(b)/2))
	switch r.IntN(3) {
	case 0:
		b[i], b[i-1] = b[i-1], b[i]
	case 1:
		b = slices.Delete(b, i, i+1)
	default:
		b = slices.Insert(b, i, b[i])
	}
	return string(b)
}

// target is a transition of a definition in JSON.
var target = regexp.MustCompile(`"(?:Next|Default)"\s*:\s*"([A-Za-z ]{6,})"`)

var stateNamed = regexp.MustCompile(`"(?:Parallel|Succeed)"\s*:`)

// seed misspells a target of a transition and up to three words of a text, each once, and returns how many.
func seed(r *rand.Rand, text string) (wrong string, seeded int) {
	if all := target.FindAllStringSubmatchIndex(text, -1); len(all) > 0 {
		place := all[r.IntN(len(all))]
		name := text[place[2]:place[3]]
		if wrong := misspell(r, name); wrong != name {
			text = text[:place[2]] + wrong + text[place[3]:]
			seeded = 1
		}
	}
	words := 0
	for _, k := range r.Perm(len(seededWords)) {
		word := seededWords[k]
		places := strings.Count(text, "\""+word+"\"")
		if places == 0 || stateNamed.MatchString(text) && (word == "Parallel" || word == "Succeed") {
			continue // a state that has the name of a type would be misspelt where it is defined, and its uses would follow that
		}
		at := 0
		for range 1 + r.IntN(places) {
			at += strings.Index(text[at:], "\""+word+"\"") + 1
		}
		if wrong := misspell(r, word); wrong != word {
			text = text[:at] + wrong + text[at+len(word):]
			words++
		}
		if words == 3 {
			break
		}
	}
	return text, seeded + words
}

// TestFixCorrectsSeededMistakes: after --fix no certain correction is left, there is no error that the definition did not have before,
// or that the misspelling made and that is not certain, and a text that has all its mistakes corrected is the first one byte for byte.
func TestFixCorrectsSeededMistakes(t *testing.T) {
	var names []string
	for _, folder := range []string{filepath.Join(testkit.Dir(t, "definitions"), "valid"), filepath.Join(testkit.Dir(t, "workflows"), "files")} {
		testkit.NoError(t, filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				names = append(names, name)
			}
			return err
		}))
	}
	r := rand.New(rand.NewPCG(17, 8))
	folder := t.TempDir()
	tried, mistakes, corrected, whole := 0, 0, 0, 0
	all := os.Getenv("ASLDB_FIX_ALL") != ""
	for i, name := range names {
		if !all && i%3 != 0 {
			continue
		}
		data, err := os.ReadFile(name)
		testkit.NoError(t, err)
		text, seeded := seed(r, string(data))
		if seeded == 0 || len(data) > 60_000 {
			continue
		}
		first, err := checked(name)
		if err != nil || errorsIn(first) != nil {
			continue // it has its own errors
		}
		file := filepath.Join(folder, "definition"+filepath.Ext(name))
		testkit.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		wrong, err := checked(file)
		if err != nil {
			continue // a template that is none any more
		}
		var out, messages bytes.Buffer
		cmd := NewValidate(&command.Streams{In: strings.NewReader(""), Out: &out, Err: &messages})
		cmd.SetArgs([]string{"--fix", file})
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		var exit *command.ExitError
		if err := cmd.Execute(); err != nil && (!errors.As(err, &exit) || exit.Status > 1) {
			t.Errorf("%s: %v: %s", name, err, &messages)
			continue
		}
		fixed, err := checked(file)
		testkit.NoError(t, err)
		if left := certain(fixed); len(left) > 0 {
			t.Errorf("%s: a certain correction is left: %s", name, left[0].String())
		}
		made := strings.Count(out.String(), ": fixed: ")
		known := errorsIn(wrong)
		for _, e := range errorsIn(fixed) {
			if strings.HasPrefix(e, rules.Unreachable+" ") && made < seeded {
				continue // it was hidden by a mistake that is corrected, and comes from one that is not certain
			}
			if !slices.Contains(known, e) {
				t.Errorf("%s: a new error: %s\nof %s\n%s", name, e, strings.Join(known, "\n"), &out)
			}
		}
		after, err := os.ReadFile(file)
		testkit.NoError(t, err)
		tried, mistakes = tried+1, mistakes+seeded
		corrected += made
		if made == seeded && errorsIn(fixed) == nil {
			whole++
			if !bytes.Equal(after, data) {
				t.Errorf("%s: the corrected text is not the first one\n%s", name, &out)
			}
		}
	}
	t.Logf("%d definitions with %d misspellings: %d corrected, %d definitions as they were", tried, mistakes, corrected, whole)
	if tried < 50 || 2*corrected < mistakes {
		t.Errorf("%d definitions with %d misspellings; %d were corrected", tried, mistakes, corrected)
	}
}

// checked returns the machines of a file with their problems.
func checked(name string) ([]project.Checked, error) {
	f := validateFlags{}
	f.Spec.Definition.Type = "standard"
	machines, err := f.check(&command.Streams{In: strings.NewReader(""), Err: &bytes.Buffer{}}, []string{name})
	var empty *definitions.EmptyError
	if err == nil && errors.As(err, &empty) {
		err = empty
	}
	return machines, err
}

// errorsIn returns the errors of machines: rule, place in the tree and message.
func errorsIn(machines []project.Checked) (list []string) {
	for i := range machines {
		for j := range machines[i].Problems {
			if d := &machines[i].Problems[j]; d.Severity == 0 {
				list = append(list, fmt.Sprintf("%s %s", d.Rule, d.Message))
			}
		}
	}
	return list
}
