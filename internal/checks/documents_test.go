package checks

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

const root = "../.."

var (
	fence   = regexp.MustCompile("(?ms)^ *(```|~~~).*?^ *(```|~~~) *$")
	code    = regexp.MustCompile("`[^`\n]*`")
	link    = regexp.MustCompile(`\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)`)
	picture = regexp.MustCompile(`(?:src|srcset|href)="([^"]+)"`)
	heading = regexp.MustCompile(`(?m)^#{1,6} +(.*?) *#*$`)
	anchor  = regexp.MustCompile(`<a (?:name|id)="([^"]+)"`)
)

// pages returns the paths of all pages in Markdown, from the root of the project.
func pages(t *testing.T) []string {
	t.Helper()
	var found []string
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == ".git" || entry.Name() == "testdata" && name != "testdata" ||
			entry.Name() == "node_modules"):
			return fs.SkipDir
		case !entry.IsDir() && path.Ext(name) == ".md":
			found = append(found, name)
		}
		return nil
	})
	if err != nil || len(found) < 20 {
		t.Fatalf("%d pages: %v", len(found), err)
	}
	return found
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// anchors returns the anchors of a page as GitHub makes them: the words of a heading with dashes between them, and a
// number for a heading that comes up again.
func anchors(text string) []string {
	text = fence.ReplaceAllString(text, "")
	var found []string
	times := make(map[string]int)
	for _, match := range heading.FindAllStringSubmatch(text, -1) {
		title := regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`).ReplaceAllString(match[1], "$1")
		name := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case unicode.IsLetter(r), unicode.IsNumber(r), r == '-', r == '_':
				return unicode.ToLower(r)
			}
			return -1
		}, title)
		if n := times[name]; n > 0 {
			found = append(found, fmt.Sprintf("%s-%d", name, n))
		} else {
			found = append(found, name)
		}
		times[name]++
	}
	for _, match := range anchor.FindAllStringSubmatch(text, -1) {
		found = append(found, match[1])
	}
	return found
}

// targets returns the targets of the links and pictures of a page.
func targets(text string) []string {
	text = code.ReplaceAllString(fence.ReplaceAllString(text, ""), "")
	var found []string
	for _, expression := range []*regexp.Regexp{link, picture} {
		for _, match := range expression.FindAllStringSubmatch(text, -1) {
			found = append(found, match[1])
		}
	}
	return found
}

// broken returns the reason why a link of a page leads nowhere; empty where it leads somewhere, or out of the project.
func broken(page, target string, exists func(string) bool, headings func(page string) []string) string {
	if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
		return ""
	}
	file, fragment, _ := strings.Cut(target, "#")
	name := page
	if file != "" {
		if name = path.Join(path.Dir(page), file); strings.HasPrefix(name, "../") || !exists(name) {
			return "there is no " + name
		}
	}
	if fragment != "" && path.Ext(name) == ".md" && !slices.Contains(headings(name), fragment) {
		return name + " has no heading for #" + fragment
	}
	return ""
}

func exists(name string) bool {
	_, err := os.Stat(filepath.Join(root, filepath.FromSlash(name)))
	return err == nil
}

func TestLinksLeadSomewhere(t *testing.T) {
	count := 0
	headings := make(map[string][]string)
	headingsOf := func(name string) []string {
		if _, known := headings[name]; !known {
			headings[name] = anchors(read(t, name))
		}
		return headings[name]
	}
	for _, page := range pages(t) {
		for _, target := range targets(read(t, page)) {
			count++
			if reason := broken(page, target, exists, headingsOf); reason != "" {
				t.Errorf("%s: (%s): %s", page, target, reason)
			}
		}
	}
	if count < 50 {
		t.Errorf("only %d links were found", count)
	}
}

// The start page of the documentation leads to every page beside it.
func TestPagesAreListed(t *testing.T) {
	listed := targets(read(t, "docs/README.md"))
	for _, page := range pages(t) {
		if folder, name := path.Split(page); folder == "docs/" && name != "README.md" &&
			!slices.Contains(listed, name) {
			t.Errorf("docs/README.md does not list %s", name)
		}
	}
}

// TestBrokenLinks: the check finds links that lead nowhere.
func TestBrokenLinks(t *testing.T) {
	const page = "# A `b`: c\n\n## Twice\n\n## Twice\n\n```\n# none\n[x](none.md)\n```\n[a](#a-b-c) [b](#twice-1) [c](#none) `[d](none.md)` [e](gone.md) [f](https://x.y) <img src=\"gone.svg\"> [g](../up.md)\n"
	var found []string
	for _, target := range targets(page) {
		if reason := broken("docs/p.md", target, func(name string) bool { return name == "up.md" },
			func(string) []string { return anchors(page) }); reason != "" {
			found = append(found, reason)
		}
	}
	want := []string{"docs/p.md has no heading for #none", "there is no docs/gone.md", "there is no docs/gone.svg"}
	if !slices.Equal(found, want) {
		t.Errorf("found %q, want %q", found, want)
	}
}

var (
	inBackquotes = regexp.MustCompile("`([^`\n]+)`")
	file         = regexp.MustCompile(`^\.?[a-zA-Z][\w.-]*(/[\w.-]+)+$|^[\w-]+\.(go|md|yml|json)$`)
)

// TestFilesThatAreNamed: the files and folders that the pages for contributors name are there.
func TestFilesThatAreNamed(t *testing.T) {
	for page, least := range map[string]int{"CONTRIBUTING.md": 40, "SECURITY.md": 4, "docs/architecture.md": 20} {
		count := 0
		text := fence.ReplaceAllString(read(t, page), "")
		for _, match := range inBackquotes.FindAllStringSubmatch(text, -1) {
			if name := match[1]; file.MatchString(name) && strings.Contains(name, "/") {
				count++
				if !exists(name) {
					t.Errorf("%s names %s, which is not there", page, name)
				}
			}
		}
		if count < least {
			t.Errorf("%s names %d files, want at least %d", page, count, least)
		}
	}
}

// TestTestsThatAreNamed: each test that CONTRIBUTING.md names by -run is in a package that it names with it, and each
// package has one.
func TestTestsThatAreNamed(t *testing.T) {
	text := strings.ReplaceAll(read(t, "CONTRIBUTING.md"), "\n", " ")
	command := regexp.MustCompile("(?:cd ([^` ]+) && )?go test ([^`]*?)-run '?([^`' ]+)")
	commands := command.FindAllStringSubmatch(text, -1)
	if got, want := len(commands), strings.Count(text, "-run "); got < want || got < 12 {
		t.Errorf("%d of %d commands with -run are read", got, want)
	}
	for _, command := range commands {
		var all []string
		folders := strings.Fields(command[2])
		if len(folders) == 0 {
			folders = []string{command[1]} // cd FOLDER && go test -run
		}
		for _, folder := range folders {
			folder, below := strings.CutSuffix(strings.TrimPrefix(folder, "./"), "/...")
			names := testsIn(t, folder, below)
			all = append(all, names...)
			if expression := regexp.MustCompile(command[3]); !slices.ContainsFunc(names, expression.MatchString) {
				t.Errorf("CONTRIBUTING.md: no test of %s matches %s", folder, command[3])
			}
		}
		for name := range strings.SplitSeq(command[3], "|") {
			if !slices.ContainsFunc(all, regexp.MustCompile(name).MatchString) {
				t.Errorf("CONTRIBUTING.md: no test of %s matches %s", folders, name)
			}
		}
	}
}

// testsIn returns the names of the tests of a package, or also of the ones below it.
func testsIn(t *testing.T, folder string, below bool) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(filepath.Join(root, folder), func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && !below && name != filepath.Join(root, folder):
			return fs.SkipDir
		case !strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(name)
		tests := regexp.MustCompile(`(?m)^func ((?:Test|Example)\w*)\(`)
		for _, match := range tests.FindAllStringSubmatch(string(text), -1) {
			found = append(found, match[1])
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return found
}
