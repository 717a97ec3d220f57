//go:build unix

package cli

import (
	"bufio"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"asldb/internal/cli/command"
	"asldb/internal/definitions"
)

const watchedSuite = `version: 1
definition: order.asl.json
include: [order.fixtures.yaml]
cases:
  pays: {expect: {output: {paid: captured}}}
  declined:
    inject: {ChargeCard: Card.Declined}
    expect: {status: FAILED, error: Order.Wrong}
  amount: {expect: {tasks: {ChargeCard: [{payload: {Payload: {amount: 139.90}}}]}}}
  first: {snapshot: true}
  second: {snapshot: true}
`

// watched writes the example with a suite into a folder, and starts test --watch there.
func watched(t *testing.T, flags ...string) (*terminal, string) {
	t.Helper()
	dir := writeWatched(t)
	program, err := build()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, append([]string{"test", "--watch"}, flags...)...)
	cmd.Dir = dir
	return startCommand(t, cmd), dir
}

func writeWatched(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for file, text := range map[string]string{
		definitions.DefinitionName: string(definitions.DemoDefinition), definitions.FixturesName: string(definitions.Fixtures), "order.test.yaml": watchedSuite,
	} {
		save(t, filepath.Join(dir, file), text)
	}
	return dir
}

// save writes a file as many editors do: beside it, and by a rename.
func save(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name+"~", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(name+"~", name); err != nil {
		t.Fatal(err)
	}
}

// A save runs the suite again; the keys run the failed cases, review snapshots and debug a failed case.
func TestWatch(t *testing.T) {
	t.Parallel()
	term, dir := watched(t)
	suite := filepath.Join(dir, "order.test.yaml")
	term.waitFor("Watching · 5 cases: 1 passed, 2 failed, 2 new", patience)
	term.waitFor("f failed · d debug · u review", patience)

	began := time.Now()
	save(t, suite, strings.Replace(watchedSuite, "Order.Wrong", "Order.Rejected", 1))
	term.waitFor("Watching · 5 cases: 2 passed, 1 failed, 2 new", patience)
	t.Logf("from the save to the verdict on the screen: %v", time.Since(began).Round(time.Millisecond))
	term.waitFor("order.test.yaml changed", patience)

	term.press("u")
	term.waitFor("Change 1 of 3 · order.test.yaml · amount · expectations", patience)
	term.waitFor("+  amount: {expect: {tasks: {ChargeCard: [{payload: {Payload: {amount: 129.90}}}]}}}", patience)
	term.press("r")
	term.waitFor("Change 2 of 3 · order.test.yaml · first · new snapshot", patience)
	term.waitFor(`"status": "SUCCEEDED"`, patience)
	term.press("a")
	term.waitFor("Change 3 of 3 · order.test.yaml · second · new snapshot", patience)
	term.press("r")
	term.waitFor("3 changes: 1 accepted, 2 rejected, 0 left", patience)
	term.waitFor("Watching · 5 cases: 3 passed, 1 failed, 1 new", patience)
	term.waitUntilGone("· u review")
	if text, err := os.ReadFile(filepath.Join(dir, "order.test.snap.yaml")); err != nil ||
		!strings.Contains(string(text), `"first":`) ||
		strings.Contains(string(text), `"second":`) {
		t.Errorf("the snapshots are %s, %v", text, err)
	}

	term.press("d") // the only case that failed
	term.waitFor("wanted 139.90, found 129.90", patience)
	term.press("\x1b") // from the difference to the end of the run
	term.waitFor("The execution succeeded with this output.", patience)
	term.press("\x1b") // esc goes back as q does
	term.waitFor("Watching · 5 cases: 3 passed, 1 failed, 1 new", patience)
	term.press("d")
	term.waitFor("wanted 139.90, found 129.90", patience)
	term.press("q")
	term.waitFor("Watching · 5 cases: 3 passed, 1 failed, 1 new", patience)

	// The definition, an included file and the snapshots are watched as well.
	save(t, filepath.Join(dir, definitions.DefinitionName),
		strings.Replace(string(definitions.DemoDefinition), `"ValidateOrder": {`, `"ValidateOrdr": {`, 1))
	term.waitFor("Nothing was run.", patience)
	term.waitFor("Watching · a file is wrong", patience)
	save(t, filepath.Join(dir, definitions.DefinitionName), string(definitions.DemoDefinition))
	term.waitUntilGone("a file is wrong")
	term.waitFor("Watching · 5 cases: 3 passed, 1 failed, 1 new", patience)
	save(t, filepath.Join(dir, definitions.FixturesName),
		strings.Replace(string(definitions.Fixtures), "total: 129.90", "total: 139.90", 1))
	term.waitFor("order.fixtures.yaml changed", patience)
	term.waitFor("  × first", patience) // its snapshot is another
	if err := os.Remove(filepath.Join(dir, "order.test.snap.yaml")); err != nil {
		t.Fatal(err)
	}
	term.waitFor("order.test.snap.yaml changed", patience)
	term.press("?")
	term.waitFor("review snapshots and expectations that differ", patience)
	term.press("?")
	term.waitUntilGone("review snapshots and expectations that differ")

	// A new suite is found; the failed cases run alone.
	save(
		t,
		filepath.Join(dir, "more.test.yaml"),
		"version: 1\ndefinition: order.asl.json\ninclude: [order.fixtures.yaml]\ncases: {more: {expect: {output: {paid: other}}}}\n",
	)
	term.waitFor("Watching · 6 cases", patience)
	term.press("f")
	term.waitForAgain("1 case: 1 failed")
	term.press("\r")
	term.waitFor("6 cases: 3 passed, 1 failed, 2 new · ", patience)
	term.waitFor("Watching · 6 cases", patience)
	if status := term.quit(); status != command.StatusOK {
		t.Errorf("the status is %d", status)
	}
}

// --review shows what differs after one run: an expectation and a snapshot are accepted, another is left, and the exit
// status is about the rest.
func TestReviewOnATerminal(t *testing.T) {
	t.Parallel()
	program, err := build()
	if err != nil {
		t.Fatal(err)
	}
	dir := writeWatched(t)
	review := func() *terminal {
		cmd := exec.Command(program, "test", "--no-state", "--review")
		cmd.Dir = dir
		return startCommand(t, cmd)
	}
	term := review()
	term.waitFor("Change 1 of 4 · order.test.yaml · declined · expectations", patience)
	term.waitFor("+    expect: {status: FAILED, error: Order.Rejected}", patience)
	term.press("\t")
	term.waitFor("declined · expectations: old", patience)
	term.press("\t")
	term.waitFor("declined · expectations: new", patience)
	term.waitUntilGone("Order.Wrong")
	term.press("a")
	term.waitFor("Change 2 of 4 · order.test.yaml · amount · expectations", patience)
	term.waitFor("amount: 129.90", patience)
	term.press("a")
	term.waitFor("Change 3 of 4 · order.test.yaml · first · new snapshot", patience)
	term.press("a")
	term.waitFor("Change 4 of 4 · order.test.yaml · second · new snapshot", patience)
	term.press("s")
	term.waitFor("4 changes: 3 accepted, 0 rejected, 1 left", patience)
	if status := term.wait(); status != command.StatusFailed {
		t.Errorf("the status is %d", status)
	}
	text, err := os.ReadFile(filepath.Join(dir, "order.test.yaml"))
	want := strings.NewReplacer("Order.Wrong", "Order.Rejected", "139.90", "129.90").Replace(watchedSuite)
	if err != nil || string(text) != want {
		t.Errorf("the suite is\n%s%v", text, err)
	}

	term = review() // one is left
	term.waitFor("Change 1 of 1 · order.test.yaml · second · new snapshot", patience)
	term.press("a")
	term.waitFor("1 change: 1 accepted, 0 rejected, 0 left", patience)
	if status := term.wait(); status != command.StatusOK {
		t.Errorf("the status is %d", status)
	}
}

// Ctrl+C ends the watching with its status; without colours and in ASCII there are none.
func TestWatchInterrupted(t *testing.T) {
	t.Parallel()
	term, dir := watched(t, "--ascii", "--no-color")
	term.waitFor("Watching - 5 cases: 1 passed, 2 failed, 2 new", patience)
	save(t, filepath.Join(dir, "order.test.yaml"),
		strings.ReplaceAll(watchedSuite, "amount: {", "amount: {skip: a b, "))
	term.waitFor("1 skipped", patience)
	term.press("d")
	term.waitFor("wanted", patience)
	term.press("q")
	term.waitFor("? help - q quit", patience)
	term.press("\x03")
	if status := term.wait(); status != command.StatusInterrupted {
		t.Errorf("the status is %d", status)
	}
	term.drawn.Wait()
	if raw := term.raw.String(); strings.Contains(raw, "✓") || strings.Contains(raw, "·") {
		t.Error("there are characters besides ASCII")
	}
}

// A terminal may say that it has no columns. Random keys end nothing then.
func TestWatchWithoutColumns(t *testing.T) {
	t.Parallel()
	term, _ := watched(t)
	term.waitFor("Watching · 5 cases", patience)
	random := rand.New(rand.NewPCG(1, 0))
	size := func(rows, cols uint16) {
		if err := pty.Setsize(term.tty, &pty.Winsize{Rows: rows, Cols: cols}); err != nil {
			t.Fatal(err)
		}
	}
	for range 8 {
		size(uint16(random.IntN(3)), uint16(random.IntN(3)))
		for range 10 {
			term.press([]string{"\r", "f", "?", "x", " ", "\x1b[A", "\x1b[6~", "\x1b[H", "\x1a"}[random.IntN(9)])
		}
	}
	size(screenRows, screenCols)
	term.before = "" // the size draws all again
	term.waitFor("? help · q quit", patience)
	if status := term.quit(); status != command.StatusOK {
		t.Errorf("the status is %d", status)
	}
	term.drawn.Wait()
	if raw := term.raw.String(); strings.Contains(raw, "goroutine") || strings.Contains(raw, "fault") {
		t.Errorf("a fault: %s", raw)
	}
}

// Without a terminal it watches and prints, and a signal ends it.
func TestWatchWithoutTerminal(t *testing.T) {
	t.Parallel()
	program, err := build()
	if err != nil {
		t.Fatal(err)
	}
	dir := writeWatched(t)
	cmd := exec.Command(program, "test", "--watch", "--no-state", "order.test.yaml")
	cmd.Dir = dir
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	watchdog := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
	defer watchdog.Stop()
	lines := bufio.NewScanner(out)
	until := func(text string) {
		t.Helper()
		for lines.Scan() {
			if strings.Contains(lines.Text(), "\x1b") {
				t.Errorf("the line has a sequence: %q", lines.Text())
			}
			if strings.Contains(lines.Text(), text) {
				return
			}
		}
		t.Fatalf("there is no %q", text)
	}
	until("5 cases: 1 passed, 2 failed, 2 new")
	save(t, filepath.Join(dir, "order.test.yaml"), "cases: []\n")
	until("order.test.yaml changed")
	until("order.test.yaml:1:8: cases is an object")
	until("Nothing was run.")
	save(t, filepath.Join(dir, "order.test.yaml"), strings.Replace(watchedSuite, "Order.Wrong", "Order.Rejected", 1))
	until("5 cases: 2 passed, 1 failed, 2 new")
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	for lines.Scan() {
	}
	_ = cmd.Wait()
	if status := cmd.ProcessState.ExitCode(); status != command.StatusInterrupted {
		t.Errorf("the status is %d", status)
	}
}
