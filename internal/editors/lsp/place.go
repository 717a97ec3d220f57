package lsp

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// place is a word of a document: a key, or a value that isn't a container.
type place struct {
	// machine is the definition that it belongs to; nil in other files.
	machine *machine
	root    *source.Node
	// path has the keys and numbers that lead to it. isKey: it is the last of them; else the value there.
	path  []string
	isKey bool
	// node is the value, of a key the value beside it; at is where the word is.
	node *source.Node
	at   source.Span
}

// text returns the key, or the text of a value that is a string.
func (p *place) text() string {
	if p.isKey {
		return p.path[len(p.path)-1]
	}
	if text, ok := p.node.Value.(value.String); ok {
		return string(text)
	}
	return ""
}

// words calls f for each key and each value that isn't a container, below a node.
func words(n *source.Node, path []string, f func(path []string, isKey bool, n *source.Node, at source.Span)) {
	for i := range n.Members {
		m := &n.Members[i]
		below := append(path[:len(path):len(path)], m.Key)
		f(below, true, m.Node, m.KeySpan)
		words(m.Node, below, f)
	}
	for i, item := range n.Items {
		words(item, append(path[:len(path):len(path)], strconv.Itoa(i)), f)
	}
	if n.Members == nil && n.Items == nil {
		f(path, false, n, n.Span)
	}
}

// in reports whether a stretch is in the file of a document, not in an included part.
func (m *machine) in(at source.Span, name string) bool {
	if at.File != nil {
		return at.File.Name == name
	}
	return m.text != nil && m.text.Source.Name == name
}

// placeAt returns the word at an offset of a document, nil where there is none.
func (s *server) placeAt(d *document, offset int) *place {
	var best *place
	look := func(m *machine, root *source.Node) {
		words(root, nil, func(path []string, isKey bool, n *source.Node, at source.Span) {
			if at.Start.Line == 0 || offset < at.Start.Offset || offset > at.End.Offset ||
				m != nil && !m.in(at, d.name) {
				return
			}
			if best == nil || at.End.Offset-at.Start.Offset < best.at.End.Offset-best.at.Start.Offset {
				best = &place{machine: m, root: root, path: path, isKey: isKey, node: n, at: at}
			}
		})
	}
	read := s.read(d)
	for _, m := range read.machines {
		if m.text != nil && m.text.Root != nil {
			look(m, m.text.Root)
		}
	}
	if read.tree != nil {
		look(nil, read.tree)
	}
	return best
}

// where is a place in terms of the language.
type where struct {
	// scope is the object with StartAt and States that the place is in, scopePath the path to it.
	scope     *source.Node
	scopePath []string
	// state is the state that the place is in, name its name; nil outside of states.
	state *source.Node
	name  string
	// fields are the keys and numbers behind the state, or behind the scope.
	fields []string
	// language is the query language there.
	language asl.QueryLanguage
}

// whereIs finds the state of a path in a definition.
func whereIs(root *source.Node, path []string) where {
	w, n := topOf(root), root
	for i, key := range path {
		n = child(n, key)
		w = w.into(n, path[:i+1:i+1])
	}
	return w
}

// topOf is the place of a whole definition.
func topOf(root *source.Node) where {
	w := where{scope: root, language: asl.JSONPath}
	w.take(root)
	return w
}

// into is the place of a value in it, to which a path leads.
func (w where) into(below *source.Node, path []string) where {
	key := path[len(path)-1]
	switch {
	case w.state == nil && len(w.fields) == 1 && w.fields[0] == "States":
		w.name, w.state, w.fields = key, below, []string{}
		w.take(below)
	case w.state != nil && isScope(w.fields, key):
		w.scope, w.scopePath, w.state, w.name, w.fields = below, path, nil, "", nil
	default:
		w.fields = append(w.fields[:len(w.fields):len(w.fields)], key)
	}
	return w
}

// eachWord calls f for each key and each value without members and items, with its place.
func eachWord(root *source.Node, f func(w where, p *place)) { wordsBelow(topOf(root), root, nil, f) }

func wordsBelow(w where, n *source.Node, path []string, f func(w where, p *place)) {
	for i := range n.Members {
		m := &n.Members[i]
		below := append(path[:len(path):len(path)], m.Key)
		inside := w.into(m.Node, below)
		f(inside, &place{path: below, isKey: true, node: m.Node, at: m.KeySpan})
		wordsBelow(inside, m.Node, below, f)
	}
	for i, item := range n.Items {
		below := append(path[:len(path):len(path)], strconv.Itoa(i))
		wordsBelow(w.into(item, below), item, below, f)
	}
	if n.Members == nil && n.Items == nil {
		f(w, &place{path: path, node: n, at: n.Span})
	}
}

// take takes the query language of an object that has one.
func (w *where) take(n *source.Node) {
	if text, ok := source.TextOf(n.Get("QueryLanguage")); ok {
		switch text {
		case asl.JSONata.String():
			w.language = asl.JSONata
		case asl.JSONPath.String():
			w.language = asl.JSONPath
		}
	}
}

// isScope reports whether the next step behind the fields of a state leads to a scope.
func isScope(fields []string, next string) bool {
	switch len(fields) {
	case 0:
		return next == "ItemProcessor" || next == "Iterator"
	case 1:
		return fields[0] == "Branches"
	}
	return false
}

// statePath returns the definition path of the state, as [asl.State.Path] has it.
func (w *where) statePath() string {
	if w.state == nil {
		return ""
	}
	pointer := ""
	for _, key := range w.scopePath {
		pointer += "/" + value.EscapePointer(key)
	}
	path, _ := asl.StateAt(pointer + "/States/" + value.EscapePointer(w.name))
	return path
}

// stateType returns the type of the state, 0 where it is not known.
func (w *where) stateType() asl.StateType {
	text, _ := source.TextOf(w.state.Get("Type"))
	for t := asl.Pass; t <= asl.Map; t++ {
		if t.String() == text {
			return t
		}
	}
	return 0
}

// field returns the row of the field that the place is in, and the rest of the path behind it; nil where there is none.
func (w *where) field() (field *asl.Field, rest []string) {
	if w.state == nil || len(w.fields) == 0 {
		return nil, nil
	}
	field, rest = asl.FieldOf(w.stateType(), w.fields[0]), w.fields[1:]
	for field != nil && len(rest) > 0 {
		next := 0
		for next < len(rest) && isNumber(rest[next]) && field.Parts != nil || next < len(rest) && isRules(field, rest[next]) {
			next++
		}
		if next == len(rest) {
			return field, rest[next:]
		}
		part := field.Part(rest[next])
		if part == nil {
			return field, rest[next:]
		}
		field, rest = part, rest[next+1:]
	}
	return field, rest
}

// evaluates reports whether the text at the place can be a path or an expression.
func (w *where) evaluates(text string) bool {
	field, rest := w.field()
	switch {
	case field == nil:
		return false
	case !field.Content.Evaluated() && field.Content != asl.ContentResultPath && field.Content != asl.ContentRules:
		return false
	case w.language == asl.JSONata:
		return strings.HasPrefix(strings.TrimSpace(text), "{%")
	case field.Content.Templated():
		return len(rest) > 0 && strings.HasSuffix(rest[len(rest)-1], ".$")
	}
	return true
}

// stage returns the stage in which a field of the state works: its own, or the stage of the field that it is part of.
func (w *where) stage(field *asl.Field) asl.Stage {
	if field.Stage != asl.NoStage {
		return field.Stage
	}
	if whole := asl.FieldOf(w.stateType(), w.fields[0]); whole != nil {
		return whole.Stage
	}
	return asl.NoStage
}

// isRules reports whether a key within Choices leads to other rules.
func isRules(field *asl.Field, key string) bool {
	return field.Content == asl.ContentRules && (key == asl.And || key == asl.Or || key == asl.Not)
}

func isNumber(text string) bool {
	_, err := strconv.Atoi(text)
	return err == nil
}

// child returns the member or item of a node, nil where it has none.
func child(n *source.Node, key string) *source.Node {
	if n == nil {
		return nil
	}
	if i, err := strconv.Atoi(key); err == nil && n.Items != nil {
		if i < 0 || i >= len(n.Items) {
			return nil
		}
		return n.Items[i]
	}
	return n.Get(key)
}

// word is a text as it is written: between quotes, or plain.
type word struct {
	from, to int // without the quotes
	quote    string
}

// wordOf returns the written form of a key or a string.
func wordOf(data []byte, at source.Span) word {
	from, to := at.Start.Offset, min(at.End.Offset, len(data))
	stretch := data[from:to]
	const inner = `\"` // in a string of JSON; the stretch ends before such a quote
	if bytes.HasPrefix(stretch, []byte(inner)) && len(stretch) >= len(inner) &&
		bytes.HasPrefix(data[to:], []byte(inner)) {
		return word{from + len(inner), to, inner}
	}
	for _, quote := range []string{`"`, `'`} {
		if len(stretch) >= 2*len(quote) && bytes.HasPrefix(stretch, []byte(quote)) &&
			bytes.HasSuffix(stretch, []byte(quote)) {
			return word{from + len(quote), to - len(quote), quote}
		}
	}
	return word{from: from, to: to}
}

// plainName are the names that need no quotes in YAML.
var plainName = wording.Pattern(`^[\pL_][\pL\d_./-]*(?: [\pL\d_./-]+)*$`)

// write returns a text as it is written in place of the word.
func (w word) write(text string) string {
	switch w.quote {
	case `'`:
		return strings.ReplaceAll(text, "'", "''")
	case `"`:
		return escaped(text)
	case `\"`:
		return escaped(escaped(text))
	}
	switch strings.ToLower(text) {
	case "true", "false", "null", "yes", "no", "on", "off", "y", "n":
		return strconv.Quote(text)
	}
	if plainName().MatchString(text) {
		return text
	}
	return `"` + escaped(text) + `"`
}

// escaped returns a text as it is written in a string of JSON.
func escaped(text string) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // a string can be encoded
	return strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(b.String()), `"`), `"`)
}
