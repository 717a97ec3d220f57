package path

import "strings"

var quotes = strings.NewReplacer(`\`, `\\`, `'`, `\'`)

// Member returns the segment of a path that leads to the member of a name: ".name", or "['a name']" where the name needs
// quotes.
func Member(name string) string {
	if Plain(name) {
		return "." + name
	}
	return "['" + quotes.Replace(name) + "']"
}

// Plain reports whether a name consists of letters of ASCII, digits and underscores, so that it can follow a dot in a
// path and in JSONata.
func Plain(name string) bool {
	for i, r := range name {
		letter := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != ""
}
