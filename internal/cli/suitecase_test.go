//go:build unix

package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb/internal/definitions"
)

// debug --test opens at the first event at which the run is not as expected, and shows the wanted value beside the
// found one.
func TestDebugCase(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "order.test.yaml")
	for file, text := range map[string]string{
		definitions.DefinitionName: string(definitions.DemoDefinition), definitions.FixturesName: string(definitions.Fixtures),
		"order.test.yaml": `version: 1
definition: order.asl.json
include: [order.fixtures.yaml]
cases:
  amount:
    expect:
      path: [ValidateOrder, ..., OrderRejected]
      tasks: {ChargeCard: [{payload: {Payload: {amount: 139.90}}}]}
`} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	term := start(t, "debug", "--no-state", "--test", name+":amount")
	term.waitFor("amount › ChargeCard", patience)
	term.waitFor("1 of 2: ChargeCard, invocation 1, payload", patience)
	term.waitFor("wanted 139.90, found 129.90", patience)
	term.waitFor("2 expectations are not met; n goes to the next one", patience)
	term.press("n")
	term.waitFor("2 of 2: path", patience)
	term.waitFor("no such state follows", patience)
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.NewReplacer("139.90", "129.90", "OrderRejected", "OrderCompleted").Replace(string(text))
	if err := os.WriteFile(name, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	term.press(":judge\r")
	term.waitFor(`case "amount" passes.`, patience)
	term.press("q")
}

// A case without a result for a task stops there, and says so.
func TestDebugCaseWithoutResult(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.test.yaml")
	for file, text := range map[string]string{
		"a.asl.json":  `{"StartAt":"T","States":{"T":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","End":true}}}`,
		"a.test.yaml": "version: 1\ndefinition: a.asl.json\ncases:\n  one:\n    expect: {status: SUCCEEDED}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	term := start(t, "debug", "--no-state", "--test", name+":one")
	term.waitFor("does not come to its end: no result for invocation 1 of the task", patience)
	term.press(":judge\r")
	term.waitFor("the run has not come to its end", patience)
	term.press("q")
}

// debug --coverage-in shows the profile with the session, and refuses one of another definition.
func TestDebugCoverage(t *testing.T) {
	if _, err := build(); err != nil { // in this folder
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for file, text := range map[string][]byte{definitions.DefinitionName: definitions.DemoDefinition, definitions.FixturesName: definitions.Fixtures, "other.asl.json": []byte(`{"StartAt":"A","States":{"A":{"Type":"Succeed"}}}`)} {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	printed(t, "run", definitions.DefinitionName, "--fixtures", definitions.FixturesName, "--coverage-out", "cover.json")
	var out, wrong bytes.Buffer
	if status := Main([]string{"debug", "other.asl.json", "--no-state", "--coverage-in", "cover.json"}, strings.NewReader(""), &out, &wrong); status != 2 || !strings.Contains(wrong.String(), "--coverage-in: cover.json has nothing about other.asl.json") {
		t.Errorf("status %d, %s", status, wrong.String())
	}
	term := start(t, "debug", definitions.DefinitionName, "--fixtures", definitions.FixturesName, "--no-state", "--coverage-in", "cover.json")
	term.waitFor("READY", firstFrame)
	term.press("s")
	term.waitFor("ValidateOrder › input", patience)
	term.press(":coverage\r")
	term.waitFor("this session (1 run) and cover.json", patience)
	term.waitFor("Coverage 71 %", patience)
	term.press("\x1b")
	term.waitUntilGone("Coverage 71 %")
	term.press(":coverage save all.json\r")
	term.waitFor("Saved the coverage, 71 %", patience)
	term.press("q")
	if got := printed(t, "coverage", "report", "all.json"); !strings.Contains(got, "coverage 71 %") {
		t.Error(got)
	}
}

// A changed definition of a case is read again by the key of the screen: the case is run with it, and judged at once.
func TestDebugCaseReadAgain(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.test.yaml")
	const definition = `{"StartAt":"Price","States":{"Price":{"Type":"Pass","Result":{"amount":4},"Next":"Bill"},
  "Bill":{"Type":"Pass","Parameters":{"due.$":"$.amount"},"End":true}}}`
	for file, text := range map[string]string{
		"a.asl.json": definition,
		"a.test.yaml": "version: 1\ndefinition: a.asl.json\ncases:\n" +
			"  one:\n    expect: {status: SUCCEEDED, output: {due: 5}}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	term := start(t, "debug", "--no-state", "--test", name+":one")
	term.waitFor("wanted 5, found 4", patience)
	mended := strings.Replace(definition, `"amount":4`, `"amount":5`, 1)
	if err := os.WriteFile(filepath.Join(dir, "a.asl.json"), []byte(mended), 0o600); err != nil {
		t.Fatal(err)
	}
	term.waitFor("changed on disk", patience)
	term.press("r")
	term.waitFor("what-if 2", patience)
	term.waitFor(`case "one" passes.`, patience)
	term.press("q")
}
