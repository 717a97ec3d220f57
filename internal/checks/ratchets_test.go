package checks

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// exceptionsFile has the exceptions of the ratchets: the ratchet, the thing and its figure. A figure never rises:
// -update lowers those that have fallen and drops those that are no longer needed. A new row is written by hand, with
// the reason in the commit.
const exceptionsFile = "testdata/exceptions.tsv"

// ratchet compares figures with their bound and with the exceptions of the ratchet that is called name. An exception
// that is higher than its figure, or that is not needed any more, fails as well.
func ratchet(t *testing.T, name, advice string, bound int, found map[string]int) {
	t.Helper()
	data, err := os.ReadFile(exceptionsFile)
	if err != nil {
		t.Fatal(err)
	}
	var kept strings.Builder
	exceptions := make(map[string]int)
	for line := range strings.Lines(string(data)) {
		row := strings.Split(strings.TrimSpace(line), "\t")
		if row[0] != name {
			kept.WriteString(line)
			continue
		}
		n, err := strconv.Atoi(row[len(row)-1])
		if err != nil || len(row) != 3 {
			t.Fatalf("%s has the row %q", exceptionsFile, line)
		}
		exceptions[row[1]] = n
		if lower := min(n, found[row[1]]); lower > bound {
			fmt.Fprintf(&kept, "%s\t%s\t%d\n", name, row[1], lower)
		}
	}
	for _, thing := range slices.Sorted(maps.Keys(found)) {
		if n := found[thing]; n > max(bound, exceptions[thing]) {
			t.Errorf("%s: %d, at most %d: %s", thing, n, max(bound, exceptions[thing]), advice)
		}
	}
	if kept.String() == string(data) {
		return
	}
	if *update {
		if err := os.WriteFile(exceptionsFile, []byte(kept.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	for thing, n := range exceptions {
		if found[thing] < n || n <= bound {
			t.Errorf("%s: %d, and its exception says %d: -update lowers or drops it", thing, found[thing], n)
		}
	}
}

func TestRatchetImports(t *testing.T) {
	found := make(map[string]int)
	for name, imported := range imports(t, filepath.Join("..", "..")) {
		found[name] = len(imported)
		if slices.Contains(imported, "internal/wording") { // all that is shown goes through it
			found[name]--
		}
	}
	ratchet(t, "imports", "a package imports few of ours: make a Doc, pass an interface, or move the code", 15, found)
}

func TestRatchetInterfaces(t *testing.T) {
	methods, embedded := make(map[string]int), make(map[string][]string)
	eachType(t, func(name string, of ast.Expr, resolve func(ast.Expr) string) {
		body, ok := of.(*ast.InterfaceType)
		if !ok {
			return
		}
		for _, field := range body.Methods.List {
			methods[name] += len(field.Names)
			if field.Names == nil {
				embedded[name] = append(embedded[name], resolve(field.Type))
			}
		}
	})
	var count func(name string) int
	count = func(name string) int {
		n := methods[name]
		for _, inner := range embedded[name] {
			n += count(inner)
		}
		return n
	}
	found := make(map[string]int)
	for name := range methods {
		found[name] = count(name)
	}
	ratchet(t, "methods", "an interface has the methods that one consumer uses", 12, found)
}

func TestRatchetFields(t *testing.T) {
	structs, fields := make(map[string]bool), make(map[string][]string)
	eachType(t, func(name string, of ast.Expr, resolve func(ast.Expr) string) {
		body, ok := of.(*ast.StructType)
		if structs[name] = ok; !ok {
			return
		}
		for _, field := range body.Fields.List {
			kind := "func"
			if pointer, ok := field.Type.(*ast.StarExpr); ok {
				kind = resolve(pointer.X)
			} else if _, ok := field.Type.(*ast.FuncType); !ok {
				continue
			}
			fields[name] = append(fields[name], slices.Repeat([]string{kind}, len(field.Names))...)
		}
	})
	found := make(map[string]int)
	for name, kinds := range fields {
		for _, kind := range kinds {
			if kind == "func" || structs[kind] {
				found[name]++
			}
		}
	}
	ratchet(t, "fields", "a struct holds few functions and pointers to structs of ours: make a type of some", 12, found)
}

// packageOf returns the package of a name with its package.
func packageOf(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }

// eachType calls do with each declared type that is not of a function, its name behind its package's; resolve
// names other types so.
func eachType(t *testing.T, do func(name string, of ast.Expr, resolve func(ast.Expr) string)) {
	t.Helper()
	eachSource(t, func(_ *token.FileSet, file string, parsed *ast.File) {
		local := importsOf(parsed)
		resolve := func(e ast.Expr) string {
			switch e := e.(type) {
			case *ast.Ident:
				return path.Dir(file) + "." + e.Name
			case *ast.SelectorExpr:
				return strings.TrimPrefix(local[e.X.(*ast.Ident).Name], "asldb/") + "." + e.Sel.Name
			}
			return ""
		}
		for _, declaration := range parsed.Decls {
			if list, ok := declaration.(*ast.GenDecl); ok && list.Tok == token.TYPE {
				for _, spec := range list.Specs {
					of := spec.(*ast.TypeSpec)
					do(path.Dir(file)+"."+of.Name.Name, of.Type, resolve)
				}
			}
		}
	})
}

// importsOf returns the packages that a file imports, by their names in it.
func importsOf(file *ast.File) map[string]string {
	local := make(map[string]string)
	for _, spec := range file.Imports {
		full, _ := strconv.Unquote(spec.Path.Value)
		if local[path.Base(full)] = full; spec.Name != nil {
			local[spec.Name.Name] = full
		}
	}
	return local
}

// One body of a function is in one package; -v lists those that are in several.
func TestRatchetTwins(t *testing.T) {
	places := make(map[string][]string)
	eachFunction(t, func(name string, f *ast.FuncDecl, local map[string]string) {
		if f.Recv == nil && len(f.Body.List) > 0 {
			body := printed(t, f, local)
			places[body] = append(places[body], name)
		}
	})
	found := make(map[string]int)
	for _, names := range places {
		packages := make(map[string]bool)
		for _, name := range names {
			packages[packageOf(name)] = true
		}
		if len(packages) > 1 {
			slices.Sort(names)
			found[names[0]] = len(names)
			verbose(t, names)
		}
	}
	ratchet(t, "twins", "one body is in one package (-v lists all): move it to where both can use it", 0, found)
}

// eachFunction calls do with each declared function, its name behind its package's, and the imports of its file.
func eachFunction(t *testing.T, do func(name string, f *ast.FuncDecl, local map[string]string)) {
	t.Helper()
	eachSource(t, func(_ *token.FileSet, file string, parsed *ast.File) {
		for _, declaration := range parsed.Decls {
			if f, ok := declaration.(*ast.FuncDecl); ok && f.Body != nil {
				do(path.Dir(file)+"."+f.Name.Name, f, importsOf(parsed))
			}
		}
	})
}

// printed returns the signature and the body of a function, in which the names that it declares are numbers, and
// packages' names are whole.
func printed(t *testing.T, f *ast.FuncDecl, local map[string]string) string {
	t.Helper()
	numbers := make(map[string]string)
	declare := func(e ast.Expr) {
		if name, ok := e.(*ast.Ident); ok && name.Name != "_" && numbers[name.Name] == "" {
			numbers[name.Name] = fmt.Sprintf("v%d", len(numbers))
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			for _, name := range n.Names {
				declare(name)
			}
		case *ast.ValueSpec:
			for _, name := range n.Names {
				declare(name)
			}
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				if n.Tok == token.DEFINE {
					declare(e)
				}
			}
		case *ast.RangeStmt:
			declare(n.Key)
			declare(n.Value)
		}
		return true
	})
	before := make(map[*ast.Ident]string)
	ast.Inspect(f, func(n ast.Node) bool {
		if name, ok := n.(*ast.Ident); ok {
			before[name] = name.Name
			name.Name = cmp.Or(numbers[name.Name], strings.ReplaceAll(local[name.Name], "/", "_"), name.Name)
		}
		return true
	})
	var text strings.Builder
	err := format.Node(&text, token.NewFileSet(), &ast.FuncDecl{Name: ast.NewIdent("f"), Type: f.Type, Body: f.Body})
	for name, old := range before {
		name.Name = old
	}
	if err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// jobs are private names of functions that stood in many packages for jobs that a package of ours does.
var jobs = strings.Fields(`number member placeOf place quoted textOf seconds plain same placed joined nearest object
	plural counted count texts article contains escaped escape cell fits isNumber itemOf itoa linesOf listed signOf
	widthOf wrap write describe`)

func verbose(t *testing.T, of ...any) {
	if testing.Verbose() {
		t.Log(of...)
	}
}

// A helper's name is in two packages at most; -v lists all private names that are in more.
func TestRatchetNames(t *testing.T) {
	packages := make(map[string]map[string]bool)
	eachFunction(t, func(name string, f *ast.FuncDecl, _ map[string]string) {
		if f.Recv == nil && !f.Name.IsExported() {
			if packages[f.Name.Name] == nil {
				packages[f.Name.Name] = make(map[string]bool)
			}
			packages[f.Name.Name][packageOf(name)] = true
		}
	})
	found := make(map[string]int)
	for name, of := range packages {
		if slices.Contains(jobs, name) {
			found[name] = len(of)
		}
		if len(of) > 2 {
			verbose(t, name, slices.Sorted(maps.Keys(of)))
		}
	}
	ratchet(t, "names", "use the helper of wording, value, source or asl, or name the other job", 2, found)
}

// Lines are at most 120 columns wide, with four for a tab. The figures are of packages: files move.
func TestRatchetColumns(t *testing.T) {
	found := make(map[string]int)
	eachText(t, ".go", func(name, text string) {
		for line := range strings.Lines(text) {
			line = strings.TrimSuffix(line, "\n")
			if len([]rune(line))+3*strings.Count(line, "\t") > 120 {
				found[path.Dir(name)]++
			}
		}
	})
	ratchet(t, "columns", "lines of at most 120 columns: fold the ones in the files that you touch", 0, found)
}

// eachText calls do with each text of the project whose name ends so; the name is relative to the project's folder,
// with slashes.
func eachText(t *testing.T, ending string, do func(name, text string)) {
	t.Helper()
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(file string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != root &&
			(strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "node_modules"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(file, ending):
			return nil
		}
		data, err := os.ReadFile(file)
		do(strings.TrimPrefix(filepath.ToSlash(file), "../../"), string(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// phrases are not English, or say less than a word would.
var phrases = []string{
	"that of", "those of", "goes on", "go on", "of which", "stands", "lies", "is no", "of its own", "of their own",
	"takes the place of", "take the place of",
}

// Comments, messages and documents are plain English.
func TestRatchetPhrases(t *testing.T) {
	found := make(map[string]int)
	count := func(text string) {
		text = strings.Join(strings.Fields(text), " ")
		text = strings.NewReplacer("There is no ", "", "there is no ", "").Replace(text)
		for _, phrase := range phrases {
			found[phrase] += strings.Count(text, " "+phrase+" ")
		}
	}
	eachText(t, ".md", func(_, text string) { count(text) })
	eachText(t, ".txt", func(name, text string) {
		if strings.HasPrefix(name, "internal/cli/pages/") {
			count(text)
		}
	})
	eachText(t, ".go", func(name, text string) {
		if name != "internal/checks/ratchets_test.go" { // it has the list
			count(strings.ReplaceAll(text, "// ", ""))
		}
	})
	ratchet(t, "phrases", "a phrase that is not English, or says less than a word would", 0, found)
}

// escapers are what writes the marks of a form of reports.
var escapers = map[string][]string{
	"strings": {"NewReplacer"}, "html": {"EscapeString"},
	"encoding/xml": {"EscapeText", "NewEncoder", "Marshal", "MarshalIndent"},
}

// Texts are escaped where a report is written.
func TestRatchetEscapers(t *testing.T) {
	found := make(map[string]int)
	eachSource(t, func(_ *token.FileSet, name string, file *ast.File) {
		dir := path.Dir(name)
		if dir == "internal/report" || dir == "internal/wording" || strings.HasPrefix(dir, "internal/testkit") {
			return
		}
		local := importsOf(file)
		ast.Inspect(file, func(n ast.Node) bool {
			if selector, ok := n.(*ast.SelectorExpr); ok {
				of, ok := selector.X.(*ast.Ident)
				if ok && slices.Contains(escapers[local[of.Name]], selector.Sel.Name) {
					found[name]++
				}
			}
			return true
		})
	})
	ratchet(t, "escapers", "internal/report and internal/wording escape", 0, found)
}

// A regular expression of a package is compiled at its first use: each start of the program would pay for all of them.
func TestPatternsAreCompiledOnUse(t *testing.T) {
	eachSource(t, func(files *token.FileSet, name string, file *ast.File) {
		if strings.HasPrefix(name, "internal/testkit") || strings.HasPrefix(name, "scripts/") {
			return
		}
		for _, d := range file.Decls {
			values, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			ast.Inspect(values, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncLit:
					return false // it is called later
				case *ast.SelectorExpr:
					if of, ok := n.X.(*ast.Ident); ok && of.Name == "regexp" && n.Sel.Name == "MustCompile" {
						t.Errorf("%v: wording.Pattern compiles at the first use", files.Position(n.Pos()))
					}
				case *ast.CallExpr:
					if f, ok := n.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Pattern" {
						if _, err := regexp.Compile(literal(n.Args[0])); err != nil {
							t.Errorf("%v: %v", files.Position(n.Pos()), err)
						}
					}
				}
				return true
			})
		}
	})
}

// literal is the text of literals that are put together; the text of names is left out.
func literal(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, _ := strconv.Unquote(e.Value)
		return text
	case *ast.BinaryExpr:
		return literal(e.X) + literal(e.Y)
	}
	return ""
}
