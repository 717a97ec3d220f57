// Command systems type-checks the program and its tests as they are for other systems: every file that is built there,
// with the packages of others as their declarations alone. It finds what does not compile, without compiling.
//
//	go run .ci/systems/main.go windows/amd64 darwin/arm64
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// listed is a package as `go list` describes it.
type listed struct {
	ImportPath, Dir   string
	GoFiles, CgoFiles []string
	ImportMap         map[string]string
	Module            *struct{ Main bool }
	Error             *struct{ Err string }
}

func main() {
	told := make(map[string]bool) // a package and the same with its tests have the same errors
	for _, system := range os.Args[1:] {
		for _, problem := range check(system) {
			text := fmt.Sprintf("%s: %v", system, problem)
			if !told[text] {
				told[text] = true
				fmt.Fprintln(os.Stderr, text)
			}
		}
	}
	if len(told) > 0 {
		os.Exit(1)
	}
}

// check returns the errors of all packages and tests of the module for a system such as windows/amd64.
func check(system string) (problems []error) {
	goos, goarch, _ := strings.Cut(system, "/")
	cmd := exec.Command("go", "list", "-deps", "-test", "-json=ImportPath,Dir,GoFiles,CgoFiles,ImportMap,Module,Error", "./...")
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return []error{err}
	}
	known := map[string]*types.Package{"unsafe": types.Unsafe}
	sizes := types.SizesFor("gc", goarch)
	for decoder := json.NewDecoder(out); ; {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return append(problems, err)
		}
		if p.Error != nil {
			problems = append(problems, errors.New(p.Error.Err))
		}
		if p.ImportPath == "unsafe" || strings.HasSuffix(p.ImportPath, ".test") {
			continue // the main package of a test is written by the go command
		}
		problems = append(problems, p.check(known, sizes)...)
	}
	if err := cmd.Wait(); err != nil {
		problems = append(problems, err)
	}
	return problems
}

// check type-checks a package whose imports are known, and adds it to these.
func (p *listed) check(known map[string]*types.Package, sizes types.Sizes) (problems []error) {
	ours := p.Module != nil && p.Module.Main
	files := token.NewFileSet()
	var parsed []*ast.File
	for _, name := range append(p.GoFiles, p.CgoFiles...) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(p.Dir, name)
		}
		file, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			problems = append(problems, err)
		}
		parsed = append(parsed, file)
	}
	config := types.Config{
		IgnoreFuncBodies: !ours, FakeImportC: true, Sizes: sizes,
		Importer: importer(func(name string) (*types.Package, error) {
			if mapped := p.ImportMap[name]; mapped != "" {
				name = mapped
			}
			if found := known[name]; found != nil {
				return found, nil
			}
			return nil, fmt.Errorf("%s is not listed before %s", name, p.ImportPath)
		}),
		Error: func(err error) {
			if ours {
				problems = append(problems, err)
			}
		},
	}
	path, _, _ := strings.Cut(p.ImportPath, " ")
	checked, _ := config.Check(path, files, parsed, nil) // the errors have come through config.Error
	known[p.ImportPath] = checked
	return problems
}

type importer func(string) (*types.Package, error)

func (f importer) Import(name string) (*types.Package, error) { return f(name) }
