package wording

import "strings"

// Markdown returns s as one line of a page in Markdown, as code hosts read it. It shows as written in a paragraph, a
// heading, an item of a list and a cell of a table; no part of it is a link, an image, code, emphasis or HTML. An
// address of mail may become a link to itself.
func Markdown(s string) string {
	s = markdown.Replace(Line(s))
	text := strings.TrimLeft(s, " ")
	indent := s[:min(len(s)-len(text), 3)] // four would make code of it
	number := len(text) - len(strings.TrimLeft(text, "0123456789"))
	if rest := text[number:]; rest != "" && (number == 0 && strings.Contains(">+-=", rest[:1]) || number > 0 && isItem(rest)) {
		text = text[:number] + `\` + rest
	}
	return indent + text
}

// isItem reports whether a text behind a number makes an item of a list of it.
func isItem(rest string) bool {
	return (rest[0] == '.' || rest[0] == ')') && (len(rest) == 1 || rest[1] == ' ')
}

var markdown = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "~", `\~`, "#", `\#`, "|", `\|`, "[", `\[`, "<", "&lt;", "&", "&amp;",
	"://", `\://`, "www.", `www\.`)

// Code returns s as code within a line of Markdown. In a table each | of it needs a backslash before it.
func Code(s string) string {
	s = Line(s)
	fence := fenceOf(s, 1)
	if strings.Trim(s, " ") == "" || len(fence) > 1 || s[0] == ' ' && s[len(s)-1] == ' ' {
		s = " " + s + " " // one blank at each end belongs to the fences
	}
	return fence + s + fence
}

// Fenced returns the lines of a text as a block of code in Markdown, each behind an indent, which belongs to the item
// of a list around it.
func Fenced(indent, language, text string) string {
	fence := fenceOf(text, 3)
	text = strings.TrimSuffix(Text(text), "\n")
	return indent + fence + language + "\n" + indent + strings.ReplaceAll(text, "\n", "\n"+indent) + "\n" + indent + fence + "\n"
}

// fenceOf returns backquotes that a text does not have, as few as it can be, and at least as many as that.
func fenceOf(text string, least int) string {
	fence := strings.Repeat("`", least)
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence
}
