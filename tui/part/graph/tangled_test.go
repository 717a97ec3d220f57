package graph

import (
	"fmt"
	"strings"
	"testing"

	"asldb/engine/asl"
	"asldb/engine/source"
)

// complete is a definition in which each of n Choice states leads to each of them.
func complete(t *testing.T, n int) *Model {
	t.Helper()
	var states []string
	for i := range n {
		var rules []string
		for k := range n {
			rules = append(rules, fmt.Sprintf(`{"Variable":"$.n","NumericEquals":%d,"Next":"S%d"}`, k, k))
		}
		states = append(states, fmt.Sprintf(`"S%d":{"Type":"Choice","Default":"End","Choices":[%s]}`, i, strings.Join(rules, ",")))
	}
	text := `{"StartAt":"S0","States":{` + strings.Join(states, ",") + `,"End":{"Type":"Succeed"}}}`
	definition, problems := asl.Parse(&source.File{Name: "complete.asl.json", Data: []byte(text)})
	if definition == nil {
		t.Fatal(problems)
	}
	return Build(definition)
}

// Where no line could be followed the states are listed, whatever density is asked for; before that they are drawn.
func TestTangled(t *testing.T) {
	for n, want := range map[int]bool{10: false, 20: false, 30: true, 120: true} {
		sheet := NewSheet(complete(t, n))
		if sheet.Model.Tangled() != want {
			t.Errorf("%d states each to all: tangled %v", n, !want)
		}
		if !want {
			continue
		}
		if sheet.Fit(200, 60) != nil {
			t.Errorf("%d states each to all are drawn", n)
		}
		sheet.Auto, sheet.Density = false, Boxes
		if sheet.Fit(200, 60) != nil {
			t.Errorf("%d states each to all are drawn in boxes", n)
		}
		if rows := sheet.Rail().Len(); rows < n*n {
			t.Errorf("the list of %d states has %d rows", n, rows)
		}
	}
}
