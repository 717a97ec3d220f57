package checks

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The sizes of TestExponents, in states of a row, and the greatest ratio of the CPU of the second to the first: an
// exponent of 1.3.
const (
	smallRow = 60
	largeRow = 4 * smallRow
	// exploredRow is the smaller one of explore, which once was near linear up to some hundred states only.
	exploredRow = 2 * smallRow
	mostCPU     = 6.0
	// mostOfMutants is the bound of mutants: four times as many, each with a run that is four times as long, are 16
	// times the work, beside which a start and a reading are small at these sizes.
	mostOfMutants = 9.0
)

// grown are rows of states, which each make, read or handle something different.
var grown = map[string]func(b *strings.Builder, i int, next string){
	"choices": func(b *strings.Builder, i int, next string) {
		fmt.Fprintf(b, `"C%d":{"Type":"Choice","Choices":[{"Variable":"$.k%[1]d","IsPresent":true,"Next":"A%[1]d"}],`+
			`"Default":"B%[1]d"},`, i)
		for _, name := range []string{"A", "B"} {
			fmt.Fprintf(b, `"%s%d":{"Type":"Pass","Result":{"v":%[2]d},"ResultPath":"$.%[1]s%[2]d","Next":"%s"},`,
				name, i, next)
		}
	},
	"tasks": func(b *strings.Builder, i int, next string) {
		fmt.Fprintf(b, `"C%d":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f%[1]d",`+
			`"ResultPath":"$.t%[1]d","Retry":[{"ErrorEquals":["States.ALL"],"MaxAttempts":1}],`+
			`"Catch":[{"ErrorEquals":["States.ALL"],"ResultPath":"$.e","Next":"End"}],`+
			`"Next":"%s"},`, i, next)
	},
}

// rowOf writes a row of n states into a file.
func rowOf(t *testing.T, kind string, n int) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(`{"StartAt":"C0","States":{`)
	for i := range n {
		next := "End"
		if i < n-1 {
			next = fmt.Sprint("C", i+1)
		}
		grown[kind](&b, i, next)
		b.WriteByte('\n')
	}
	b.WriteString(`"End":{"Type":"Succeed"}}}`)
	file := filepath.Join(t.TempDir(), "row.asl.json")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// suiteOf writes a suite beside a row of n states, with one case that no mutant fails, so that each of them runs to the
// end and is explained.
func suiteOf(t *testing.T, row, kind string, n int) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("version: 1\ndefinition: row.asl.json\n")
	if kind == "tasks" {
		b.WriteString("tasks:\n")
		for i := range n {
			fmt.Fprintf(&b, "  C%d: [{output: {}, repeat: forever}]\n", i)
		}
	}
	b.WriteString("cases:\n  all:\n    input: {}\n    expect: {status: SUCCEEDED}\n")
	file := filepath.Join(filepath.Dir(row), "row.test.yaml")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// cpuOf returns the CPU time of asldb with a command for a file.
func cpuOf(t *testing.T, command, file string) time.Duration {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, append(strings.Fields(command), file)...)
	cmd.Dir = filepath.Dir(file)
	cmd.Env = append(os.Environ(), asProgram+"=1", "GOMAXPROCS=1", "GORACE=atexit_sleep_ms=0")
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = io.Discard, &said
	if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() != 1 { // 1: there are findings
		t.Fatalf("asldb %s: %v\n%s", command, err, said.String())
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// maxMeasures bounds how often the times of a command are taken: what other programs do can only add to the least.
const maxMeasures = 6

// No command takes more than six times the CPU for a definition of four times the size.
func TestExponents(t *testing.T) {
	t.Parallel()
	for kind := range grown {
		small, large := rowOf(t, kind, smallRow), rowOf(t, kind, largeRow)
		for _, command := range []string{
			"validate", "graph", "fixtures init", "run --on-missing echo --input {}", "test init -o -",
		} {
			compareCPU(t, command, kind, small, large, smallRow, mostCPU)
		}
		small, large = rowOf(t, kind, exploredRow), rowOf(t, kind, 4*exploredRow)
		compareCPU(t, "explore", kind, small, large, exploredRow, mostCPU)
		// As many mutants as states run: four times the states are the size of the others here. Each runs from the
		// start to the end, so that the work grows with the square of the states; it is small beside the rest at this
		// size.
		small, large = rowOf(t, kind, smallRow/4), rowOf(t, kind, smallRow)
		small, large = suiteOf(t, small, kind, smallRow/4), suiteOf(t, large, kind, smallRow)
		compareCPU(t, "test --mutate", kind, small, large, smallRow/4, mostOfMutants)
	}
}

// compareCPU fails where a command takes too much longer for the larger of two files, of n states and four times n.
func compareCPU(t *testing.T, command, kind, small, large string, n int, most float64) {
	t.Helper()
	a, b, ratio := time.Hour, time.Hour, most+1
	for i := 0; i < maxMeasures && (i == 0 || ratio > most); i++ {
		a, b = min(a, cpuOf(t, command, small)), min(b, cpuOf(t, command, large))
		ratio = float64(b) / float64(a)
	}
	if ratio > most {
		t.Errorf("%s takes %v of CPU for %d %s, %v for %d: %.1f times as much, at most %v",
			command, a, n, kind, b, 4*n, ratio, most)
	}
}
