package wording

import (
	"regexp"
	"sync"
)

// Pattern returns a regular expression that is compiled at its first use: the program has dozens of them, and a command
// needs few. It panics then where the syntax is wrong.
func Pattern(syntax string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(syntax) })
}
