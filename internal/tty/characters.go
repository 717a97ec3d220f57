package tty

import (
	"os"
	"strings"
)

// utf8Page is the number of UTF-8 among the code pages of Windows.
const utf8Page = 65001

// Unicode reports whether a screen on the terminal of this process can have characters besides ASCII: not where the locale (LC_ALL, LC_CTYPE,
// LANG) names another character set than UTF-8, nor on an older console of Windows with another code page, whose fonts lack them.
func Unicode() bool { return unicodeBy(os.Getenv, codePage()) }

// unicodeBy is Unicode for an environment and the code page of a console, which is 0 where there is none.
func unicodeBy(getenv func(string) string, page uint32) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := getenv(name); locale != "" {
			_, set, named := strings.Cut(locale, ".")
			set, _, _ = strings.Cut(set, "@")
			if set = strings.ToLower(strings.ReplaceAll(set, "-", "")); named && set != "utf8" {
				return false
			}
			break
		}
	}
	if page == 0 || page == utf8Page {
		return true
	}
	for _, name := range []string{"WT_SESSION", "TERM_PROGRAM", "TERM", "ConEmuPID"} { // newer terminals on Windows
		if getenv(name) != "" {
			return true
		}
	}
	return false
}
