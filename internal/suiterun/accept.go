package suiterun

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"

	"asldb/engine/path"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/files"
	"asldb/internal/suite"
	"asldb/internal/wording"
	"asldb/recorder"
)

// Accepted is a suite in which the expectations of a case have the values that its run has.
type Accepted struct {
	// Before and After are the texts of the suite; they are the same where nothing could be changed.
	Before, After []byte
	// Left are the expectations that the run still does not meet: they say more than a value.
	Left []suite.Finding
}

// The reasons why nothing can be written: ErrRow says that a case is a row of a table.
var (
	ErrRow    = errors.New("the case is a row of a table: its values are to be changed there, by hand")
	errByHand = errors.New("the expectations say more than a value: change them by hand")
)

// acceptRounds bounds how often a case is changed and run again: one expectation can hide another.
const acceptRounds = 4

// AcceptFound changes the expectations of a case that its run does not meet into what the run is. The text of the suite
// stays as it is but for the values; of an object only the members that differ change, so that matchers stay. The error
// says that the case cannot be changed.
func AcceptFound(c *suite.Case, m *Machine, text []byte, o CaseOptions) (*Accepted, error) {
	if c.Row > 0 {
		return nil, ErrRow
	}
	name := c.Suite.Name
	accepted := &Accepted{Before: text, After: text}
	for range acceptRounds {
		outcome, _ := RunCase(c, m, o)
		if outcome.Kind == suite.Wrong {
			return nil, errors.New(outcome.Reason)
		}
		accepted.Left = slices.DeleteFunc(outcome.Findings, func(f suite.Finding) bool {
			return f.Expectation == suite.SnapshotExpectation
		})
		file := &source.File{Name: name, Data: accepted.After}
		root, problem := source.Read(file, nil)
		if problem != nil {
			return nil, errors.New(problem.Format())
		}
		a := &accepting{file: file, body: root.Get("cases").Get(c.Name), redacted: o.Redact.any()}
		for i := range accepted.Left {
			a.finding(&accepted.Left[i])
		}
		var changes files.Changes
		if changes.Add(source.Separate(a.edits)); len(a.edits) == 0 {
			return accepted, nil
		}
		after := changes.Contents()[name]
		read, err := suite.Load(name, after)
		if err != nil {
			return accepted, nil // it stays as it was before
		}
		at := slices.IndexFunc(read.Cases, func(other *suite.Case) bool { return other.Name == c.Name })
		if at < 0 || bytes.Equal(after, accepted.After) {
			return accepted, nil
		}
		accepted.After, c = after, read.Cases[at]
	}
	return accepted, nil
}

// accepting collects the changes of one case.
type accepting struct {
	file  *source.File
	body  *source.Node // of the case; nil: it is not written there
	edits []source.Edit
	// redacted: values were kept out of the findings; an expectation says nothing about them.
	redacted bool
}

// finding changes the expectation of a finding, where it is a value.
func (a *accepting) finding(f *suite.Finding) {
	if a.body == nil || a.body.Get("expect") == nil {
		return
	}
	expect := a.body.Get("expect")
	node := expect.Get(f.Expectation)
	if f.Expectation == "status" {
		a.drop(expect, f.Differences[0].Found)
	}
	switch {
	case node == nil && f.Expectation == "status":
		a.first(expect, a.keyed([]string{"status"}, a.written(f.Differences[0].Found)))
	case node == nil:
		if node = nodeAt(expect, f.At); node != nil && len(f.Differences) == 1 && f.Differences[0].Found != nil {
			a.replace(node, f.Differences[0].Found)
		}
	case f.Found == nil && len(f.Differences) == 1 && f.Differences[0].Found != nil:
		a.replace(node, f.Differences[0].Found)
	case f.Found != nil && !a.members(node, f):
		a.replace(node, f.Found)
	}
}

// drop takes out the expectations that an execution with another end cannot have: on the error of one that succeeds, on
// the output of one that fails.
func (a *accepting) drop(expect *source.Node, status value.Value) {
	names := []string{"output"}
	if status == value.Value(value.String("SUCCEEDED")) {
		names = []string{"error", "cause"}
	}
	for i := range expect.Members {
		m := &expect.Members[i]
		if !slices.Contains(names, m.Key) || len(expect.Members) == 1 {
			continue
		}
		at := source.Span{Start: m.KeySpan.Start, End: m.Node.Span.End}
		if i+1 < len(expect.Members) {
			at.End = expect.Members[i+1].KeySpan.Start
		} else {
			at.Start = expect.Members[i-1].Node.Span.End
		}
		a.edits = append(a.edits, source.Edit{File: a.file, Span: at})
	}
}

// json reports whether the suite is JSON.
func (a *accepting) json() bool { return strings.HasSuffix(a.file.Name, ".json") }

// first writes a member in front of an object's.
func (a *accepting) first(object *source.Node, member string) {
	at := object.Span
	switch {
	case len(object.Members) == 0:
		a.edits = append(a.edits, source.Edit{File: a.file, Span: at, Text: "{" + member + "}"})
	case a.file.Data[at.Start.Offset] == '{':
		at.Start = object.Members[0].KeySpan.Start
		at.End = at.Start
		a.edits = append(a.edits, source.Edit{File: a.file, Span: at, Text: member + ", "})
	default:
		at.Start = object.Members[0].KeySpan.Start
		at.End = at.Start
		indent := strings.Repeat(" ", at.Start.Col-1)
		a.edits = append(a.edits, source.Edit{File: a.file, Span: at, Text: member + "\n" + indent})
	}
}

// add writes a value at the keys behind a node; the first may be there. A key of a list is its index in brackets.
// It reports false where that would change what is there.
func (a *accepting) add(node *source.Node, keys []string, v value.Value) bool {
	for i, key := range keys {
		index, isIndex := listIndex(key)
		switch {
		case node.Kind == value.KindArray && isIndex && index < len(node.Items):
			node = node.Items[index]
		case node.Kind == value.KindObject && !isIndex && node.Get(key) != nil:
			node = node.Get(key)
		case node.Kind == value.KindObject && !isIndex:
			a.first(node, a.keyed(keys[i:], a.written(a.wanted(v))))
			return true
		default:
			return false
		}
	}
	return false
}

// keyed is a member whose value is at further keys.
func (a *accepting) keyed(keys []string, text string) string {
	for i := len(keys) - 1; i >= 0; i-- {
		if index, ok := listIndex(keys[i]); ok {
			text = "[" + strings.Repeat("{}, ", index) + text + "]"
			continue
		}
		key := value.Quote(keys[i])
		if !a.json() && (suite.Plain(keys[i]) == keys[i] || words().MatchString(keys[i])) {
			key = keys[i]
		}
		if text = key + ": " + text; i > 0 {
			text = "{" + text + "}"
		}
	}
	return text
}

var words = wording.Pattern(`^[a-z][A-Za-z]+!?$`)

// listIndex returns the index of a key in brackets.
func listIndex(key string) (index int, ok bool) {
	digits, ok := strings.CutPrefix(key, "[")
	index, err := strconv.Atoi(strings.TrimSuffix(digits, "]"))
	return index, ok && err == nil
}

// AddToCase writes a value at keys of a case, in the text of its suite. The error says that it cannot be written there.
func AddToCase(c *suite.Case, text []byte, keys []string, v value.Value) ([]byte, error) {
	file := &source.File{Name: c.Suite.Name, Data: text}
	root, problem := source.Read(file, nil)
	a := &accepting{file: file}
	switch {
	case problem != nil:
		return nil, errors.New(problem.Format())
	case root.Get("cases") == nil:
		return nil, errByHand
	}
	members := root.Get("cases").Members
	at := slices.IndexFunc(members, func(m source.NodeMember) bool { return m.KeySpan.Start.Offset == c.At.Offset })
	if at < 0 || !a.add(members[at].Node, keys, v) {
		return nil, errByHand
	}
	var changes files.Changes
	changes.Add(source.Separate(a.edits))
	return changes.Contents()[file.Name], nil
}

// members changes the members that differ, and reports whether all of them can be.
func (a *accepting) members(node *source.Node, f *suite.Finding) bool {
	if node.Kind != value.KindObject || f.Found.Kind() != value.KindObject {
		return false
	}
	known := len(a.edits)
	for i := range f.Differences {
		d := &f.Differences[i]
		inner := memberAt(node, d.Path)
		if inner == nil || d.Found == nil {
			a.edits = a.edits[:known]
			return false
		}
		a.replace(inner, d.Found)
	}
	return len(f.Differences) > 0
}

// replace writes a value in place of a node.
func (a *accepting) replace(node *source.Node, found value.Value) {
	at := node.Span
	text := string(a.file.Data[at.Start.Offset:at.End.Offset])
	at.End.Offset -= len(text) - len(strings.TrimRight(text, " \t\r\n"))
	a.edits = append(a.edits, source.Edit{File: a.file, Span: at, Text: a.written(a.wanted(found))})
}

// written is a value in the text of the suite: a name without quotes in YAML, all else as JSON.
func (a *accepting) written(v value.Value) string {
	if text, ok := v.(value.String); ok && !a.json() {
		return suite.Plain(string(text))
	}
	if list, ok := v.(*value.Array); ok {
		items := make([]string, 0, list.Len())
		for _, item := range list.All() {
			items = append(items, a.written(item))
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	return value.Compact(v)
}

// wanted is a found value as an expectation: a text that begins with $ would be a matcher, and a redacted one matches
// any.
func (a *accepting) wanted(v value.Value) value.Value {
	switch v := v.(type) {
	case value.String:
		if a.redacted && strings.Contains(string(v), recorder.Redacted) {
			return value.String("$any")
		}
		if strings.HasPrefix(string(v), "$") {
			return "$" + v
		}
	case *value.Array:
		items := make([]value.Value, 0, v.Len())
		for _, item := range v.All() {
			items = append(items, a.wanted(item))
		}
		return value.NewArray(items)
	case *value.Object:
		var members []value.Member
		for name, member := range v.All() {
			members = append(members, value.Member{Key: name, Value: a.wanted(member)})
		}
		return value.NewObject(members)
	}
	return v
}

// MemberNames returns the names at the beginning of a path: as far as it leads through members of objects.
func MemberNames(text string) (names []string) {
	p, err := path.ParseReference(text)
	for i := 0; err == nil && i < p.Len() && p.Segment(i).Kind == path.NameSegment; i++ {
		names = append(names, p.Segment(i).Name)
	}
	return names
}

// memberAt returns the part of a wanted value at a path; nil where there is none.
func memberAt(node *source.Node, text string) *source.Node {
	p, err := path.ParseReference(text)
	if err != nil || p.Len() == 0 {
		return nil
	}
	for i := range p.Len() {
		switch segment := p.Segment(i); {
		case node == nil:
			return nil
		case segment.Kind == path.NameSegment:
			node = node.Get(segment.Name)
		case segment.Kind == path.IndexSegment && segment.Index < len(node.Items):
			node = node.Items[segment.Index]
		default:
			return nil
		}
	}
	return node
}

// nodeAt returns the scalar that begins at a place; nil where none does.
func nodeAt(node *source.Node, at source.Position) *source.Node {
	for i := range node.Members {
		if found := nodeAt(node.Members[i].Node, at); found != nil {
			return found
		}
	}
	for _, item := range node.Items {
		if found := nodeAt(item, at); found != nil {
			return found
		}
	}
	leaf := len(node.Members) == 0 && len(node.Items) == 0
	if leaf && node.Span.Start.Line == at.Line && node.Span.Start.Col == at.Col {
		return node
	}
	return nil
}
