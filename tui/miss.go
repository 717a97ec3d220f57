package tui

import (
	"errors"
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/jsonata"
	"asldb/engine/path"
	"asldb/engine/value"
	"asldb/tui/keys"
	"asldb/tui/part/theme"
)

// faultWords says more about an error that the engine itself found: how far a path got, and where in
// the definition the field stands.
func (u *ui) faultWords(f *engine.Failure) []para {
	var words []para
	var miss *path.MissError
	if errors.As(f.Err, &miss) {
		words = u.missWords(miss)
	}
	var fault *jsonata.Error
	if errors.As(f.Err, &fault) && fault.Code == jsonata.CodeLimit {
		words = append(words, para{theme.Warn, "This bound is asldb's own, and none of Step Functions: --max-evaluation raises those of steps and of memory.", 0})
	}
	place, ok := f.Place()
	if !ok || f.Field == "" {
		return words
	}
	at := "in the definition at line " + strconv.Itoa(place.Span.Start.Line) + ", column " + strconv.Itoa(place.Span.Start.Col)
	if u.keys.Has(keys.Source) {
		at += ": " + u.keys.Key(keys.Source) + " shows it"
	}
	return append(words, para{theme.Dim, at, 0})
}

// missWords says how far a path got: the part that leads to a value, what there is, and what is missing.
func (u *ui) missWords(miss *path.MissError) []para {
	if miss.At == nil {
		return nil
	}
	there := "is " + preview(miss.At, u.glyphs)
	if keys := memberNames(miss.At); keys != "" {
		there = "has: " + keys
	}
	missing := "missing  " + miss.Missing
	if miss.Suggestion != "" {
		missing += "   did you mean " + miss.Suggestion + "?"
	}
	return []para{
		{theme.Good, "found    " + miss.Found + " " + there, 9},
		{theme.Bad, missing, 9},
	}
}

// maxNames is how many members are named; a person looks for one that is like the missing one.
const maxNames = 12

func memberNames(v value.Value) string {
	object, ok := v.(*value.Object)
	if !ok {
		return ""
	}
	var names []string
	for key := range object.All() {
		if len(names) == maxNames {
			names = append(names, "and "+strconv.Itoa(object.Len()-maxNames)+" more")
			break
		}
		names = append(names, key)
	}
	return strings.Join(names, ", ")
}
