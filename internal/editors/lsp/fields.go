package lsp

import (
	_ "embed"
	"strings"
	"sync"

	"asldb/engine/asl"
	"asldb/internal/wording"
)

// fieldLines has the fields of definitions, each with its description.
//
//go:embed fields.tsv
var fieldLines string

// fieldTexts describe the fields by their names. The form of a field that ends in Path has the text of the other.
var fieldTexts = sync.OnceValue(func() map[string]string { return wording.Table(fieldLines, "\t") })

// fieldText returns the description of a field or a comparison operator, empty where there is none.
func fieldText(name string) string {
	if text := fieldTexts()[name]; text != "" {
		return text
	}
	other, isPath := strings.CutSuffix(name, "Path")
	operator := asl.OperatorNamed(name)
	if operator == nil && isPath {
		operator = asl.OperatorNamed(other)
	}
	if operator != nil {
		text := "Compares the value of Variable with "
		switch {
		case operator.Tests:
			text = "Tests the value of Variable, which may be absent: true or false"
			if !operator.TakesAbsent {
				text = "Tests the value of Variable: true or false"
			}
		case isPath:
			text += "the value of this path"
		case operator.Pattern:
			text += "this pattern, in which `*` means any characters"
		default:
			text += "this value"
		}
		return text + "."
	}
	if isPath && fieldTexts()[other] != "" {
		return fieldTexts()[other] + " The value is at this path."
	}
	return ""
}
