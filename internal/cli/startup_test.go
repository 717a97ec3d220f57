package cli

import (
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"asldb/internal/cli/command"
)

// The bounds of the bytes that our packages take when the program begins: one of them, and all together.
const (
	initOfPackage = 80_000
	initOfAll     = 500_000
)

// Each start of the program pays for the tables and patterns that its packages make.
func TestPackagesBeginWithLittle(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "--version")
	cmd.Args[0] = "asldb"
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace strings.Builder
	cmd.Stderr = &trace
	if err := cmd.Run(); err != nil {
		t.Fatal(err, trace.String())
	}
	begun := regexp.MustCompile(`init (asldb/\S+) @.* (\d+) bytes`).FindAllStringSubmatch(trace.String(), -1)
	if len(begun) < 20 {
		t.Fatalf("%d packages begin:\n%s", len(begun), trace.String())
	}
	all := 0
	for _, match := range begun {
		bytes, _ := strconv.Atoi(match[2])
		if strings.Contains(match[1], "testkit") || match[1] == "asldb/internal/cli" { // its tests have tables
			continue
		}
		if all += bytes; bytes > initOfPackage {
			t.Errorf("%s takes %d bytes, at most %d: its tables can wait", match[1], bytes, initOfPackage)
		}
	}
	if all > initOfAll {
		t.Errorf("the packages take %d bytes, at most %d", all, initOfAll)
	}
}

// A command made alone, as for its run, has the name, flags and help that it has among all.
func TestOneCommandIsMadeAsAmongAll(t *testing.T) {
	streams := &command.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}
	all, tried := allCommands(newRoot(streams)), 0
	for _, c := range constructors() {
		for name, one := range allCommands(newRoot(streams, c.name, "--help")) {
			if name != c.name && !strings.HasPrefix(name, c.name+" ") {
				continue
			}
			tried++
			among := all[name]
			if among == nil || one.UsageString() != among.UsageString() || one.Long != among.Long ||
				one.GroupID != among.GroupID ||
				command.FlagUsages(one, true) != command.FlagUsages(among, true) {
				t.Errorf("%q made alone differs from the one made among all", name)
			}
		}
	}
	if tried < len(all)-10 { // the root, help and completion are made in any case
		t.Errorf("%d of %d commands were made alone", tried, len(all))
	}
}
