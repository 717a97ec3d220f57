package cli

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"asldb/internal/testkit"
)

// adoption is a project that had no tests, and the cases that were written by hand, each an edit of its suite.
type adoption struct {
	name string
	// workflow is a definition of the corpus; empty: the example is the definition.
	workflow, example string
	// before and after are the coverage of the first suite and with the cases, counted by hand.
	before, after string
	cases         []string
}

// adoptions are three published projects, and one of this project.
var adoptions = []adoption{
	{
		name: "account vending", workflow: "swc__account-vending-machine__statemachine__statemachine.asl.json",
		before: "84 % (21 of 25)", after: "92 % (23 of 25)",
		cases: []string{`  the unit is there already:
    inject: {Create New Organizational Unit: Organizations.DuplicateOrganizationalUnitException}
    tasks:
      List Organizational Units: [{output: {OrganizationalUnits: [{Name: Other, Id: ou-1}, {Name: OU, Id: ou-2}]}}]
    expect: {tasks: {Move Account To OU: [{payload: {DestinationParentId: ou-2}}]}}
`},
	}, {
		name: "quorum", workflow: "swc__quorum-with-parallel-pattern__statemachine__statemachine.asl.json",
		before: "83 % (46 of 55)", after: "94 % (52 of 55)",
		cases: []string{quorum(1), quorum(2), quorum(3)},
	}, {
		name: "prompt chaining", workflow: "sfx__usecases__genai-prompt-chaining-hitl__src__workflow.asl.json",
		before: "89 % (25 of 28)", after: "92 % (26 of 28)",
		cases: []string{`  the user takes a title:
    tasks:
      Wait for user feedback: [{output: {approved: "yes", message: {title: Whales}}}]
    expect: {never: [Fail]}
`},
	}, {
		name: "invoice", example: "../../testdata/examples/invoice-jsonata/definition.asl.json",
		before: "83 % (10 of 12)", after: "91 % (11 of 12)",
		cases: []string{`  a large invoice:
    input: {customer: {country: AT, name: A}, lines: [{price: 30, quantity: 2}]}
    expect: {output: {total: 108, discount: true}}
`},
	},
}

// quorum is the case in which a process is the first of the quorum.
func quorum(process int) string {
	return fmt.Sprintf(`  process %[1]d ends the wait:
    tasks:
      Get Process Completion Statuses%[1]d:
        - {output: {Item: {successful_processes: {L: [Process%[1]d]}}}, repeat: forever}
    expect: {states: {Check If Quorum Met %[1]d: {rule: 0}}}
`, process)
}

// Adoption takes three commands and at most five cases by hand: the first suite with the faults, the files of the
// project with the bar of what the suite covers, and the faults that are known.
func TestAdoption(t *testing.T) {
	for _, a := range adoptions {
		t.Run(a.name, func(t *testing.T) {
			var definition []byte
			if a.workflow != "" {
				definition = testkit.Read(t, testkit.Dir(t, "workflows"), "files", a.workflow)
			} else {
				definition = testkit.Read(t, a.example)
			}
			t.Chdir(t.TempDir())
			if err := os.WriteFile("m.asl.json", definition, 0o600); err != nil {
				t.Fatal(err)
			}
			covered := func() bool {
				out := printed(t, "test", "--coverage", "--no-state", "--min", "0")
				return strings.Contains(out, "coverage "+a.after)
			}

			if out := printed(t, "test", "init", "m.asl.json", "--from", "explore"); !strings.Contains(out, a.before) {
				t.Errorf("the first suite: %s, wanted coverage %s", out, a.before)
			}
			byHand := 0
			for ; byHand < len(a.cases) && !covered(); byHand++ {
				suite := string(testkit.Read(t, "m.test.yaml")) + a.cases[byHand]
				if err := os.WriteFile("m.test.yaml", []byte(suite), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			printed(t, "init", "m.asl.json")
			printed(t, "explore", "m.asl.json", "--baseline", "faults.json", "--write-baseline")
			if !covered() || byHand == 0 || byHand > 5 {
				t.Errorf("coverage %s is reached: %v, by %d cases, wanted are 1 to 5", a.after, covered(), byHand)
			}
			t.Logf("%d cases by hand: coverage %s, then %s", byHand, a.before, a.after)

			percent, _, _ := strings.Cut(a.after, " ")
			bar := regexp.MustCompile(`(?m)^ +min: "` + percent + `, states=100, `)
			if text := testkit.Read(t, ".asldb.yaml"); !bar.Match(text) {
				t.Errorf("the bar is not %s: %s", percent, text)
			}
			printed(t, "test", "--coverage", "--no-state")
			printed(t, "explore", "m.asl.json", "--baseline", "faults.json")
		})
	}
}
