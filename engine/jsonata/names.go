package jsonata

import (
	"maps"
	"slices"
)

// FunctionNames returns the names of the functions that the options give, without the $, in alphabetical order.
func (o Options) FunctionNames() []string {
	functions, err := (&compiled{Options: o}).allFunctions()
	if err != nil {
		functions = builtins
	}
	return slices.Sorted(maps.Keys(functions))
}
