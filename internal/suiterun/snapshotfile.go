// Holds the runs that the cases of a suite had when they were last accepted: of each its status, the path of the top
// thread, the payloads of the tasks, and its output or error. They are in a file beside the suite: order.test.yaml's in
// order.test.snap.yaml.

package suiterun

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/path"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/files"
	"asldb/internal/suite"
)

// NameOf returns the name of the file of snapshots of a suite.
func NameOf(suiteFile string) string {
	return strings.TrimSuffix(suiteFile, filepath.Ext(suiteFile)) + ".snap.yaml"
}

// File is the file of snapshots of one suite. Reading it, several goroutines may share it.
type File struct {
	Name  string
	suite string
	cases []stored
}

type stored struct {
	name     string
	want     *suite.Value // nil: it was set, and not read
	snapshot value.Value
}

// ReadSnapshot reads the snapshots of a suite. A file that is not there has none. The error is a *[suite.Error], or of
// the file system.
func ReadSnapshot(suiteFile string) (*File, error) {
	data, err := files.RootOf(suiteFile).Read(NameOf(suiteFile), value.DefaultBytes)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the snapshots: %w", err)
	}
	return parse(suiteFile, data)
}

// parse reads the text of the file of a suite, nil where there is none.
func parse(suiteFile string, data []byte) (*File, error) {
	f := &File{Name: NameOf(suiteFile), suite: suiteFile}
	if data == nil {
		return f, nil
	}
	root, problem := source.Read(&source.File{Name: f.Name, Data: data}, nil)
	if problem != nil {
		return nil, f.wrong(problem.Span.Start, problem.Message)
	}
	version, cases := root.Get("version"), root.Get("cases")
	if version == nil || !value.Equal(version.Value, value.Int(suite.Version)) {
		return nil, f.wrong(root.Span.Start, "a file of snapshots begins with version: 1")
	}
	if cases == nil || cases.Kind != value.KindObject {
		return nil, f.wrong(root.Span.Start, "a file of snapshots has cases, an object")
	}
	for _, m := range cases.Members {
		f.cases = append(f.cases, stored{m.Key, suite.Exactly(m.Node), m.Node.Value})
	}
	return f, nil
}

func (f *File) wrong(at source.Position, message string) error {
	return suite.NewError(f.Name, []fixtures.Problem{{Line: at.Line, Col: at.Col, Message: message + "; asldb test --update writes it anew"}})
}

// Find returns the snapshot of a case as a wanted value; nil: there is none.
func (f *File) Find(name string) *suite.Value {
	for i := range f.cases {
		if f.cases[i].name == name {
			return f.cases[i].want
		}
	}
	return nil
}

// Set sets the snapshot of a case.
func (f *File) Set(name string, v value.Value) {
	for i := range f.cases {
		if f.cases[i].name == name {
			f.cases[i].snapshot = v
			return
		}
	}
	f.cases = append(f.cases, stored{name: name, snapshot: v})
}

// Accept writes a snapshot of one case into the file of its suite, where the others stay as they are.
func Accept(suiteFile, name string, snapshot value.Value) error {
	return Update(suiteFile, func(f *File) bool { f.Set(name, snapshot); return true })
}

// Update changes the file of a suite as it is now, in one step: other processes may change it, too. change reports
// whether it has changed anything. Without a snapshot there is no file.
func Update(suiteFile string, change func(*File) bool) error {
	name := NameOf(suiteFile)
	if err := files.RootOf(suiteFile).Check(name); err != nil {
		return fmt.Errorf("the snapshots: %w", err)
	}
	return files.Update(name, 0o666, func(old []byte) ([]byte, error) {
		f, err := parse(suiteFile, old)
		if err != nil || !change(f) {
			return old, err
		}
		return f.Text(), nil
	})
}

// Retain drops the snapshots of all cases but some, and puts these in their order. It reports whether there were
// others.
func (f *File) Retain(names []string) (dropped bool) {
	var kept []stored
	for _, name := range names {
		if i := slices.IndexFunc(f.cases, func(s stored) bool { return s.name == name }); i >= 0 {
			kept = append(kept, f.cases[i])
		}
	}
	dropped = len(kept) < len(f.cases)
	f.cases = kept
	return dropped
}

// Text returns the text of the file: JSON values in YAML, with a line for each member of an output and each payload;
// nil without a snapshot.
func (f *File) Text() []byte {
	if len(f.cases) == 0 {
		return nil
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Snapshots of %s. asldb test --update writes this file.\nversion: 1\ncases:\n", filepath.Base(f.suite))
	for _, s := range f.cases {
		fmt.Fprintf(&b, "  %s:\n", value.Quote(s.name))
		writeCase(&b, s.snapshot, "    ")
	}
	return b.Bytes()
}

// TextOf returns a snapshot as it is written in a file.
func TextOf(snapshot value.Value) []byte {
	var b bytes.Buffer
	writeCase(&b, snapshot, "")
	return b.Bytes()
}

func writeCase(b *bytes.Buffer, snapshot value.Value, indent string) {
	object, ok := snapshot.(*value.Object)
	if !ok {
		return
	}
	for key, v := range object.All() {
		fmt.Fprintf(b, "%s%s:", indent, value.Quote(key))
		write(b, v, indent+"  ", key == "path")
	}
}

// write writes a value behind a key: an object with a line for each member, an array of objects with a line for each
// item.
func write(b *bytes.Buffer, v value.Value, indent string, flat bool) {
	switch v := v.(type) {
	case *value.Object:
		if v.Len() == 0 || flat {
			break
		}
		b.WriteByte('\n')
		for key, member := range v.All() {
			fmt.Fprintf(b, "%s%s:", indent, value.Quote(key))
			write(b, member, indent+"  ", false)
		}
		return
	case *value.Array:
		if v.Len() == 0 || flat {
			break
		}
		b.WriteByte('\n')
		for i := range v.Len() {
			fmt.Fprintf(b, "%s- %s\n", indent, value.Compact(v.At(i)))
		}
		return
	}
	fmt.Fprintf(b, " %s\n", value.Compact(v))
}

// Of returns the snapshot of a session that has come to its end, without the values at some paths.
func Of(session *debug.Session, ignore []*path.Path) value.Value {
	var states []value.Value
	var tasks []value.Member
	for event := range session.Log().All() {
		switch event.Type {
		case engine.StateEntered:
			if event.Visit.Parent == nil {
				states = append(states, value.String(event.Visit.State.Name))
			}
		case engine.TaskScheduled:
			name := event.Visit.Path()
			i := slices.IndexFunc(tasks, func(m value.Member) bool { return m.Key == name })
			if i < 0 {
				tasks = append(tasks, value.Member{Key: name, Value: value.NewArray([]value.Value{event.After})})
				continue
			}
			tasks[i].Value = value.NewArray(append(items(tasks[i].Value), event.After))
		default:
		}
	}
	slices.SortStableFunc(tasks, func(a, b value.Member) int { return strings.Compare(a.Key, b.Key) })
	members := []value.Member{
		{Key: "status", Value: value.String(statusWord(session.Status()))}, {Key: "path", Value: value.NewArray(states)},
	}
	if len(tasks) > 0 {
		members = append(members, value.Member{Key: "tasks", Value: value.NewObject(tasks)})
	}
	if failure := session.Failure(); failure != nil {
		members = append(members, value.Member{Key: "error", Value: value.String(failure.Name)}, value.Member{Key: "cause", Value: value.String(failure.Cause)})
	} else if out := session.Output(); out != nil {
		members = append(members, value.Member{Key: "output", Value: out})
	}
	v := value.Value(value.NewObject(members))
	for _, p := range ignore {
		v = Without(v, p)
	}
	return v
}

func items(v value.Value) (all []value.Value) {
	array := v.(*value.Array)
	for i := range array.Len() {
		all = append(all, array.At(i))
	}
	return all
}

func statusWord(s engine.Status) string {
	switch s {
	case engine.Succeeded:
		return suite.Succeeded.String()
	case engine.TimedOut:
		return suite.TimedOut.String()
	case engine.Aborted:
		return suite.Aborted.String()
	default:
		return suite.Failed.String()
	}
}
