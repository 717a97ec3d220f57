package checks

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"asldb/engine/lint"
	"asldb/engine/source"
	"asldb/internal/testkit"
)

// mistakes are kinds of mistakes of data flow: each replaces one place of a sound definition. floor is the share in
// percent that is to be told: of the others the definition alone does not show that they are mistakes, since the
// execution's input or the answer of a function may have anything.
var mistakes = []struct {
	kind  string
	at    *regexp.Regexp
	write string
	floor int
}{
	{"a misspelt name at the end of a path", regexp.MustCompile(`("\$(?:\.\w+)*\.\w{3,})"`), `${1}qz"`, 30},
	{"a misspelt name of a variable", regexp.MustCompile(`(\{% *)\$([a-rt-z]\w{2,})([^\w(])`), `${1}$$${2}qz${3}`, 80},
	{"a path without Payload", regexp.MustCompile(`\.Payload\.`), `.`, 85},
	{"a path without .$ in its name", regexp.MustCompile(`(\w)\.\$"(\s*:\s*"\$)`), `${1}"${2}`, 95},
	{"a catcher without ResultPath",
		regexp.MustCompile(`("ErrorEquals"\s*:\s*\[[^\]]*\]\s*,[^}]*?)"ResultPath"\s*:\s*"[^"]*"\s*,`), `${1}`, 55},
	{"a task without ResultPath",
		regexp.MustCompile(`("Resource"\s*:\s*"[^"]*"\s*,\s*)"ResultPath"\s*:\s*"\$\.[^"]*"\s*,`), `${1}`, 35},
	{"a number compared as a string", regexp.MustCompile(`"Numeric(\w+)"(\s*:\s*)(\d+)`), `"String${1}"${2}"${3}"`, 25},
	{"a string compared as a number", regexp.MustCompile(`"StringEquals"(\s*:\s*)"[^"]*"`), `"NumericEquals"${1}1`, 40},
	{"a missing Assign", regexp.MustCompile(`"Assign"(\s*:)`), `"Comment"${1} "none", "Zzyqqxw0"${1}`, 70},
	{"texts that are added", regexp.MustCompile(`('[^'"]*' )&( )`), `${1}+${2}`, 95},
	{"a misspelt member of a result", regexp.MustCompile(`(\$states\.result\.\w{3,})`), `${1}qz`, 85},
	{"a misspelt function", regexp.MustCompile(`States\.(\w{4,})\(`), `States.${1}x(`, 100},
}

// problemsOf returns the problems of a definition, each by its rule and its place.
func problemsOf(text string) (list map[string]bool, ok bool) {
	src := &source.File{Name: "t.json", Data: []byte(text)}
	root, problem := source.Read(src, nil)
	if problem != nil {
		return nil, false
	}
	list, ok = make(map[string]bool), true
	for _, d := range lint.All(src, root, lint.Options{}) {
		list[d.Rule+" "+d.Pointer] = true
		ok = ok && d.Severity != source.Error
	}
	return list, ok
}

// TestPlantedMistakes plants each kind of mistake into the sound definitions of the corpora, one at a time, and counts
// those that are told.
func TestPlantedMistakes(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(testkit.Dir(t, "definitions"), "valid", "*.json"))
	more, _ := filepath.Glob(filepath.Join(testkit.Dir(t, "workflows"), "files", "*.json"))
	planted, told := make(map[string]int), make(map[string]int)
	sound := 0
	for _, file := range append(files, more...) {
		text := string(testkit.Read(t, file))
		before, ok := problemsOf(text)
		if !ok {
			continue
		}
		sound++
		for _, m := range mistakes {
			for i, at := range m.at.FindAllStringSubmatchIndex(text, -1) {
				if i >= 5 {
					break
				}
				wrong := text[:at[0]] + string(m.at.ExpandString(nil, m.write, text, at)) + text[at[1]:]
				after, _ := problemsOf(wrong)
				if after == nil {
					continue
				}
				planted[m.kind]++
				for key := range after {
					if !before[key] && !strings.Contains(key, "Zzyqqxw0") {
						told[m.kind]++
						break
					}
				}
			}
		}
	}
	for _, m := range mistakes {
		t.Logf("%-40s %4d planted, %4d told", m.kind, planted[m.kind], told[m.kind])
		if planted[m.kind] == 0 || told[m.kind]*100 < m.floor*planted[m.kind] {
			t.Errorf("of %d times %s, %d are told: want at least %d %%", planted[m.kind], m.kind, told[m.kind], m.floor)
		}
	}
	if sound < 150 {
		t.Errorf("only %d definitions are sound", sound)
	}
}
