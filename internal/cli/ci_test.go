package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/rogpeppe/go-internal/testscript"
)

// ciFile is a block of YAML in docs/ci.md: a workflow of GitHub, a configuration of pre-commit, or jobs of GitLab.
type ciFile struct {
	Jobs map[string]struct {
		Steps []struct{ Name, Uses, Run string }
	}
	Repos []struct {
		Hooks []struct {
			ID, Entry, Files string
			PassFilenames    *bool `yaml:"pass_filenames"`
		}
	}
	StateMachines     gitLabJob `yaml:"state-machines"`
	StateMachineTests gitLabJob `yaml:"state-machine-tests"`
}

// gitLabJob is a job of GitLab. Coverage is the regular expression of the percentage in its output.
type gitLabJob struct {
	Script   []string
	Coverage string
}

// ciFiles are the blocks of docs/ci.md.
var ciFiles = sync.OnceValues(func() (files []ciFile, err error) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "ci.md"))
	if err != nil {
		return nil, err
	}
	for _, block := range strings.Split(string(text), "```yaml\n")[1:] {
		var f ciFile
		block, _, _ = strings.Cut(block, "```")
		if err := yaml.Unmarshal([]byte(block), &f); err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
})

// ciSteps returns the commands of docs/ci.md by the name of the step or hook; of GitLab's scripts by "gitlab" and "gitlab-tests". Those that install
// asldb are left out: the tests have the one of this checkout.
func ciSteps() (steps map[string]string, files map[string]string, err error) {
	blocks, err := ciFiles()
	steps, files = make(map[string]string), make(map[string]string)
	for _, block := range blocks {
		for _, job := range block.Jobs {
			for _, s := range job.Steps {
				if s.Run != "" && !strings.Contains(s.Run, "go install") {
					steps[s.Name] = s.Run
				}
			}
		}
		for _, repo := range block.Repos {
			for _, h := range repo.Hooks {
				steps[h.ID] = h.Entry
				if h.PassFilenames == nil || *h.PassFilenames {
					files[h.ID] = h.Files
				}
			}
		}
		for name, job := range map[string]gitLabJob{"gitlab": block.StateMachines, "gitlab-tests": block.StateMachineTests} {
			lines := slices.DeleteFunc(slices.Clone(job.Script), func(line string) bool { return strings.Contains(line, "go install") })
			if len(lines) > 0 {
				steps[name] = strings.Join(lines, "\n")
			}
		}
	}
	return steps, files, err
}

// ciStep runs a step of docs/ci.md as GitHub does: step STATUS NAME. A hook of pre-commit gets the files that its pattern matches.
func ciStep(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: step STATUS NAME")
	}
	steps, files, err := ciSteps()
	ts.Check(err)
	command, known := steps[args[1]]
	if !known {
		ts.Fatalf("docs/ci.md has no step %q", args[1])
	}
	if pattern := files[args[1]]; pattern != "" {
		matches := regexp.MustCompile(pattern)
		ts.Check(filepath.WalkDir(ts.MkAbs("."), func(name string, entry os.DirEntry, err error) error {
			if err == nil && !entry.IsDir() && matches.MatchString(name) {
				command += " '" + name + "'"
			}
			return err
		}))
	}
	got := "0"
	if err := ts.Exec("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", command); err != nil {
		got = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if got != args[0] {
		ts.Fatalf("%s: exit status %s, want %s", command, got, args[0])
	}
}

// TestCIStepsAreTried: the script ci.txtar runs every step of docs/ci.md, with definitions that are right and wrong.
func TestCIStepsAreTried(t *testing.T) {
	script, err := os.ReadFile(filepath.Join("testdata", "script", "ci.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	steps, _, err := ciSteps()
	if err != nil || len(steps) < 10 {
		t.Fatalf("docs/ci.md has %d steps: %v", len(steps), err)
	}
	for name := range steps {
		failing := "1"
		if name == "Check the coverage" {
			failing = "4"
		}
		for _, status := range []string{"0", failing} {
			if !regexp.MustCompile(`(?m)^step ` + status + ` '?` + regexp.QuoteMeta(name) + `'?$`).Match(script) {
				t.Errorf("ci.txtar does not run the step %q with the status %s", name, status)
			}
		}
	}
}

// TestGitLabFindsTheCoverage: the expression of the job finds the percentage in the text of a report.
func TestGitLabFindsTheCoverage(t *testing.T) {
	blocks, err := ciFiles()
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range blocks {
		if text := block.StateMachineTests.Coverage; text != "" {
			found := regexp.MustCompile(strings.Trim(text, "/")).FindStringSubmatch(printed(t, "test", "../../testdata/examples", "--no-state", "--coverage"))
			if found == nil || found[1] != "100" {
				t.Errorf("%s finds %q", text, found)
			}
			return
		}
	}
	t.Error("docs/ci.md has no job of GitLab with the coverage")
}
