package cli

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/parquet-go/parquet-go"
	"github.com/rogpeppe/go-internal/testscript"

	"asldb/internal/testkit/runs"
)

func TestMain(m *testing.M) {
	// A program with the race detector sleeps a second at its end.
	os.Setenv("GORACE", "atexit_sleep_ms=0 "+os.Getenv("GORACE"))
	os.Setenv("AWS_EC2_METADATA_DISABLED", "true") // no credentials are looked for outside
	built.M = m
	testscript.Main(&built, map[string]func(){
		"asldb":        func() { os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
		"asldb-faulty": func() { os.Exit(executeFaulty(os.Args[1:])) },
	})
}

// tests are the tests of the package and the folder of the program that they build, which is removed at their end.
type tests struct {
	*testing.M
	dir string
}

var built tests

func (all *tests) Run() int {
	status := all.M.Run()
	if all.dir != "" {
		_ = os.RemoveAll(all.dir)
	}
	return status
}

// build builds the program once for all tests, as releases are built.
var build = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "asldb")
	if err != nil {
		return "", err
	}
	built.dir = dir
	program := filepath.Join(dir, "asldb")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	cmd := exec.Command("go", "build", "-trimpath", "-o", program, "asldb")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", errors.New(string(out))
	}
	return program, nil
})

// raced are the scripts whose commands are run with the race detector where the tests are: they work in parallel. The
// others run the program as it is released, which begins four times as fast.
var raced = []string{"compare", "explore", "mutate", "stats", "suitekeys"}

func TestScripts(t *testing.T) {
	for _, name := range raced {
		if _, err := os.Stat(filepath.Join("testdata", "script", name+".txtar")); err != nil {
			t.Error(err)
		}
	}
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		Condition:           condition,
		Setup: func(env *testscript.Env) error {
			env.Setenv("GORACE", os.Getenv("GORACE"))
			env.Setenv("AWS_EC2_METADATA_DISABLED", "true")
			program, err := build()
			script := strings.TrimPrefix(filepath.Base(env.WorkDir), "script-")
			if err == nil && !slices.Contains(raced, script) {
				env.Setenv("PATH", filepath.Dir(program)+string(filepath.ListSeparator)+env.Getenv("PATH"))
			}
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status":    checkStatus,
			"generate":  generate,
			"cut":       cutFile,
			"step":      ciStep,
			"action":    runAction,
			"crlf":      toCRLF,
			"utf16":     toUTF16,
			"crlf-only": onlyCRLF,
			"sfn":       startStub(t),
		},
	})
}

// condition knows root, for whom no file is unreadable, and devfull, a device that is always full.
func condition(name string) (bool, error) {
	switch name {
	case "root":
		return os.Geteuid() == 0, nil
	case "devfull":
		_, err := os.Stat("/dev/full")
		return err == nil, nil
	}
	return false, fmt.Errorf("unknown condition %q", name)
}

// checkStatus runs asldb and checks its exit status: status 2 run a.json.
func checkStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: status N argument...")
	}
	err := ts.Exec("asldb", args[1:]...)
	got := "0"
	if err != nil {
		got = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if got != args[0] {
		ts.Fatalf("asldb %q: exit status %s, want %s", args[1:], got, args[0])
	}
}

// generate writes a file of the kind asked for, which is too large for a script or is not text.
func generate(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: generate KIND FILE")
	}
	var text string
	switch args[0] {
	case "deep": // an array of 10,000 levels
		text = strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000)
	case "large": // 50 MB of orders
		line := `{"id":"o-000001","lines":[1,2,3],"note":"` + strings.Repeat("x", 1000) + `"},`
		text = `{"orders":[` + strings.Repeat(line, 50_000_000/len(line)) + `null],"first":1}`
	case "calls": // 3,000 calls, one in another
		text = strings.Repeat("States.Array(", 3000) + strings.Repeat(")", 3000)
	case "grown": // an object with 60 kB of text
		text = `{"grow":"` + strings.Repeat("x", 60_000) + `"}`
	case "latin1": // a text in another encoding than UTF-8
		text = "\"caf\xe9\""
	case "parquet": // three orders
		type order struct {
			ID string `parquet:"id"`
		}
		var file bytes.Buffer
		ts.Check(parquet.Write(&file, []order{{"1"}, {"2"}, {"3"}}))
		text = file.String()
	default:
		ts.Fatalf("generate knows no %q", args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o600))
}

// cutFile copies a file without its last 20 bytes: cut FROM TO.
func cutFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: cut FROM TO")
	}
	data, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), data[:max(0, len(data)-20)], 0o600))
}

// startStub returns the command that starts a stub of Step Functions with a few executions, and sets $SFN to its URL:
// sfn [refuse CODE].
func startStub(t *testing.T) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		if neg || len(args) != 0 && (len(args) != 2 || args[0] != "refuse") {
			ts.Fatalf("usage: sfn [refuse CODE]")
		}
		noon := time.Date(2026, 1, 10, 12, 0, 0, 0, time.UTC)
		stub := runs.Start(t, runs.Of("one", noon, `{"id": 1, "card": "good-card"}`), runs.Of("two", noon.Add(-time.Hour), `{"id": 2, "card": "bad-card"}`),
			runs.Of("three", noon.AddDate(0, 0, -3), `{"id": 3, "card": "bad-card"}`), runs.Shipped("one", noon))
		stub.Configure(func(s *runs.Server) {
			s.PageSize = 5
			if len(args) == 2 {
				s.Refuse = func(string, int, string) *runs.Refusal {
					return &runs.Refusal{Code: args[1], Message: "the stub refuses"}
				}
			}
		})
		ts.Setenv("SFN", stub.URL)
	}
}

// toCRLF gives files the line ends of Windows: crlf FILE...
func toCRLF(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: crlf FILE...")
	}
	for _, name := range args {
		text := strings.ReplaceAll(ts.ReadFile(name), "\n", "\r\n")
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o600))
	}
}

// onlyCRLF fails for a file with another line end than Windows': crlf-only FILE.
func onlyCRLF(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: crlf-only FILE")
	}
	text := ts.ReadFile(args[0])
	if all := strings.Count(text, "\n"); all == 0 || all != strings.Count(text, "\r\n") {
		ts.Fatalf("%s has %d line ends, %d of Windows", args[0], all, strings.Count(text, "\r\n"))
	}
}

// toUTF16 is the command utf16 FILE OUT: it writes a file in UTF-16 with a byte order mark, the low byte first.
func toUTF16(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: utf16 FILE OUT")
	}
	data := []byte{0xFF, 0xFE}
	for _, unit := range utf16.Encode([]rune(ts.ReadFile(args[0]))) {
		data = binary.LittleEndian.AppendUint16(data, unit)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), data, 0o600))
}
