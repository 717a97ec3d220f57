package lint

import (
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"asldb/engine/source"
	"asldb/internal/testkit"
)

// letters are fields with a letter wrong.
var letters = []struct {
	at   *regexp.Regexp
	text string
}{
	{regexp.MustCompile(`"ResultPath"`), `"ResultPaht"`}, {regexp.MustCompile(`"ErrorEquals"`), `"ErorEquals"`},
	{regexp.MustCompile(`"Default"`), `"Defualt"`}, {regexp.MustCompile(`"StartAt"`), `"StratAt"`},
	{regexp.MustCompile(`"Choice"`), `"Choise"`}, {regexp.MustCompile(`"Parameters"`), `"Parametres"`},
}

// Each certain fix of the problems of broken and misspelt definitions mends its problem: the text can be read, and the
// problem is gone from its place.
func TestFixesMend(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testkit.Dir(t, "definitions"), "invalid", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no definitions: %v", err)
	}
	texts := make(map[string]string)
	for _, name := range files {
		texts[filepath.Base(name)] = string(testkit.Read(t, name))
	}
	valid, err := filepath.Glob(filepath.Join(testkit.Dir(t, "definitions"), "valid", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range valid {
		text := string(testkit.Read(t, name))
		for i := range letters {
			if at := letters[i].at.FindStringIndex(text); at != nil {
				texts[filepath.Base(name)+", "+letters[i].text] = text[:at[0]] + letters[i].text + text[at[1]:]
			}
		}
	}
	tried := 0
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		_, before := find(texts[name], Options{})
		for i := range before {
			d := &before[i]
			edit, ok := d.Edit()
			if !ok || !d.Fix.Certain {
				continue
			}
			tried++
			mended := source.Apply(edit.File, []source.Edit{edit})
			machine, after := find(string(mended), Options{})
			if machine == nil {
				t.Errorf("%s: %s makes a text that cannot be read", name, d.Message)
				continue
			}
			for k := range after {
				if after[k].Rule == d.Rule && after[k].Span.Start == d.Span.Start && after[k].Message == d.Message {
					t.Errorf("%s: %s is still there:\n%s", name, d.Message,
						strings.TrimSpace(string(mended)))
				}
			}
		}
	}
	if tried < 50 {
		t.Errorf("only %d fixes are certain", tried)
	}
}
