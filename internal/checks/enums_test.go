package checks

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strings"
	"testing"
)

// partial are the tables in which the absence of a row says something: no detail, the order of the items themselves.
var partial = []string{"recorder.detailReaders", "events.orderNames"}

// A table with a row for each constant of an enumeration lacks none: the last one, when it is new, would be behind its
// end.
func TestTablesHaveARowForEachConstant(t *testing.T) {
	enums := make(map[string][]string) // the constants of an enumeration, by each of them
	type table struct {
		name, at string
		keys     []string
	}
	var tables []table
	eachSource(t, func(set *token.FileSet, name string, file *ast.File) {
		folder := path.Base(path.Dir(name))
		for _, declaration := range file.Decls {
			list, ok := declaration.(*ast.GenDecl)
			if !ok {
				continue
			}
			var constants []string
			for _, spec := range list.Specs {
				value, ok := spec.(*ast.ValueSpec)
				switch {
				case !ok:
				case list.Tok == token.CONST && (value.Type != nil || value.Values == nil) &&
					!strings.HasSuffix(value.Names[0].Name, "Count"):
					constants = append(constants, folder+"."+value.Names[0].Name)
				case list.Tok == token.VAR && len(value.Values) == 1:
					if keys := rowsOf(value.Values[0], folder); len(keys) > 0 {
						tables = append(tables, table{folder + "." + value.Names[0].Name,
							set.Position(value.Pos()).String(), keys})
					}
				}
			}
			for _, constant := range constants {
				enums[constant] = constants
			}
		}
	})
	if len(tables) < 20 {
		t.Errorf("only %d tables were found", len(tables))
	}
	for _, table := range tables {
		for _, constant := range enums[table.keys[0]] {
			if !slices.Contains(table.keys, constant) && !slices.Contains(partial, table.name) {
				t.Errorf("%s: %s has no row for %s", table.at, table.name, constant)
			}
		}
	}
}

// rowsOf returns the constants that are the keys of an array, with the names of their packages.
func rowsOf(e ast.Expr, folder string) []string {
	var keys []string
	literal, _ := e.(*ast.CompositeLit)
	if literal == nil {
		return nil
	}
	if array, ok := literal.Type.(*ast.ArrayType); !ok || array.Len == nil {
		return nil
	}
	for _, row := range literal.Elts {
		if pair, ok := row.(*ast.KeyValueExpr); ok {
			switch key := pair.Key.(type) {
			case *ast.Ident:
				keys = append(keys, folder+"."+key.Name)
			case *ast.SelectorExpr:
				if of, ok := key.X.(*ast.Ident); ok {
					keys = append(keys, of.Name+"."+key.Sel.Name)
				}
			}
		}
	}
	return keys
}
