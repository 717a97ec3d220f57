package flow_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"asldb/engine/asl"
	"asldb/engine/flow"
	"asldb/engine/source"
)

// choicesInARow has n Choice states, each with two Pass states that read and add a field.
func choicesInARow(n int) string {
	var b strings.Builder
	b.WriteString(`{"StartAt":"C0","States":{`)
	for i := range n {
		next := fmt.Sprintf("C%d", i+1)
		if i == n-1 {
			next = "End"
		}
		b.WriteString(strings.NewReplacer("#", strconv.Itoa(i), "NEXT", next).Replace(`"C#":{"Type":"Choice","Choices":[
			{"Variable":"$.in#.a","NumericGreaterThan":#,"Next":"P#"}],"Default":"Q#"},
			"P#":{"Type":"Pass","Parameters":{"v.$":"$.p#"},"ResultPath":"$.r#","Next":"NEXT"},
			"Q#":{"Type":"Pass","Parameters":{"v.$":"$.q#"},"ResultPath":"$.r#","Next":"NEXT"},`))
	}
	b.WriteString(`"End":{"Type":"Succeed"}}}`)
	return b.String()
}

// The work for 4 times the states is at most 6 times as much.
func TestDemandsGrowWithTheStates(t *testing.T) {
	measure := func(n int) float64 {
		m, problems := asl.Parse(&source.File{Name: "t.json", Data: []byte(choicesInARow(n))})
		if m == nil {
			t.Fatal(problems)
		}
		a := flow.Analyse(m, flow.Options{LiteralFirst: true})
		started := time.Now()
		made := testing.AllocsPerRun(1, func() {
			d := a.Demander().Demands(t.Context(), flow.Intent{}).Input()
			if got := len(d.Members()); got != 3*n {
				t.Fatalf("%d members are asked for, want %d", got, 3*n)
			}
		})
		t.Logf("%d Choices: %.0f allocations, %v twice", n, made, time.Since(started))
		return made
	}
	if small, large := measure(2500), measure(10000); large > 6*small {
		t.Errorf("2,500: %.0f, 10,000: %.0f", small, large)
	}
}
