package wording

import (
	"fmt"
	"reflect"
	"slices"
)

// KindName returns the name of a kind in the table of its type, and "Kind(7)" where it has none.
func KindName[K ~uint8](names []string, kind K) string {
	if int(kind) < len(names) && names[kind] != "" {
		return names[kind]
	}
	return fmt.Sprintf("%s(%d)", reflect.TypeFor[K]().Name(), kind)
}

// KindNamed returns the kind that has a name in the table of its type; ok is false where none has.
func KindNamed[K ~uint8](names []string, name string) (kind K, ok bool) {
	i := slices.Index(names, name)
	if i < 0 || name == "" {
		return 0, false
	}
	return K(i), true
}
