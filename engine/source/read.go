package source

import (
	"bytes"
	"path/filepath"
	"strings"

	"asldb/engine/value"
)

// Read reads the one value of a file, JSON or YAML, as a tree with positions. A name that ends in .json, .yaml or
// .yml says which; another text is JSON where it begins with a bracket or a brace or is empty, and else YAML. A
// YAML file that is JSON as well is read as JSON, to which tabs are white space. tags may be nil; see [ReadYAML].
// The tree is nil when the text cannot be read: then the diagnostic says why.
func Read(f *File, tags Tags) (*Node, *Diagnostic) {
	root, problem := read(f, tags)
	if problem != nil {
		problem.File = f
	}
	return root, problem
}

func read(f *File, tags Tags) (*Node, *Diagnostic) {
	head := bytes.TrimLeft(bytes.TrimPrefix(f.Data, byteOrderMark), " \t\r\n")
	bracket := len(head) == 0 || head[0] == '{' || head[0] == '['
	switch strings.ToLower(filepath.Ext(f.Name)) {
	case ".json":
		return ReadJSON(f.Data)
	case ".yaml", ".yml":
		if len(head) == 0 || !bracket {
			return ReadYAML(f.Data, tags)
		}
		if root, problem := ReadJSON(f.Data); problem == nil {
			return root, nil
		}
		return ReadYAML(f.Data, tags)
	}
	if bracket {
		return ReadJSON(f.Data)
	}
	return ReadYAML(f.Data, tags)
}

// Article puts the article before a kind, as messages need it: "an object", "a string", "null".
func Article(kind value.Kind) string {
	switch kind {
	case value.KindArray, value.KindObject:
		return "an " + kind.String()
	case value.KindNull:
		return "null"
	case value.KindBool, value.KindNumber, value.KindString:
	}
	return "a " + kind.String()
}
