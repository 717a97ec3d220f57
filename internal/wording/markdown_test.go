package wording_test

import (
	"bytes"
	"fmt"
	"html"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"asldb/internal/testkit"
	"asldb/internal/wording"
)

func TestMarkdown(t *testing.T) {
	for text, want := range map[string]string{
		"a_b*c|d":       `a\_b\*c\|d`,
		"[x](http://y)": `\[x](http\://y)`,
		"<b>`code`":     "&lt;b>\\`code\\`",
		`a\|b`:          `a\\\|b`,
		"two\nlines":    `two\\nlines`,
		"129.90 -> 1.":  "129.90 -> 1.",
		"- 1":           `\- 1`,
		" 10. x":        ` 10\. x`,
	} {
		if got := wording.Markdown(text); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

// pages are the places of a text in a page, and the HTML that shows it there.
var pages = []struct{ page, shown string }{
	{"%s", "<p>%s</p>"},
	{"a **%s**, b", "<p>a <strong>%s</strong>, b</p>"},
	{"## %s", "<h2>%s</h2>"},
	{"- %s\n- b", "<ul>\n<li>%s</li>\n<li>b</li>\n</ul>"},
	{"a\n\n1. b\n   - %s", "<p>a</p>\n<ol>\n<li>b\n<ul>\n<li>%s</li>\n</ul>\n</li>\n</ol>"},
	{"| a | b |\n|---|---|\n| %s | c |", "<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>%s</td>\n<td>c</td>\n</tr>\n</tbody>\n</table>"},
}

// reader reads pages as GitHub does.
var reader = goldmark.New(goldmark.WithExtensions(extension.GFM))

func checkPage(t *testing.T, page, frame, shown string) {
	t.Helper()
	var b bytes.Buffer
	if err := reader.Convert([]byte(page), &b); err != nil {
		t.Fatal(err)
	}
	got := strings.TrimRight(b.String(), "\n")
	before, behind, _ := strings.Cut(frame, "%s")
	inner, begun := strings.CutPrefix(got, before)
	inner, ended := strings.CutSuffix(inner, behind)
	if !begun || !ended || strings.Contains(inner, "<") || html.UnescapeString(inner) != shown {
		t.Errorf("%q is %q, want %q in %q", page, got, shown, frame)
	}
}

// checkMarkdown checks a text at all places of a page: it is shown as it is in a line, and is nothing else.
func checkMarkdown(t *testing.T, text string) {
	line := wording.Line(text)
	if strings.Trim(line, " ") == "" {
		return
	}
	for _, p := range pages {
		if strings.Contains(p.page, "**") && line != strings.TrimSpace(line) {
			continue // no emphasis begins or ends at a blank
		}
		checkPage(t, fmt.Sprintf(p.page, wording.Markdown(text)), p.shown, strings.Trim(line, " "))
	}
	checkPage(t, "a "+wording.Code(text)+" b", "<p>a <code>%s</code> b</p>", line)
	checkPage(t, "- a\n\n"+wording.Fenced("  ", "sh", line)+"- b",
		"<ul>\n<li>\n<p>a</p>\n<pre><code class=\"language-sh\">%s\n</code></pre>\n</li>\n<li>\n<p>b</p>\n</li>\n</ul>",
		line)
}

func TestHostileMarkdown(t *testing.T) {
	for _, text := range testkit.Hostile {
		checkMarkdown(t, text)
		checkMarkdown(t, "a "+text+" b "+text)
	}
	checkMarkdown(t, strings.Join(testkit.Hostile, "d"))
}

func FuzzMarkdown(f *testing.F) {
	for _, text := range testkit.Hostile {
		f.Add(text)
	}
	for _, text := range []string{"# a", "a #", "> a", "1. a", "12) b", "1.", "---", "===", "    a", "- [ ] a", "~~a~~",
		"a\\", "&amp; &#35;", "``` `` `", " ` ", "www.a.example", "[a]: b", "| a |"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ContainsAny(text, "@\x00") || strings.Contains(wording.Line(text), "\ufffd") {
			return // an address of mail is a link to itself
		}
		checkMarkdown(t, text)
	})
}
