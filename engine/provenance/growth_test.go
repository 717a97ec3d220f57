package provenance_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"asldb/engine/provenance"
	"asldb/internal/testkit/runs"
)

// chained is a chain of n states that each read a member and write another, behind a task that replaces the input.
func chained(n int) string {
	var b strings.Builder
	b.WriteString(`{"StartAt":"T","States":{"T":{` + function + `,"ResultSelector":{"m0.$":"$.a"},"Next":"S1"},`)
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, `"S%d":{"Type":"Pass","Parameters":{"v.$":"$.m0"},`, i)
		fmt.Fprintf(&b, `"ResultPath":"$.m%d","Next":"S%d"},`, i, i+1)
	}
	fmt.Fprintf(&b, `"S%d":{"Type":"Succeed"}}}`, n+1)
	return b.String()
}

// The ways of a value and the search for a lost one take at most six times the work for four times the states.
func TestWaysGrowWithTheStates(t *testing.T) {
	made := map[string][2]float64{}
	for at, n := range []int{150, 600} {
		machine := runs.Machine(chained(n))
		began := time.Now()
		log := runs.Run(machine, `{"a":{"b":1},"lost":2}`, runs.Echo)
		t.Logf("%d states: the run takes %v", n, time.Since(began))
		for name, look := range map[string]func(*provenance.Lens) error{
			"back": func(l *provenance.Lens) error {
				_, err := l.Back(log.Len()-1, fmt.Sprintf("$.m%d.v", n))
				return err
			},
			"forward": func(l *provenance.Lens) error {
				_, err := l.Forward(0, "$.a.b")
				return err
			},
			"loss": func(l *provenance.Lens) error {
				_, err := l.Loss(log.Len()-1, "$.lost")
				return err
			},
		} {
			began := time.Now()
			allocated := testing.AllocsPerRun(1, func() {
				if err := look(&provenance.Lens{Log: log}); err != nil {
					t.Fatal(name, err)
				}
			})
			t.Logf("%d states: %s takes %v, with %.0f allocations", n, name, time.Since(began)/2, allocated)
			both := made[name]
			both[at] = allocated
			made[name] = both
		}
	}
	for name, of := range made {
		if of[1] > 6*of[0] {
			t.Errorf("%s: %.0f allocations for 150 states, %.0f for 600", name, of[0], of[1])
		}
	}
}
