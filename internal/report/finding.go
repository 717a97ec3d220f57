package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Severity is the importance of a finding, or the outcome of a case.
type Severity uint8

// The severities. Broken is the one of a case that could not be tried; Passed and Skipped belong to cases without a
// finding.
const (
	Error Severity = iota
	Warning
	Hint
	Broken
	Passed
	Skipped
)

// String returns "error", "warning", "hint", "passed" or "skipped".
func (s Severity) String() string {
	switch s {
	case Warning:
		return "warning"
	case Hint:
		return "hint"
	case Passed:
		return "passed"
	case Skipped:
		return "skipped"
	case Error, Broken:
	}
	return "error"
}

// Tone returns the tone of the severity.
func (s Severity) Tone() Tone {
	switch s {
	case Warning:
		return Caution
	case Hint, Skipped:
		return Quiet
	case Passed:
		return Good
	case Error, Broken:
	}
	return Bad
}

// Place is a stretch of a file. Lines and columns count from 1; 0: unknown. EndCol is behind the last character.
type Place struct {
	File    string `json:"file"`
	Line    int    `json:"line,omitempty"`
	Col     int    `json:"column,omitempty"`
	EndLine int    `json:"endLine,omitempty"`
	EndCol  int    `json:"endColumn,omitempty"`
	// Pointer is the JSON Pointer of the value there.
	Pointer string `json:"pointer,omitempty"`
}

// String returns the place as compilers write it: "a.json:3:5".
func (p Place) String() string {
	text := p.File
	for _, n := range []int{p.Line, p.Col} {
		if n == 0 {
			break
		}
		text += ":" + strconv.Itoa(n)
	}
	return text
}

// isFile reports whether the place is in a file, and not in standard input.
func (p Place) isFile() bool { return p.File != "" && !strings.HasPrefix(p.File, "<") }

// Related is a place with a text: a reason of a finding.
type Related struct {
	Place
	Text string `json:"text"`
}

// Fix is a change that ends a finding.
type Fix struct {
	Certain     bool   `json:"certain"`
	Description string `json:"description"`
	Place
	Text string `json:"text"`
}

// Rule is the rule that a finding is about, for lists of rules.
type Rule struct {
	Summary, Explanation, Section, URL string
	Severity                           Severity
	Tags                               []string
}

// Property is a name with its value.
type Property struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

// Group is the machine or the suite that findings are about.
type Group struct {
	Name, File string
	// Class is the class of its cases in JUnit's terms; empty: its name.
	Class string
	// Files are the files that were read, for lists of artifacts.
	Files []string
	// Began is the time at which its first case began.
	Began time.Time
	Took  time.Duration
	// Summary is a line about the group; Out is more about it, in lines.
	Summary, Out string
	Properties   []Property
}

// Finding is a problem at a place, or the outcome of a case.
type Finding struct {
	Place Place
	// Rule is the identity of the kind of problem; About describes it, and may be nil.
	Rule  string
	About *Rule
	// Severity of an Error, and where Fails is set also of another one, is a failure in JUnit's terms.
	Severity Severity
	Fails    bool
	// Type is the word of the problem in JUnit's terms; empty: its rule.
	Type string
	// Text is one sentence; Advice is the correction that it suggests, and More the excerpt, the difference or the
	// path, in lines.
	Text, Advice string
	// Words tells whose words Text has, where that is known.
	Words   string
	More    []string
	Related []Related
	Fix     *Fix
	// Group and Subject are the machine or suite and the case; Group may be nil.
	Group   *Group
	Subject string
	Took    time.Duration
	// Properties are figures of the case, and Out is what it says where it passed.
	Properties []Property
	Out        string
	// Parts are the problems of a case one by one, for forms that have places. JUnit has the case.
	Parts []Finding
	// Again is set where the finding is, at the same place, the one of another case before: forms with places name it
	// once.
	Again bool
	// Digest tells the finding from all others, also in a later run; empty: it is made of the rule, the file, the
	// subject and the text.
	Digest string
}

// JSONFinding has the members of a finding that are the same in the JSON of all commands, which add others.
type JSONFinding struct {
	Place
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	// Subject is the case or the mutant that the finding is about.
	Subject string    `json:"subject,omitempty"`
	Text    string    `json:"text"`
	Related []Related `json:"related,omitempty"`
	Fix     *Fix      `json:"fix,omitempty"`
}

// JSON returns the members of a finding that are the same in the JSON of all commands.
func (f *Finding) JSON() JSONFinding {
	return JSONFinding{f.Place, f.kind(), f.Severity.String(), f.Subject, f.Text, f.Related, f.Fix}
}

// parts are the findings of a list, each case that has parts as these.
func parts(list []Finding) []*Finding {
	var all []*Finding
	for i := range list {
		if f := &list[i]; len(f.Parts) > 0 {
			all = append(all, parts(f.Parts)...)
		} else {
			all = append(all, f)
		}
	}
	return all
}

// problems are the findings that are problems.
func problems(list []Finding) []*Finding {
	return slices.DeleteFunc(parts(list), func(f *Finding) bool { return f.Severity > Broken || f.Again })
}

// lines are the sentence of a finding with its reasons and its advice.
func (f *Finding) lines() string {
	lines := []string{f.Text}
	for _, r := range f.Related {
		text := r.Text
		if r.Place.Line > 0 {
			text += " (" + Place{File: r.Place.File, Line: r.Place.Line}.String() + ")"
		}
		lines = append(lines, text)
	}
	if f.Advice != "" {
		lines = append(lines, f.Advice)
	}
	return strings.Join(lines, "\n")
}

// kind is the rule of a finding, or its severity where it has none.
func (f *Finding) kind() string { return cmp.Or(f.Rule, f.Severity.String()) }

// digests numbers the findings that look the same.
type digests map[string]int

// of returns a digest that no finding before has.
func (d digests) of(f *Finding, look Look) string {
	digest := f.Digest
	if digest == "" {
		digest = Digest(f.Rule, look.home(f.Place.File), f.Subject, f.Text)
	}
	d[digest]++
	return digest + ":" + strconv.Itoa(d[digest])
}

// Digest makes a digest of texts.
func Digest(texts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(texts, "\x00")))
	return hex.EncodeToString(sum[:16])
}

// home names a file from the root of the repository, with slashes.
func (l Look) home(file string) string {
	if l.Home != nil && file != "" && !strings.HasPrefix(file, "<") {
		file = l.Home(file)
	}
	return filepath.ToSlash(file)
}
