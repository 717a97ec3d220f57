package launch

import (
	"fmt"

	"asldb/fixtures"
	"asldb/internal/store"
)

// Subject returns a fixtures file as consent is asked for it.
func Subject(file *fixtures.File, reach *fixtures.Reach) *store.Subject {
	subject := &store.Subject{Name: file.Name, Path: reach.Files[0].Path}
	for _, f := range reach.Files {
		subject.Files = append(subject.Files, store.File{Path: f.Path, Digest: f.Digest})
	}
	for _, c := range reach.Calls {
		subject.Calls = append(subject.Calls, store.Call{Text: c.Text, Place: fmt.Sprintf("%s:%d:%d", c.File, c.Line, c.Col)})
	}
	return subject
}
