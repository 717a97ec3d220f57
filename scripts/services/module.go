package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"asldb/engine/services"
)

// update is a module of the AWS SDK for Go 2, read as a model: such a module has the operations, the shapes and their
// members, but no bounds, and most name no errors of single operations.
type update struct {
	model
	folder string
	date   string              // of the release, as 2026-11-10
	errors []string            // the names of all shapes that are errors
	named  bool                // members are called as in the model; else they are the fields' names
	signed string              // the name with which requests are signed
	inputs map[string][]string // idempotency tokens, by operation
}

// goPackage is the source of a module, as far as it is read.
type goPackage struct {
	structs map[string]*ast.StructType // a type of the package types with the prefix "types."
	enums   map[string][]string
	unions  map[string]bool
}

var (
	serviceID   = regexp.MustCompile(`const ServiceID = "([^"]+)"`)
	released    = regexp.MustCompile(`(?m)^# v\S+ \((\d{4}-\d\d-\d\d)`)
	signingName = regexp.MustCompile(`SetSigV4SigningName\(&props, "([^"]+)"`)
	tokenFilled = regexp.MustCompile(`(?s)if input\.(\w+) == nil \{\s+t, err := m\.tokenProvider`)
	newSchema   = regexp.MustCompile(`(?s)var (\w+) = smithy\.NewSchema\(smithy\.ShapeID\{\s+Namespace: "[^"]+",` +
		`\s+Name:\s+"([^"]+)",\s+\}, smithy\.ShapeType(\w+)`)
	addMember    = regexp.MustCompile(`(\w+)\.AddMember\(\s*"([^"]+)",\s*([\w.]+)`)
	schemasOf    = regexp.MustCompile(`NewOperationSchema\(schemas\.\w+, (\S+), (\S+)\)`)
	opError      = regexp.MustCompile(`(?s)func \w+_deserializeOpError(\w+)\(.*?\n\}\n`)
	raisedInside = regexp.MustCompile(`_deserializeError(\w+)\(`)
)

// readModule reads the source of a module in a folder.
func readModule(dir string) (*update, error) {
	var failed error
	text := func(name string) string {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil && failed == nil {
			failed = err
		}
		return string(data)
	}
	u := &update{model: newModel(), inputs: map[string][]string{}}
	u.folder, _, _ = strings.Cut(filepath.Base(dir), "@")
	u.Metadata.ServiceID = first(serviceID, text("api_client.go"))
	u.date, u.signed = first(released, text("CHANGELOG.md")), first(signingName, text("auth.go"))
	source, err := parsePackage(dir)
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(dir, "api_op_*.go"))
	if err != nil {
		return nil, err
	}
	schemas := make(map[string]string) // names of shapes by variables
	if file, err := os.ReadFile(filepath.Join(dir, "schemas", "schemas.go")); err == nil {
		u.named = true
		schemas = u.readSchemas(string(file))
	}
	goNames := make(map[string]string) // of the structures, by shapes
	for _, file := range files {
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "api_op_"), ".go")
		body := text(filepath.Base(file))
		root := rootShape + name
		o := operation{Input: &reference{Shape: root + "Input"}, Output: &reference{Shape: root + "Output"}}
		if found := schemasOf.FindStringSubmatch(body); found != nil {
			o = operation{Input: inSchemas(schemas, found[1]), Output: inSchemas(schemas, found[2])}
		}
		u.Operations[name] = o
		for i, part := range []*reference{o.Input, o.Output} {
			if part != nil {
				goNames[part.Shape] = name + []string{"Input", "Output"}[i]
			}
		}
		if found := tokenFilled.FindStringSubmatch(body); found != nil {
			u.inputs[name] = append(u.inputs[name], found[1])
		}
	}
	if failed != nil {
		return nil, failed
	}
	if u.Metadata.ServiceID == "" || u.date == "" || len(u.Operations) == 0 {
		id, count := u.Metadata.ServiceID, len(u.Operations)
		return nil, fmt.Errorf("%s: no service, date or operation: %q, %q, %d", dir, id, u.date, count)
	}
	if u.named {
		u.require(source, goNames)
	} else {
		u.structures(source)
	}
	return u, u.readErrors(dir)
}

func first(pattern *regexp.Regexp, text string) string {
	if found := pattern.FindStringSubmatch(text); found != nil {
		return found[1]
	}
	return ""
}

// readErrors finds the errors: of single operations, where the module reads their answers by itself.
func (u *update) readErrors(dir string) error {
	types, err := os.ReadFile(filepath.Join(dir, "types", "errors.go"))
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	for _, found := range regexp.MustCompile(`(?m)^type (\w+) struct`).FindAllStringSubmatch(string(types), -1) {
		u.errors = append(u.errors, found[1])
	}
	reader, err := os.ReadFile(filepath.Join(dir, "deserializers.go"))
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	for _, function := range opError.FindAllStringSubmatch(string(reader), -1) {
		o, known := u.Operations[function[1]]
		if !known {
			continue
		}
		for _, raised := range raisedInside.FindAllStringSubmatch(function[0], -1) {
			o.Errors = append(o.Errors, reference{Shape: raised[1]})
		}
		u.Operations[function[1]] = o
	}
	return nil
}

// inSchemas returns the shape of a variable of the package schemas, nil for one without members that the prelude has.
func inSchemas(schemas map[string]string, variable string) *reference {
	name, found := strings.CutPrefix(variable, "schemas.")
	if !found {
		return nil
	}
	return &reference{Shape: schemas[name]}
}

// typeOf has the types of api-2.json by the types of schemas.
var typeOf = map[string]string{
	"String": "string", "Enum": "string", "Integer": "integer", "IntEnum": "integer", "Long": "long",
	"Short": "integer", "Byte": "integer", "BigInteger": "long", "Float": "float", "Double": "double", "BigDecimal": "double",
	"Boolean": "boolean", "Timestamp": "timestamp", "Blob": "blob", "Structure": "structure", "Union": "structure",
	"List": "list", "Map": "map", "Document": "document",
}

// readSchemas reads the shapes of the package schemas, and returns their names by variables.
func (u *update) readSchemas(text string) map[string]string {
	names := make(map[string]string)
	for _, found := range newSchema.FindAllStringSubmatch(text, -1) {
		if typeOf[found[3]] == "" {
			continue // an operation, a resource, the service
		}
		names[found[1]] = found[2]
		u.Shapes[found[2]] = shape{Type: typeOf[found[3]], Members: map[string]reference{}}
	}
	for _, found := range addMember.FindAllStringSubmatch(text, -1) {
		s, known := u.Shapes[names[found[1]]]
		if !known {
			continue
		}
		target := reference{Shape: names[found[3]]}
		if name, prelude := strings.CutPrefix(found[3], "smithyprelude."); prelude {
			target.Shape = u.preludeShape(name)
		}
		switch {
		case s.Type == "list":
			s.Member = &target
		case s.Type == "map" && found[2] == "key":
			s.Key = &target
		case s.Type == "map":
			s.Value = &target
		case s.Type == "structure":
			s.Members[found[2]] = target
		}
		u.Shapes[names[found[1]]] = s
	}
	return names
}

// preludeShape returns the name of a shape that every model has.
func (u *update) preludeShape(name string) string {
	kind := typeOf[strings.TrimPrefix(name, "Primitive")]
	if name == "Unit" {
		kind = "structure"
	}
	u.Shapes["smithy#"+name] = shape{Type: kind}
	return "smithy#" + name
}

// require adds what only the Go types have: required members and the words of enumerations.
func (u *update) require(source *goPackage, goNames map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(u.Shapes)) {
		s := u.Shapes[name]
		s.Enum = source.enums[services.Capitalized(name)]
		goName := goNames[name]
		if goName == "" {
			goName = "types." + services.Capitalized(name)
		}
		structure := source.structs[goName]
		if s.unsure = structure == nil; !s.unsure {
			fields := source.fields(structure)
			for _, member := range slices.Sorted(maps.Keys(s.Members)) {
				if f := fieldOf(fields, member); f != nil && f.required {
					s.Required = append(s.Required, member)
				}
			}
		}
		u.Shapes[name] = s
	}
}

// rootShape begins the names of the shapes of inputs and outputs in a module without schemas: its package types can
// have the same.
const rootShape = "operation "

// field is one of a structure in Go.
type field struct {
	name     string
	of       ast.Expr
	required bool
}

func fieldOf(fields []field, member string) *field {
	for i := range fields {
		if fields[i].name == services.Capitalized(member) || strings.EqualFold(fields[i].name, member) {
			return &fields[i]
		}
	}
	return nil
}

// fields returns the fields that members of the model have.
func (p *goPackage) fields(s *ast.StructType) []field {
	var list []field
	for _, f := range s.Fields.List {
		if len(f.Names) != 1 || !f.Names[0].IsExported() || f.Names[0].Name == "ResultMetadata" {
			continue
		}
		list = append(list, field{f.Names[0].Name, f.Type, strings.Contains(f.Doc.Text(), "This member is required.")})
	}
	return list
}

// structures makes shapes of the Go types of a module without schemas.
func (u *update) structures(source *goPackage) {
	for name, structure := range source.structs {
		s := shape{Type: "structure", Members: map[string]reference{}}
		for _, f := range source.fields(structure) {
			s.Members[f.name] = reference{Shape: u.shapeOf(source, f.of)}
			if f.required {
				s.Required = append(s.Required, f.name)
			}
		}
		name, isType := strings.CutPrefix(name, "types.")
		if !isType {
			name = rootShape + name
		}
		u.Shapes[name] = s
	}
	for name := range source.unions {
		s := shape{Type: "structure", Members: map[string]reference{}}
		for member, structure := range source.structs {
			if part, found := strings.CutPrefix(member, "types."+name+"Member"); found {
				if fields := source.fields(structure); len(fields) == 1 && fields[0].name == "Value" {
					s.Members[part] = reference{Shape: u.shapeOf(source, fields[0].of)}
				}
			}
		}
		u.Shapes[name] = s
	}
	for name, words := range source.enums {
		slices.Sort(words)
		u.Shapes[name] = shape{Type: "string", Enum: words}
	}
}

// scalars are the kinds of Go types.
var scalars = map[string]string{
	"string": "String", "bool": "Boolean", "int32": "Integer", "int64": "Long", "int16": "Short", "int8": "Byte",
	"float32": "Float", "float64": "Double",
}

// shapeOf returns the name of the shape of a Go type. One without a name is called by its type.
func (u *update) shapeOf(source *goPackage, of ast.Expr) string {
	switch t := of.(type) {
	case *ast.StarExpr:
		return u.shapeOf(source, t.X)
	case *ast.ArrayType:
		if item, named := t.Elt.(*ast.Ident); named && item.Name == "byte" {
			return u.preludeShape("Blob")
		}
		item := reference{Shape: u.shapeOf(source, t.Elt)}
		name := "[]" + item.Shape
		u.Shapes[name] = shape{Type: "list", Member: &item}
		return name
	case *ast.MapType:
		key, item := reference{Shape: u.preludeShape("String")}, reference{Shape: u.shapeOf(source, t.Value)}
		name := "map[]" + item.Shape
		u.Shapes[name] = shape{Type: "map", Key: &key, Value: &item}
		return name
	case *ast.SelectorExpr:
		switch pkg, _ := t.X.(*ast.Ident); pkg.Name + "." + t.Sel.Name {
		case "time.Time":
			return u.preludeShape("Timestamp")
		case "io.Reader", "io.ReadCloser":
			return u.preludeShape("Blob")
		case "document.Interface":
			return u.preludeShape("Document")
		}
		return t.Sel.Name // of the package types
	case *ast.Ident:
		if kind := scalars[t.Name]; kind != "" {
			return u.preludeShape(kind)
		}
		return t.Name
	}
	return fmt.Sprintf("%T", of) // reducing it fails
}

// parsePackage reads the types of a module: the inputs and outputs of its operations, and its package types.
func parsePackage(dir string) (*goPackage, error) {
	p := &goPackage{structs: map[string]*ast.StructType{}, enums: map[string][]string{}, unions: map[string]bool{}}
	files, err := filepath.Glob(filepath.Join(dir, "api_op_*.go"))
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"types.go", "enums.go"} {
		if _, err := os.Stat(filepath.Join(dir, "types", name)); err == nil {
			files = append(files, filepath.Join(dir, "types", name))
		}
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		prefix := ""
		if file.Name.Name == "types" {
			prefix = "types."
		}
		for _, declared := range file.Decls {
			if group, ok := declared.(*ast.GenDecl); ok {
				p.declare(prefix, group)
			}
		}
	}
	return p, nil
}

func (p *goPackage) declare(prefix string, group *ast.GenDecl) {
	for _, spec := range group.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			switch t := s.Type.(type) {
			case *ast.StructType:
				p.structs[prefix+s.Name.Name] = t
			case *ast.InterfaceType:
				p.unions[s.Name.Name] = true
			}
		case *ast.ValueSpec:
			kind, named := s.Type.(*ast.Ident)
			if !named || len(s.Values) != 1 {
				continue
			}
			if word, ok := s.Values[0].(*ast.BasicLit); ok && word.Kind == token.STRING {
				if text, err := strconv.Unquote(word.Value); err == nil {
					p.enums[kind.Name] = append(p.enums[kind.Name], text)
				}
			}
		}
	}
}
