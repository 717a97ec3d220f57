package wording

import (
	"fmt"
	"strings"
)

// Shell returns a word of a command line that bash, zsh, ksh and the shell of POSIX 2024 read as the text. It has no
// hidden character, so that a terminal acts on none: a word with one is written with escapes ($'...').
func Shell(word string) string {
	switch {
	case word == "":
		return "''"
	case hasHidden(word):
		return "$'" + escapes(word) + "'"
	case word[0] != '=' && strings.IndexFunc(word, special) < 0:
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// ShellFile is [Shell] for the name of a file, which is not read as an option.
func ShellFile(name string) string {
	if strings.HasPrefix(name, "-") && name != "-" {
		name = "./" + name
	}
	return Shell(name)
}

// special reports whether a shell may take a character as something else.
func special(r rune) bool {
	letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	return !letter && !strings.ContainsRune("_./:@%+,=-", r)
}

func hasHidden(text string) bool {
	for text != "" {
		shown, size := Next(text)
		if shown != text[:size] {
			return true
		}
		text = text[size:]
	}
	return false
}

// escapes returns a text for $'...': the bytes of hidden characters by their numbers, which have three digits, so that
// a digit may follow.
func escapes(text string) string {
	var b strings.Builder
	for text != "" {
		shown, size := Next(text)
		switch raw := text[:size]; {
		case raw == "\n", raw == "\t", raw == "\r":
			b.WriteString(shown)
		case raw == "'", raw == `\`:
			b.WriteString(`\` + raw)
		case shown == raw:
			b.WriteString(raw)
		default:
			for i := range size {
				fmt.Fprintf(&b, `\%03o`, raw[i])
			}
		}
		text = text[size:]
	}
	return b.String()
}
