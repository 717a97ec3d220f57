package lint

import (
	"maps"
	"slices"
)

// names returns the keys of a table in their order.
func names[V any](table map[string]V) []string { return slices.Sorted(maps.Keys(table)) }
