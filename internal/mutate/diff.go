package mutate

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/definitions"
	"asldb/internal/files"
)

// diff sets the diff of an outcome: of the file where the change can be edits in its text, and shown, else of the definition as JSON.
func (r *runner) diff(o *Outcome) {
	var changes files.Changes
	if edits := r.edits(o.Mutant); edits != nil {
		changes.Add(edits)
		if o.Diff, o.Text = changes.Diff(folder()), true; !hasLongLine(o.Diff) {
			return
		}
	}
	o.Text = false
	root := r.machine.Definition.Machine.Root
	r.pretty.Do(func() { r.text = pretty(root) })
	o.Diff = files.Unified(filepath.Base(o.File.Name), r.text, pretty(o.Root(root)))
}

// maxLine is the greatest length of a line in a diff, in bytes: of a definition in one line the diff of its JSON says more.
const maxLine = 500

func hasLongLine(text []byte) bool {
	return slices.ContainsFunc(bytes.Split(text, []byte("\n")), func(line []byte) bool { return len(line) > maxLine })
}

// folder is the folder from which the files of diffs are named.
func folder() string {
	folder, err := os.Getwd()
	if err != nil {
		return ""
	}
	return folder
}

func pretty(n *source.Node) []byte {
	return []byte(strings.TrimSuffix(value.Pretty(n.Value), "\n") + "\n")
}

// edits returns the change of a mutant as edits of its file. It returns nil where the change cannot be edits in the text: of a text
// that is put together from parts, such as a definition in a template of the CDK. Else the file with the edits, read again, is
// the mutant.
func (r *runner) edits(m *Mutant) []source.Edit {
	edits := m.change.edits(source.LayoutOf(m.File))
	if edits == nil {
		return nil
	}
	kept := source.Separate(edits)
	if len(kept) != len(edits) {
		return nil
	}
	if m.readsAlike(kept) {
		return kept
	}
	d := r.machine.Definition
	again := definitions.Definition{File: d.File, Resource: d.Resource, Substitute: d.Substitute, Substitutions: d.Substitutions, Projects: d.Projects}
	files := r.options.Settings.Files
	files.Changed = map[string][]byte{m.File.Name: source.Apply(m.File, kept)}
	text, err := again.Open(files)
	if err != nil || text.Root == nil || !sameNode(text.Root, m.Root(d.Machine.Root)) {
		return nil
	}
	return kept
}

// readsAlike reports whether the text of the changed state, with the edits, is JSON alone that has the change. It spares
// the reading of the whole file for each mutant; where it is false, that decides.
func (m *Mutant) readsAlike(edits []source.Edit) bool {
	if m.State == nil || !bytes.HasPrefix(m.File.Data, []byte("{")) {
		return false
	}
	span, length := m.State.Node.Span, len(m.File.Data)
	for _, e := range edits {
		if e.Span.Start.Offset < span.Start.Offset || e.Span.End.Offset > span.End.Offset {
			return false
		}
	}
	text := source.Apply(m.File, edits)
	root, problem := source.ReadJSON(text[span.Start.Offset : span.End.Offset+len(text)-length])
	return problem == nil && sameNode(root, m.Root(m.State.Node))
}

// sameNode reports whether two trees hold the same. A name without a value is the same as itself: containers do not know it, so that their
// values are not compared.
func sameNode(a, b *source.Node) bool {
	if a.Kind != b.Kind || a.Unknown != b.Unknown || len(a.Members) != len(b.Members) || len(a.Items) != len(b.Items) {
		return false
	}
	for i := range a.Members {
		if a.Members[i].Key != b.Members[i].Key || !sameNode(a.Members[i].Node, b.Members[i].Node) {
			return false
		}
	}
	for i := range a.Items {
		if !sameNode(a.Items[i], b.Items[i]) {
			return false
		}
	}
	return len(a.Members)+len(a.Items) > 0 || value.Equal(a.Value, b.Value)
}
