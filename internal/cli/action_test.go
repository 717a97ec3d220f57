package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/rogpeppe/go-internal/testscript"
)

// action is action.yml, as GitHub describes the metadata of composite actions.
type action struct {
	Name, Description string
	Branding          struct{ Icon, Color string }
	Inputs            map[string]struct {
		Description, Default string
		Required             bool
	}
	Outputs map[string]struct{ Description, Value string }
	Runs    struct {
		Using string
		Steps []actionStep
	}
}

// actionStep is a step of a composite action.
type actionStep struct {
	Name, ID, If, Uses, Run, Shell string
	Env, With                      map[string]string
}

var theAction = sync.OnceValues(func() (a action, err error) {
	text, err := rootFile("action.yml")
	if err != nil {
		return a, err
	}
	return a, yaml.UnmarshalWithOptions(text, &a, yaml.Strict())
})

// actionRun is a run of the action: its contexts, and the folder of the files that the steps write.
type actionRun struct {
	values map[string]string // of the contexts, by their full names: inputs.test
	failed bool
}

var expression = regexp.MustCompile(`\$\{\{ (.*?) \}\}`)

// expand replaces the expressions in a text.
func (r *actionRun) expand(ts *testscript.TestScript, text string) string {
	return expression.ReplaceAllStringFunc(text, func(found string) string {
		for _, name := range strings.Split(expression.FindStringSubmatch(found)[1], " || ") {
			if value := r.value(ts, name); value != "" {
				return value
			}
		}
		return ""
	})
}

// value returns the value of a name in an expression. Inputs have to be declared.
func (r *actionRun) value(ts *testscript.TestScript, name string) string {
	value, known := r.values[name]
	if !known && strings.HasPrefix(name, "inputs.") {
		ts.Fatalf("action.yml declares no %s", name)
	}
	return value
}

// runs evaluates the condition of a step: terms that are joined by &&.
func (r *actionRun) runs(ts *testscript.TestScript, condition string) bool {
	if !strings.Contains(condition, "!cancelled()") && r.failed {
		return false
	}
	for _, term := range strings.Split(condition, " && ") {
		fields := strings.Fields(term)
		switch {
		case term == "", term == "!cancelled()":
		case len(fields) == 3 && fields[1] == "==":
			if r.value(ts, fields[0]) != strings.Trim(fields[2], "'") {
				return false
			}
		case len(fields) == 3 && fields[1] == "!=":
			if r.value(ts, fields[0]) == strings.Trim(fields[2], "'") {
				return false
			}
		default:
			ts.Fatalf("the condition %q of a step cannot be evaluated here", condition)
		}
	}
	return true
}

// runAction runs the steps of action.yml in a folder as GitHub does: action STATUS [INPUT=VALUE]... The status is the
// first failed step's. Its files are summary.md, output and log in $WORK/runner; event=COMMIT is the commit
// before a push, github.NAME=VALUE another value of that context. A comma in a value is a new line.
func runAction(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: action STATUS [INPUT=VALUE]...")
	}
	a, err := theAction()
	ts.Check(err)
	root, err := filepath.Abs(filepath.Join("..", ".."))
	ts.Check(err)
	run := &actionRun{values: map[string]string{"github.action_path": root}}
	for name, input := range a.Inputs {
		run.values["inputs."+name] = input.Default
	}
	for _, folder := range filepath.SplitList(ts.Getenv("PATH")) {
		if program := filepath.Join(folder, "asldb"); run.values["inputs.asldb"] == "" && isFile(program) {
			run.values["inputs.asldb"] = program
		}
	}
	for _, arg := range args[1:] {
		name, value, _ := strings.Cut(arg, "=")
		if name == "event" {
			run.values["github.event.before"] = value
			continue
		}
		if strings.HasPrefix(name, "github.") {
			run.values[name] = value
			continue
		}
		run.value(ts, "inputs."+name)
		run.values["inputs."+name] = strings.ReplaceAll(value, ",", "\n")
	}
	temp := filepath.Join(ts.Getenv("WORK"), "runner")
	ts.Check(os.RemoveAll(temp))
	ts.Check(os.MkdirAll(temp, 0o700))
	search := ts.Getenv("PATH")
	defer ts.Setenv("PATH", search)
	for name, value := range map[string]string{
		"RUNNER_TEMP": temp, "GITHUB_STEP_SUMMARY": filepath.Join(temp, "summary.md"), "GITHUB_PATH": filepath.Join(temp, "path"),
		"GITHUB_OUTPUT": filepath.Join(temp, "output"), "GITHUB_ACTION_PATH": root,
	} {
		ts.Setenv(name, value)
	}
	status, out := "0", strings.Builder{}
	for _, step := range a.Runs.Steps {
		if !run.runs(ts, step.If) {
			continue
		}
		if step.Uses != "" {
			continue // an action of GitHub, which is not here
		}
		for name, value := range step.Env {
			ts.Setenv(name, run.expand(ts, value))
		}
		ts.Check(os.WriteFile(ts.Getenv("GITHUB_OUTPUT"), nil, 0o600))
		got := bashStatus(ts, step.Run)
		fmt.Fprintf(&out, "== %s: %s\n%s%s", step.Name, got, ts.ReadFile("stdout"), ts.ReadFile("stderr"))
		run.values["steps."+step.ID+".outcome"] = map[bool]string{true: "success", false: "failure"}[got == "0"]
		for line := range strings.Lines(ts.ReadFile(ts.Getenv("GITHUB_OUTPUT"))) {
			name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
			run.values["steps."+step.ID+".outputs."+name] = value
		}
		if got != "0" && !run.failed {
			run.failed, status = true, got
		}
		if added, err := os.ReadFile(filepath.Join(temp, "path")); err == nil {
			ts.Setenv("PATH", strings.TrimSpace(string(added))+string(os.PathListSeparator)+search)
		}
	}
	for name, output := range a.Outputs {
		fmt.Fprintf(&out, "output %s=%s\n", name, run.expand(ts, output.Value))
	}
	ts.Check(os.WriteFile(filepath.Join(temp, "log"), []byte(out.String()), 0o600))
	if status != args[0] {
		ts.Fatalf("the action ends with the status %s, want %s\n%s", status, args[0], out.String())
	}
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.IsDir()
}

// TestActionIsDescribed: action.yml has the members that GitHub requires, and its inputs and outputs are used and
// described.
func TestActionIsDescribed(t *testing.T) {
	a, err := theAction()
	if err != nil {
		t.Fatal(err)
	}
	text, err := rootFile("action.yml")
	if err != nil {
		t.Fatal(err)
	}
	page, err := rootFile("docs", "ci.md")
	if err != nil {
		t.Fatal(err)
	}
	if a.Name == "" || a.Description == "" || a.Runs.Using != "composite" || a.Branding.Icon == "" || len(a.Runs.Steps) == 0 {
		t.Errorf("action.yml lacks a member: %+v", a)
	}
	steps, _, _ := bytes.Cut(text, []byte("\nruns:"))
	steps = text[len(steps):]
	for name, input := range a.Inputs {
		if input.Description == "" || input.Required {
			t.Errorf("the input %s: %+v", name, input)
		}
		if !bytes.Contains(steps, []byte("inputs."+name)) {
			t.Errorf("no step uses the input %s", name)
		}
	}
	ids := make(map[string]bool)
	for i, step := range a.Runs.Steps {
		ids[step.ID] = true
		if (step.Run == "") == (step.Uses == "") || step.Run != "" && (step.Shell != "bash" || step.Name == "") {
			t.Errorf("step %d needs run with name and shell, or uses: %+v", i, step)
		}
		if strings.Contains(step.Run, "${{") {
			t.Errorf("step %s puts an expression into its script; an input could run commands", step.Name)
		}
	}
	for name, output := range a.Outputs {
		found := regexp.MustCompile(`^\$\{\{ steps\.(\w+)\.outputs\.\w+ \}\}$`).FindStringSubmatch(output.Value)
		if output.Description == "" || found == nil || !ids[found[1]] {
			t.Errorf("the output %s: %+v", name, output)
		}
	}
	for name := range a.Inputs {
		if !regexp.MustCompile("(?m)^\\| `" + regexp.QuoteMeta(name) + "`.*\\|$").Match(page) {
			t.Errorf("docs/ci.md does not describe the input %s", name)
		}
	}
	for name := range a.Outputs {
		if !bytes.Contains(page, []byte("`"+name+"`")) {
			t.Errorf("docs/ci.md does not describe the output %s", name)
		}
	}
	blocks, err := ciFiles()
	if err != nil {
		t.Fatal(err)
	}
	uses := 0
	for _, block := range blocks {
		for _, job := range block.Jobs {
			for _, step := range job.Steps {
				if !strings.HasPrefix(step.Uses, "OWNER/REPO@") {
					continue
				}
				uses++
				for name := range step.With {
					if _, known := a.Inputs[name]; !known {
						t.Errorf("docs/ci.md sets the input %q, which the action does not have", name)
					}
				}
			}
		}
	}
	if uses < 2 {
		t.Errorf("docs/ci.md uses the action %d times", uses)
	}
}
