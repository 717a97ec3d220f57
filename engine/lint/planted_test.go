package lint

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/internal/testkit"
)

// spot is a member of a definition in which a mistake can be planted: its key, the keys that lead to it, and its text.
type spot struct {
	above []string
	key   string
	text  string // of a string, as it is written, without its quotes
	// at is the value, and keyAt the key.
	at, keyAt source.Span
}

// in reports whether one of the keys that lead to the member is a name.
func (s *spot) in(name string) bool { return slices.Contains(s.above, name) }

// ofState reports whether the member is a field of a state.
func (s *spot) ofState() bool { return len(s.above) > 1 && s.above[len(s.above)-2] == "States" }

// isPath reports whether the member's value is a path that is read.
func (s *spot) isPath() bool {
	return plainRead.MatchString(s.text) && (strings.HasSuffix(s.key, ".$") ||
		slices.Contains([]string{"InputPath", "OutputPath", "ItemsPath", "Variable", "SecondsPath", "CausePath"},
			s.key))
}

var (
	plainRead  = regexp.MustCompile(`^\$(\.[A-Za-z_]\w{3,})+$`)
	queryRead  = regexp.MustCompile(`\$states\.(?:input|result)(?:\.[A-Za-z_]\w{3,})+`)
	queryName  = regexp.MustCompile(`\$[a-z]\w{4,}\b[^(\w]`)
	queryCall  = regexp.MustCompile(`\$(?:string|exists|count|sum|map|filter|merge|number)\(`)
	statusWord = regexp.MustCompile(`^(SUCCEEDED|FAILED|RUNNING|COMPLETED|ACTIVE|available|deleting)$`)
	textAnd    = regexp.MustCompile(`'[^']+' & `)
	withoutEnd = func(text string) string { return text[:max(len(text)-1, 0)] }
)

// planted are the kinds of mistakes: each returns the text in place of the value, or of the key. least is the
// share of them that has to be told, in percent: all where the text alone shows it. Else many read data from
// outside, with nothing known, or data that no state reads.
var planted = []struct {
	name  string
	least int
	ofKey bool
	plant func(s *spot) (string, bool)
}{
	{"a misspelt path", 20, false, func(s *spot) (string, bool) {
		return quoted(withoutEnd(s.text)), s.isPath()
	}},
	{"a misspelt path in JSONata", 30, false, func(s *spot) (string, bool) {
		return quoted(replaced(queryRead, s.text, withoutEnd)), strings.HasPrefix(s.text, "{%") &&
			queryRead.MatchString(s.text)
	}},
	{"a misspelt variable", 100, false, func(s *spot) (string, bool) {
		found := queryName.FindString(s.text)
		return quoted(strings.Replace(s.text, found, found[:max(len(found)-2, 0)]+found[max(len(found)-1, 0):], 1)),
			strings.HasPrefix(s.text, "{%") && found != "" && !strings.HasPrefix(found, "$states") &&
				!strings.Contains(s.text, "function")
	}},
	{"a catcher without ResultPath", 40, false, func(s *spot) (string, bool) {
		return `"$"`, s.key == "ResultPath" && s.in("Catch") && s.text != "$" && s.text != ""
	}},
	{"a catcher that discards the error", 5, false, func(s *spot) (string, bool) {
		return `null`, s.key == "ResultPath" && s.in("Catch") && s.text != ""
	}},
	{"a task without ResultPath", 45, false, func(s *spot) (string, bool) {
		return `"$"`, s.key == "ResultPath" && s.ofState() && s.text != "$" && s.text != ""
	}},
	{"a missing Assign", 50, false, func(s *spot) (string, bool) {
		return `{"unused": 1}`, s.key == "Assign" && s.ofState()
	}},
	{"a wrong operator", 100, true, func(s *spot) (string, bool) { return `"NumericEquals"`, s.key == "StringEquals" }},
	{"a misspelt word of a service", 60, false, func(s *spot) (string, bool) {
		return quoted(withoutEnd(s.text)), s.key == "StringEquals" && statusWord.MatchString(s.text)
	}},
	{"+ for &", 100, false, func(s *spot) (string, bool) {
		return quoted(replaced(textAnd, s.text, func(found string) string { return found[:len(found)-2] + "+ " })),
			strings.HasPrefix(s.text, "{%") && textAnd.MatchString(s.text) && !strings.Contains(s.text, "?")
	}},
	{"a path without Payload", 80, false, func(s *spot) (string, bool) {
		return quoted(strings.Replace(s.text, ".Payload", "", 1)), s.isPath() && strings.Contains(s.text, ".Payload.")
	}},
	{"$ for $$", 50, false, func(s *spot) (string, bool) {
		return quoted(s.text[min(1, len(s.text)):]), strings.HasPrefix(s.text, "$$.Ex")
	}},
	{"a misspelt target", 100, false, func(s *spot) (string, bool) {
		return quoted(s.text + "x"), s.key == "Next" && s.text != ""
	}},
	{"a misspelt field", 100, true, func(s *spot) (string, bool) {
		return `"Paramters"`, s.key == "Parameters" && s.ofState()
	}},
	{"a misspelt function of JSONata", 100, false, func(s *spot) (string, bool) {
		return quoted(replaced(queryCall, s.text, func(found string) string { return found[:2] + "_" + found[2:] })),
			strings.HasPrefix(s.text, "{%") && queryCall.MatchString(s.text)
	}},
	{"a misspelt intrinsic function", 100, false, func(s *spot) (string, bool) {
		return quoted(strings.Replace(s.text, "States.Format(", "States.Fromat(", 1)), strings.HasPrefix(s.text,
			"States.Format(")
	}},
}

func quoted(text string) string { return `"` + text + `"` }

func replaced(pattern *regexp.Regexp, text string, with func(string) string) string {
	at := pattern.FindStringIndex(text)
	if at == nil {
		return text
	}
	return text[:at[0]] + with(text[at[0]:at[1]]) + text[at[1]:]
}

// spots calls f for each member of a definition in JSON, until it returns false.
func spots(data string, n *source.Node, above []string, f func(*spot) bool) bool {
	for i := range n.Members {
		m := &n.Members[i]
		s := spot{above: above, key: m.Key, at: m.Node.Span, keyAt: m.KeySpan}
		if m.Node.IsText() {
			s.text = data[m.Node.Span.Start.Offset+1 : m.Node.Span.End.Offset-1]
		}
		if !f(&s) || !spots(data, m.Node, append(above[:len(above):len(above)], m.Key), f) {
			return false
		}
	}
	for _, item := range n.Items {
		if !spots(data, item, above, f) {
			return false
		}
	}
	return true
}

// perKind bounds the mistakes of a kind.
const perKind = 16

// TestPlanted plants mistakes into valid definitions of others, one at a time, and counts what is told of
// them that is not
// told without the mistake. What is told without any is judged by TestPublishedWorkflows.
func TestPlanted(t *testing.T) {
	dir := testkit.Dir(t, "workflows")
	var index struct {
		Entries []struct {
			File, Format string
			StrictJSON   bool `json:"strict_json"`
		}
	}
	if err := json.Unmarshal(testkit.Read(t, dir, "index.json"), &index); err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, entry := range index.Entries {
		if entry.Format == "json" && entry.StrictJSON {
			texts = append(texts, string(testkit.Read(t, dir, entry.File)))
		}
	}
	more, _ := filepath.Glob(filepath.Join(testkit.Dir(t, "definitions"), "valid", "*.json"))
	for _, name := range more {
		texts = append(texts, string(testkit.Read(t, name)))
	}
	made, told := make([]int, len(planted)), make([]int, len(planted))
	for _, text := range texts {
		src := &source.File{Name: "t.json", Data: []byte(text)}
		root, problem := source.Read(src, nil)
		if problem != nil || len(text) > 30_000 {
			continue
		}
		if machine, _ := asl.Parse(src); machine == nil {
			continue
		}
		var before map[string]bool
		for k := range planted {
			spots(text, root, nil, func(s *spot) bool {
				value, fits := planted[k].plant(s)
				if !fits || made[k] == perKind {
					return made[k] < perKind
				}
				at := s.at
				if planted[k].ofKey {
					at = s.keyAt
				}
				if before == nil {
					before = complaints(text)
				}
				made[k]++
				after := complaints(text[:at.Start.Offset] + value + text[at.End.Offset:])
				maps.DeleteFunc(after, func(key string, _ bool) bool { return before[key] })
				if len(after) > 0 {
					told[k]++
				}
				return false // one of a kind in a definition
			})
		}
	}
	for k, kind := range planted {
		t.Logf("%3d of %3d  %s", told[k], made[k], kind.name)
		if made[k] == 0 || told[k]*100 < made[k]*kind.least {
			t.Errorf("%s: told %d of %d, want %d %%", kind.name, told[k], made[k], kind.least)
		}
	}
}

// complaints returns what is told of a definition, errors and warnings.
func complaints(text string) map[string]bool {
	_, problems := find(text, Options{})
	list := make(map[string]bool)
	for _, d := range problems {
		list[d.Rule+" "+d.Pointer+" "+d.Message] = true
	}
	return list
}
