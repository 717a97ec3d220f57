package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/rogpeppe/go-internal/testscript"

	"asldb/internal/cli/settings"
)

// ciFile is a block of YAML in docs/ci.md: a workflow of GitHub, a configuration of pre-commit, or of GitLab.
type ciFile struct {
	Jobs map[string]struct {
		Steps []struct {
			Name, Uses, Run string
			With            map[string]any
		}
	}
	Repos []struct {
		Repo  string
		Hooks []struct{ ID string }
	}
	Include []struct {
		Remote string
		Inputs map[string]any
	}
}

// hook is an entry of .pre-commit-hooks.yaml.
type hook struct {
	ID, Name, Description, Language, Entry, Files string
	PassFilenames                                 *bool `yaml:"pass_filenames"`
}

// gitLab is .ci/gitlab.yml: the inputs of the template, and its jobs.
type gitLab struct {
	inputs map[string]struct{ Description, Default any }
	jobs   map[string]gitLabJob
}

// gitLabJob is a job of GitLab. Coverage is the regular expression of the percentage in its output.
type gitLabJob struct {
	Image, Stage, Extends, Coverage string
	Script                          []string
	BeforeScript                    []string `yaml:"before_script"`
	Artifacts                       struct{ Reports map[string]any }
}

// rootFile reads a file of the project.
func rootFile(path ...string) ([]byte, error) {
	return os.ReadFile(filepath.Join(append([]string{"..", ".."}, path...)...))
}

// ciFiles are the blocks of docs/ci.md.
var ciFiles = sync.OnceValues(func() (files []ciFile, err error) {
	text, err := rootFile("docs", "ci.md")
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

// ciHooks are the hooks of .pre-commit-hooks.yaml.
var ciHooks = sync.OnceValues(func() (hooks []hook, err error) {
	text, err := rootFile(".pre-commit-hooks.yaml")
	if err != nil {
		return nil, err
	}
	return hooks, yaml.UnmarshalWithOptions(text, &hooks, yaml.Strict())
})

// ciGitLab is the template for GitLab with the defaults of its inputs.
var ciGitLab = sync.OnceValues(func() (template gitLab, err error) {
	text, err := rootFile(".ci", "gitlab.yml")
	if err != nil {
		return gitLab{}, err
	}
	head, jobs, _ := bytes.Cut(text, []byte("\n---\n"))
	var header struct {
		Spec struct {
			Inputs map[string]struct{ Description, Default any }
		}
	}
	if err := yaml.Unmarshal(head, &header); err != nil {
		return gitLab{}, err
	}
	for name, input := range header.Spec.Inputs {
		value, err := yaml.Marshal(input.Default)
		if err != nil {
			return gitLab{}, err
		}
		jobs = bytes.ReplaceAll(jobs, []byte("$[[ inputs."+name+" ]]"), bytes.Trim(value, "\"\n"))
	}
	template.inputs = header.Spec.Inputs
	return template, yaml.Unmarshal(jobs, &template.jobs)
})

// ciSteps returns the commands of docs/ci.md, of the hooks and of the template by the name of the step, the hook, or
// "gitlab" and the job's; files are the patterns of the hooks. The commands that install asldb are left out: the
// tests have the one of this checkout.
func ciSteps() (steps map[string]string, files map[string]string, err error) {
	steps, files = make(map[string]string), make(map[string]string)
	blocks, err := ciFiles()
	if err != nil {
		return nil, nil, err
	}
	for _, block := range blocks {
		for _, job := range block.Jobs {
			for _, s := range job.Steps {
				if s.Run != "" && !strings.Contains(s.Run, "go install") {
					steps[s.Name] = s.Run
				}
			}
		}
	}
	hooks, err := ciHooks()
	if err != nil {
		return nil, nil, err
	}
	for _, h := range hooks {
		steps[h.ID] = h.Entry
		if h.PassFilenames == nil || *h.PassFilenames {
			files[h.ID] = h.Files
		}
	}
	template, err := ciGitLab()
	for name, job := range template.jobs {
		if len(job.Script) > 0 {
			steps["gitlab "+name] = strings.Join(job.Script, "\n")
		}
	}
	return steps, files, err
}

// ciStep runs a step as its host does: step STATUS NAME. A hook of pre-commit gets the files that its pattern matches.
func ciStep(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: step STATUS NAME")
	}
	steps, files, err := ciSteps()
	ts.Check(err)
	command, known := steps[args[1]]
	if !known {
		ts.Fatalf("there is no step %q", args[1])
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
	if got := bashStatus(ts, command); got != args[0] {
		ts.Fatalf("%s: exit status %s, want %s", command, got, args[0])
	}
}

// bashStatus runs a command as GitHub runs the scripts of steps, and returns its exit status.
func bashStatus(ts *testscript.TestScript, command string) string {
	if err := ts.Exec("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", command); err != nil {
		return strings.TrimPrefix(err.Error(), "exit status ")
	}
	return "0"
}

// TestCIStepsAreTried: the script ci.txtar runs every step, with definitions that are right and wrong.
func TestCIStepsAreTried(t *testing.T) {
	script, err := os.ReadFile(filepath.Join("testdata", "script", "ci.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	steps, _, err := ciSteps()
	if err != nil || len(steps) < 10 {
		t.Fatalf("there are %d steps: %v", len(steps), err)
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

// TestHooksAreDescribed: pre-commit requires these members of a hook, and docs/ci.md names each hook.
func TestHooksAreDescribed(t *testing.T) {
	hooks, err := ciHooks()
	if err != nil || len(hooks) == 0 {
		t.Fatalf("%d hooks, %v", len(hooks), err)
	}
	text, err := rootFile("docs", "ci.md")
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, h := range hooks {
		ids = append(ids, h.ID)
		if h.Name == "" || h.Description == "" || h.Language != "golang" || !strings.HasPrefix(h.Entry, "asldb ") || h.Files == "" {
			t.Errorf("the hook %q lacks a member: %+v", h.ID, h)
		}
		if !bytes.Contains(text, []byte("id: "+h.ID)) {
			t.Errorf("docs/ci.md does not have the hook %s", h.ID)
		}
	}
	blocks, err := ciFiles()
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range blocks {
		for _, repo := range block.Repos {
			for _, h := range repo.Hooks {
				if !slices.Contains(ids, h.ID) {
					t.Errorf("docs/ci.md has the hook %q, which is none of %v", h.ID, ids)
				}
			}
		}
	}
}

// TestGitLabTemplate: the inputs are described here and in docs/ci.md, all are used, and the jobs have the members that
// GitLab needs.
func TestGitLabTemplate(t *testing.T) {
	template, err := ciGitLab()
	if err != nil {
		t.Fatal(err)
	}
	text, err := rootFile(".ci", "gitlab.yml")
	if err != nil {
		t.Fatal(err)
	}
	page, err := rootFile("docs", "ci.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, input := range template.inputs {
		if input.Description == nil || input.Default == nil {
			t.Errorf("the input %s has no description or no default", name)
		}
		if !bytes.Contains(text, []byte("$[[ inputs."+name+" ]]")) {
			t.Errorf("no job uses the input %s", name)
		}
		if !regexp.MustCompile("(?m)^\\| `" + name + "`.*\\|$").Match(page) {
			t.Errorf("docs/ci.md does not describe the input %s", name)
		}
	}
	base := template.jobs[".asldb"]
	if base.Image == "" || base.Stage != "test" || len(base.BeforeScript) == 0 {
		t.Errorf("the hidden job is %+v", base)
	}
	for name, job := range template.jobs {
		if !strings.HasPrefix(name, ".") && (job.Extends != ".asldb" || len(job.Script) == 0 || job.Artifacts.Reports["junit"] == nil) {
			t.Errorf("the job %s is %+v", name, job)
		}
	}
	if regexp.MustCompile(`\$\[\[`).MatchString(strings.Join(append(template.jobs["asldb-test"].Script, base.BeforeScript...), "\n")) {
		t.Error("a job uses an input that there is not")
	}
	blocks, err := ciFiles()
	if err != nil {
		t.Fatal(err)
	}
	included := false
	for _, block := range blocks {
		for _, include := range block.Include {
			included = included || strings.HasSuffix(include.Remote, "/.ci/gitlab.yml")
			for name := range include.Inputs {
				if _, known := template.inputs[name]; !known {
					t.Errorf("docs/ci.md sets the input %q, which the template does not have", name)
				}
			}
		}
	}
	if !included {
		t.Error("docs/ci.md does not include .ci/gitlab.yml")
	}
}

// TestGitLabFindsTheCoverage: the expression of the job finds the percentage in the text of a report.
func TestGitLabFindsTheCoverage(t *testing.T) {
	template, err := ciGitLab()
	if err != nil {
		t.Fatal(err)
	}
	expression := template.jobs["asldb-test"].Coverage
	found := regexp.MustCompile(strings.Trim(expression, "/")).FindStringSubmatch(printed(t, "test", "../../testdata/examples", "--no-state", "--coverage"))
	if expression == "" || found == nil || found[1] != "100" {
		t.Errorf("%s finds %q", expression, found)
	}
}

// The job that init writes is the one of docs/ci.md, with its bar in the project file.
func TestInitHasTheJobOfTheDocs(t *testing.T) {
	text, err := rootFile("docs", "ci.md")
	if err != nil {
		t.Fatal(err)
	}
	_, job, _ := strings.Cut(settings.CIJob, "\n")
	if !strings.Contains(string(text), "```yaml\n"+job+"          min-coverage: 80\n```\n") {
		t.Errorf("docs/ci.md has no such job:\n%s", job)
	}
}
