package report

import (
	"cmp"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"
)

const (
	sarifSchema  = "https://json.schemastore.org/sarif-2.1.0.json"
	sarifVersion = "2.1.0"
	// sarifRoot is the id that GitHub and others give the root of the checked-out files.
	sarifRoot = "%SRCROOT%"
)

// The objects of the Static Analysis Results Interchange Format 2.1.0, as far as they are written.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool            `json:"tool"`
		Bases      map[string]sarifBase `json:"originalUriBaseIds"`
		ColumnKind string               `json:"columnKind"`
		Artifacts  []sarifFile          `json:"artifacts"`
		Results    []sarifResult        `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifBase struct {
		Description sarifText `json:"description"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifFile struct {
		Location sarifName `json:"location"`
	}
	sarifName struct {
		Description *sarifText `json:"description,omitempty"`
		URI         string     `json:"uri,omitempty"`
		Base        string     `json:"uriBaseId,omitempty"`
	}
	sarifRule struct {
		ID            string         `json:"id"`
		Short         *sarifText     `json:"shortDescription,omitempty"`
		Full          *sarifText     `json:"fullDescription,omitempty"`
		Configuration *sarifLevel    `json:"defaultConfiguration,omitempty"`
		Help          *sarifText     `json:"help,omitempty"`
		HelpURI       string         `json:"helpUri,omitempty"`
		Properties    *sarifRuleTags `json:"properties,omitempty"`
	}
	sarifLevel struct {
		Level string `json:"level"`
	}
	sarifRuleTags struct {
		Tags     []string `json:"tags"`
		Severity string   `json:"problem.severity"`
	}
	sarifResult struct {
		Rule         string            `json:"ruleId"`
		Index        int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Fingerprints map[string]string `json:"partialFingerprints"`
		Related      []sarifLocation   `json:"relatedLocations,omitempty"`
		Fixes        []sarifFix        `json:"fixes,omitempty"`
		Properties   *sarifWords       `json:"properties,omitempty"`
	}
	sarifWords struct {
		Wording string `json:"wording"`
	}
	sarifLocation struct {
		Physical sarifPhysical  `json:"physicalLocation"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
		Message  *sarifText     `json:"message,omitempty"`
		ID       int            `json:"id,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifName    `json:"artifactLocation"`
		Region   *sarifRegion `json:"region,omitempty"`
	}
	sarifLogical struct {
		Name string `json:"fullyQualifiedName"`
		Kind string `json:"kind"`
	}
	sarifRegion struct {
		Line    int `json:"startLine"`
		Col     int `json:"startColumn"`
		EndLine int `json:"endLine,omitempty"`
		EndCol  int `json:"endColumn,omitempty"`
	}
	sarifFix struct {
		Description sarifText     `json:"description"`
		Changes     []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		Artifact     sarifName          `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		Deleted  sarifRegion `json:"deletedRegion"`
		Inserted sarifText   `json:"insertedContent"`
	}
)

const sarifRootText = "the root of the repository, or the folder in which asldb ran"

// SARIF writes problems as one log in the Static Analysis Results Interchange Format 2.1.0, with their rules. Columns
// count characters, as the log says. The fingerprints are a baseline's.
func SARIF(w io.Writer, list []Finding, look Look) error {
	run := sarifRun{
		Tool:       sarifTool{sarifDriver{Name: "asldb", Version: look.Version, Rules: []sarifRule{}}},
		Bases:      map[string]sarifBase{sarifRoot: {sarifText{sarifRootText}}},
		ColumnKind: "unicodeCodePoints", Artifacts: []sarifFile{}, Results: []sarifResult{},
	}
	named := map[string]bool{}
	artifact := func(file string) {
		if file != "" && !named[file] {
			named[file] = true
			run.Artifacts = append(run.Artifacts, sarifFile{look.sarifName(file)})
		}
	}
	for i := range list {
		if g := list[i].Group; g != nil {
			for _, file := range g.Files {
				artifact(file)
			}
		}
		artifact(list[i].Place.File)
	}
	index, seen := map[string]int{}, digests{}
	for _, f := range problems(list) {
		at, known := index[f.kind()]
		if !known {
			at = len(run.Tool.Driver.Rules)
			index[f.kind()] = at
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRuleOf(f))
		}
		run.Results = append(run.Results, look.sarifResult(f, at, seen))
	}
	return JSON(w, sarifLog{sarifSchema, sarifVersion, []sarifRun{run}})
}

func sarifRuleOf(f *Finding) sarifRule {
	r := f.About
	if r == nil {
		return sarifRule{ID: f.kind()}
	}
	severity := r.Severity.String()
	if r.Severity == Hint { // in the words of GitHub's code scanning
		severity = "recommendation"
	}
	return sarifRule{
		ID: f.kind(), Short: &sarifText{r.Summary}, Full: &sarifText{r.Explanation}, Configuration: &sarifLevel{sarifLevelOf(r.Severity)},
		Help: &sarifText{r.Section}, HelpURI: r.URL, Properties: &sarifRuleTags{r.Tags, severity},
	}
}

func sarifLevelOf(s Severity) string {
	switch s {
	case Warning:
		return "warning"
	case Hint:
		return "note"
	case Error, Broken, Passed, Skipped:
	}
	return "error"
}

// escapeLink escapes the characters that end the text of a link (SARIF, section 3.11.6).
var escapeLink = strings.NewReplacer(`\`, `\\`, `[`, `\[`, `]`, `\]`)

func (l Look) sarifResult(f *Finding, rule int, seen digests) sarifResult {
	text := f.Text
	if f.Subject != "" {
		text = f.Subject + ": " + text
	}
	if f.Advice != "" {
		text += "; " + f.Advice
	}
	r := sarifResult{Rule: f.kind(), Index: rule, Level: sarifLevelOf(f.Severity), Locations: []sarifLocation{l.sarifLocation(f.Place)}}
	for _, reason := range f.Related {
		if reason.Place.Line == 0 {
			text += "\n" + reason.Text
			continue
		}
		id := len(r.Related) + 1
		text += fmt.Sprintf("\n[%s](%d)", escapeLink.Replace(reason.Text), id)
		at := l.sarifLocation(Place{
			File: cmp.Or(reason.Place.File, f.Place.File), Line: reason.Place.Line, Col: reason.Place.Col, EndLine: reason.Place.EndLine, EndCol: reason.Place.EndCol,
		})
		at.Message, at.ID = &sarifText{reason.Text}, id
		r.Related = append(r.Related, at)
	}
	r.Message = sarifText{text}
	if f.Words != "" {
		r.Properties = &sarifWords{f.Words}
	}
	r.Fingerprints = map[string]string{"asldb/v2": seen.of(f, l)}
	if fix := f.Fix; fix != nil && fix.Place.isFile() {
		kind := "possible: "
		if fix.Certain {
			kind = "certain: "
		}
		r.Fixes = []sarifFix{{sarifText{kind + fix.Description}, []sarifChange{{
			l.sarifName(fix.Place.File), []sarifReplacement{{*regionOf(fix.Place), sarifText{fix.Text}}},
		}}}}
	}
	return r
}

func (l Look) sarifLocation(p Place) sarifLocation {
	at := sarifLocation{Physical: sarifPhysical{Artifact: l.sarifName(p.File), Region: regionOf(p)}}
	if p.Pointer != "" {
		at.Logical = []sarifLogical{{p.Pointer, "value"}}
	}
	return at
}

// regionOf is a stretch of a file; nil where the line is not known. SARIF wants an end that is not before the
// beginning.
func regionOf(p Place) *sarifRegion {
	if p.Line == 0 {
		return nil
	}
	r := &sarifRegion{Line: p.Line, Col: max(p.Col, 1)}
	if p.EndLine > p.Line || p.EndLine == p.Line && p.EndCol > p.Col {
		r.EndLine, r.EndCol = p.EndLine, p.EndCol
	}
	return r
}

// sarifName names a file by a URI reference: one below the root from there, another one by its path. Standard input has
// none: its name goes into a description.
func (l Look) sarifName(file string) sarifName {
	if !(Place{File: file}).isFile() {
		return sarifName{Description: &sarifText{file}}
	}
	name := l.home(file)
	if filepath.IsLocal(name) {
		return sarifName{URI: (&url.URL{Path: name}).String(), Base: sarifRoot} // it puts ./ before a name with a colon
	}
	if absolute, err := filepath.Abs(name); err == nil {
		name = absolute
	}
	return sarifName{URI: fileURI(filepath.ToSlash(name))}
}

// fileURI returns the URI of a file by its absolute path with slashes. On Windows a path begins with a drive, C:/, or
// two slashes and a computer.
func fileURI(path string) string {
	u := url.URL{Scheme: "file", Path: path}
	if share, ok := strings.CutPrefix(path, "//"); ok {
		host, rest, _ := strings.Cut(share, "/")
		u.Host, u.Path = host, "/"+rest
	} else if !strings.HasPrefix(path, "/") {
		u.Path = "/" + path
	}
	return u.String()
}
