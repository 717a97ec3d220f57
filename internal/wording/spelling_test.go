package wording

import (
	"slices"
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	fields := []string{"Next", "End", "Type", "ResultPath", "ResultSelector", "Retry", "Größe", "T", "Id", "Ids"}
	tests := []struct{ word, want string }{
		{"next", "Next"},
		{"Nxet", "Next"},
		{"Nex", "Next"},
		{"ResultPaht", "ResultPath"},
		{"resultpath", "ResultPath"},
		{"Resultselektor", "ResultSelector"},
		{"Tpye", "Type"},
		{"grösse", "Größe"},
		{"GRÖSSE", "Größe"},
		{"größe", "Größe"},
		{"Next", ""},
		{"Something", ""},
		{"", ""},
		{"X", ""},
		{"A", ""},
		{"t", "T"},
		{"Ix", ""},
		{"Ido", "Id"},
		{strings.Repeat("a", maxLength+1), ""},
	}
	for _, test := range tests {
		if got := Nearest(test.word, slices.Values(fields)); got != test.want {
			t.Errorf("Nearest(%q) = %q, want %q", test.word, got, test.want)
		}
	}
}
