package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb/internal/report"
)

// objects calls do with each object in a JSON value, and with the name of the member that it is.
func objects(v any, name string, do func(name string, object map[string]any)) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			objects(item, name, do)
		}
	case map[string]any:
		do(name, v)
		for key, member := range v {
			objects(member, key, do)
		}
	}
}

// Findings have the same members in the JSON of all commands, and so have places: one struct reads each.
func TestOneFormOfFindings(t *testing.T) {
	const machine = `{"StartAt":"Pay","States":{
 "Pay":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","Parameters":{"FunctionName":"f"},"Next":"Due"},
 "Due":{"Type":"Choice","Choices":[{"Variable":"$.n","NumericGreaterThan":LIMIT,"Next":"Large"}],"Default":"Small"},
 "Large":{"Type":"Fail","Error":"TooLarge"},"Small":{"Type":"Succeed"}}}`
	const head = "version: 1\ndefinition: order.json\ntasks: {Pay: [{output: {n: 7}}]}\ncases:\n  a:\n    expect: "
	dir := t.TempDir()
	for name, text := range map[string]string{
		"order.json":       strings.Replace(machine, "LIMIT", "5", 1),
		"new.json":         strings.Replace(machine, "LIMIT", "9", 1),
		"wrong.json":       strings.Replace(machine, `"Default":"Small"`, `"Default":"Smal"`, 1),
		"fixtures.yaml":    "version: 1\ntasks: {Pay: [{output: {n: 7}}]}\n",
		"fails.test.yaml":  head + "{status: SUCCEEDED, states: {Pay: {visits: 2}}}\n",
		"passes.test.yaml": head + "{status: FAILED}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	history, _ := execute(t, dir, "run order.json -f fixtures.yaml --format history", "", 1)
	if err := os.WriteFile(filepath.Join(dir, "history.json"), []byte(history), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		line             string
		status           int
		findings, places bool
	}{
		{"test fails.test.yaml --json", 1, true, true},
		{"test passes.test.yaml --mutate --json", 0, true, false},
		{"explore order.json -f fixtures.yaml --json", 0, true, false},
		{"validate wrong.json --json", 1, true, false},
		{"compare order.json new.json --histories history.json --json", 3, true, false},
		{"why history.json --definition order.json --json", 0, false, true},
	} {
		printed, _ := execute(t, dir, test.line, "", test.status)
		findings, places := 0, 0
		for decoder := json.NewDecoder(strings.NewReader(printed)); decoder.More(); {
			var document any
			if err := decoder.Decode(&document); err != nil {
				t.Fatalf("%s: %v", test.line, err)
			}
			objects(document, "", func(name string, object map[string]any) {
				text, _ := json.Marshal(object)
				var finding report.JSONFinding
				var place report.Place
				switch {
				case object["rule"] != nil && object["severity"] != nil:
					findings++
					if err := json.Unmarshal(text, &finding); err != nil || finding.File == "" || finding.Line == 0 ||
						finding.Text == "" {
						t.Errorf("%s: %v, %s", test.line, err, text)
					}
				case name == "place" || name == "definition":
					places++
					if err := json.Unmarshal(text, &place); err != nil || place.File == "" || place.Line == 0 {
						t.Errorf("%s: %v, %s", test.line, err, text)
					}
				}
			})
		}
		if (findings > 0) != test.findings || (places > 0) != test.places {
			t.Errorf("%s: %d findings, %d places in\n%s", test.line, findings, places, printed)
		}
	}
}
