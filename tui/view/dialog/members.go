package dialog

import (
	"encoding/json"
	"slices"
	"strings"

	"asldb/engine/services"
	"asldb/tui/view"
)

// place is where the cursor is in a JSON document that is being typed.
type place struct {
	// path leads to the object or value: names of members, "" for an item of an array.
	path []string
	// key: the name of a member is typed, not a value.
	key bool
	// typed is the part of the name or text before the cursor; quoted: its quote is before it.
	typed  string
	quoted bool
	// given are the members of the object before the cursor.
	given []string
}

// level is an object or array that is open at the cursor.
type level struct {
	array bool
	name  string // of the member whose value comes
	value bool   // behind the colon
	given []string
}

// placeOf returns the place at the end of a text, the part of a document before the cursor. It is false where neither a name
// nor a value can be.
func placeOf(text string) (place, bool) {
	var open []level
	begun, quoted := -1, false // of the token at the end
	ended := false             // behind a value: a comma comes first
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '"':
			end := endOfString(text, i)
			if end < 0 {
				begun, quoted, i = i+1, true, len(text)
				break
			}
			begun = -1
			if n := len(open); n > 0 && !open[n-1].array && !open[n-1].value {
				_ = json.Unmarshal([]byte(text[i:end+1]), &open[n-1].name)
				open[n-1].given = append(open[n-1].given, open[n-1].name)
			}
			ended, i = true, end
		case c == '{' || c == '[':
			open = append(open, level{array: c == '['})
			begun, ended = -1, false
		case c == '}' || c == ']':
			open = open[:max(len(open)-1, 0)]
			begun, ended = -1, true
		case c == ':' && len(open) > 0:
			open[len(open)-1].value = true
			begun, ended = -1, false
		case c == ',' && len(open) > 0:
			open[len(open)-1].value, open[len(open)-1].name = false, ""
			begun, ended = -1, false
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			if begun >= 0 {
				begun, ended = -1, true
			}
		case begun < 0:
			begun = i
		}
	}
	if len(open) == 0 || ended && begun < 0 {
		return place{}, false
	}
	p := place{quoted: quoted}
	for _, l := range open[:len(open)-1] {
		p.path = append(p.path, l.name)
	}
	if begun >= 0 {
		p.typed = text[begun:]
	}
	last := open[len(open)-1]
	p.key = !last.array && !last.value
	if p.key {
		p.given = last.given
	} else {
		p.path = append(p.path, last.name)
	}
	return p, true
}

// endOfString returns the place of the quote that ends the string that begins at i, -1 where there is none.
func endOfString(text string, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

// givenAfter returns the members of the object that the cursor is in, from there on.
func givenAfter(text string) []string {
	var given []string
	depth := 0
	for i := 0; i < len(text) && depth >= 0; i++ {
		switch text[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			end := endOfString(text, i)
			if end < 0 {
				return given
			}
			if name := ""; depth == 0 && strings.HasPrefix(strings.TrimLeft(text[end+1:], " \t\n"), ":") && json.Unmarshal([]byte(text[i:end+1]), &name) == nil {
				given = append(given, name)
			}
			i = end
		}
	}
	return given
}

// parameterCompletions returns the completions between two parts of a call's payload, before and after the cursor, and
// how many characters of the first they replace.
func parameterCompletions(call *services.Call, before, after string) (list []view.Completion, typed int) {
	p, ok := placeOf(before)
	if !ok {
		return nil, 0
	}
	shape := call.Parameter(p.path)
	if shape == nil {
		return nil, 0
	}
	quote := `"`
	if p.quoted {
		quote = ""
	}
	if !p.key {
		return valueCompletions(shape, p, quote), len([]rune(p.typed))
	}
	if shape.Kind != services.Structure {
		return nil, 0
	}
	p.given = append(p.given, givenAfter(after)...)
	for _, m := range call.MembersWith(shape, p.typed) {
		name := call.Name(m)
		if slices.Contains(p.given, name) {
			continue
		}
		about := m.Shape.Kind.String()
		if m.Required {
			about += ", required"
		}
		list = append(list, view.Completion{Text: quote + name + `": `, Shown: name, About: about})
	}
	return list, len([]rune(p.typed))
}

func valueCompletions(shape *services.Shape, p place, quote string) []view.Completion {
	var list []view.Completion
	for _, word := range shape.Enum {
		if strings.HasPrefix(strings.ToLower(word), strings.ToLower(p.typed)) {
			list = append(list, view.Completion{Text: quote + word + `"`, Shown: word})
		}
	}
	if shape.Kind == services.Boolean && !p.quoted {
		for _, word := range []string{"true", "false"} {
			if strings.HasPrefix(word, p.typed) {
				list = append(list, view.Completion{Text: word, Shown: word})
			}
		}
	}
	return list
}
