package main

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// npmStub is run as npm: it writes a package that has what the real one would be given.
const npmStub = `#!/bin/sh
set -e
shift 3 # run package --
target=$2 out=$4 version=$5
{ echo "$target $version $SOURCE_DATE_EPOCH"
ls -l bin | sed -n 's/^\(.......\).* \(asldb.*\)/\1 \2/p'
cat bin/*
ls package.json extension.js
} >"$out"
`

// TestExtensionOfAPlatform packs the extension for each platform with a stub of npm, which needs no network: each has
// its own program, in a copy of the folder.
func TestExtensionOfAPlatform(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the stub of npm is a shell script")
	}
	stubs := t.TempDir()
	if err := os.WriteFile(filepath.Join(stubs, "npm"), []byte(npmStub), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", stubs+string(os.PathListSeparator)+os.Getenv("PATH"))
	r := &release{
		root:    filepath.Join("..", ".."),
		out:     t.TempDir(),
		version: "1.3.0",
		time:    time.Unix(1_800_000_000, 0),
	}
	work := t.TempDir()
	want := map[string]string{
		"darwin_amd64": "darwin-x64", "darwin_arm64": "darwin-arm64",
		"linux_amd64": "linux-x64", "linux_arm64": "linux-arm64",
		"windows_amd64": "win32-x64", "windows_arm64": "win32-arm64",
	}
	for _, p := range platforms {
		binary := filepath.Join(work, p.os+"_"+p.arch, p.program())
		if err := os.MkdirAll(filepath.Dir(binary), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(binary, []byte("program of "+p.String()+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := r.extension(p, work, binary); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(r.out, "asldb_1.3.0_"+p.os+"_"+p.arch+".vsix"))
		if err != nil {
			t.Fatal(err)
		}
		expected := want[p.os+"_"+p.arch] + " 1.3.0 1800000000\n-rwxr-x " + p.program() + "\nprogram of " + p.String() +
			"\nextension.js\npackage.json\n"
		if string(text) != expected {
			t.Errorf("%s:\n%swant\n%s", p, text, expected)
		}
	}
}
