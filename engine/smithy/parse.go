package smithy

import (
	"slices"
	"strings"

	"asldb/engine/source"
	"asldb/internal/wording"
)

// parser reads a file in the IDL.
type parser struct {
	*scanner
	depth int

	namespace string
	uses      map[string]string // the absolute ids of imported names
	// declared has the ids of the shapes of all files; nil on the first reading, which collects them.
	declared map[string]bool

	inputSuffix, outputSuffix string
	shapes                    []*Shape
	properties                []source.NodeMember // of the metadata
}

func newParser(f *source.File, declared map[string]bool) *parser {
	return &parser{scanner: newScanner(f), declared: declared, uses: make(map[string]string), inputSuffix: "Input", outputSuffix: "Output"}
}

// parse reads the whole file.
func (p *parser) parse() {
	p.white()
	for !p.ended() {
		p.statement()
	}
}

// statement reads one statement. After a mistake it passes the lines up to the next that begins a statement.
func (p *parser) statement() {
	from := p.at.Offset
	defer func() {
		fault := recover()
		if fault == nil {
			return
		}
		if _, mistake := fault.(bailout); !mistake {
			panic(fault)
		}
		p.depth = 0
		p.recoverFrom(from)
	}()
	switch word := p.word(); {
	case p.peek() == '$':
		p.control()
	case word == "metadata" && p.namespace == "":
		p.identifier(word)
		p.metadata()
	case word == "metadata":
		at, _ := p.ahead()
		p.fail(at, "metadata must come before the namespace")
	case word == "namespace":
		p.identifier(word)
		p.namespaceStatement()
	case word == "use" && p.namespace != "":
		p.identifier(word)
		p.use()
	case p.namespace == "" && word == "" && p.peek() != '@':
		p.expected("a statement, such as namespace")
	case p.namespace == "":
		at, found := p.ahead()
		p.fail(at, "shapes come after a namespace: expected namespace, and found %s", found)
	case word == "apply":
		p.identifier(word)
		p.apply()
	default:
		p.shape()
	}
}

// recoverFrom passes the lines up to the next one that begins with a word, @ or $, behind the offset of a statement.
func (p *parser) recoverFrom(statement int) {
	if p.at.Offset == statement && !p.ended() {
		p.restOfLine()
	}
	for !p.ended() {
		p.restOfLine()
		p.skip(1)
		if c := p.peek(); p.at.Col == 1 && (isLetter(c) || c == '@' || c == '$' || p.startsWith("///")) {
			p.white()
			return
		}
	}
}

// control reads a control statement.
func (p *parser) control() {
	opened := p.symbol("$")
	key, _ := p.key("the name of a control statement", opened)
	p.space()
	p.symbol(":")
	p.space()
	held := p.node()
	switch text := held.Text(); key {
	case "version":
		if major, _, _ := strings.Cut(text, "."); major != "1" && major != "2" {
			p.report(held.Span, "asldb reads the versions 1.0 and 2 of Smithy's IDL, not %q", text)
		}
	case "operationInputSuffix":
		p.inputSuffix = text
	case "operationOutputSuffix":
		p.outputSuffix = text
	}
	p.lineEnd()
}

func (p *parser) metadata() {
	p.space()
	key, at := p.key("the name of the metadata", p.here())
	p.space()
	p.symbol("=")
	p.space()
	p.properties = append(p.properties, source.NodeMember{Key: key, KeySpan: at, Node: p.node()})
	p.lineEnd()
}

func (p *parser) namespaceStatement() {
	p.space()
	name, at := p.shapeName("the name of the namespace")
	switch {
	case strings.ContainsAny(name, "#$"):
		p.report(at, "a namespace is names with dots, not %q", name)
	case p.namespace != "":
		p.report(at, "a file has one namespace, and this one has %s already", p.namespace)
	default:
		p.namespace = name
	}
	p.lineEnd()
}

func (p *parser) use() {
	p.space()
	id, at := p.shapeName("the id of a shape, such as smithy.waiters#waitable")
	_, name, absolute := strings.Cut(id, "#")
	switch {
	case !absolute || strings.Contains(id, "$"):
		p.report(at, "use takes the id of a shape with its namespace, such as smithy.waiters#waitable, not %q", id)
	case p.uses[name] != "" && p.uses[name] != id:
		p.report(at, "%s is imported already, as %s", name, p.uses[name])
	default:
		p.uses[name] = id
	}
	p.lineEnd()
}

// resolve returns the absolute id of a shape (section "Relative shape ID resolution").
func (p *parser) resolve(name string) string {
	if strings.Contains(name, "#") {
		return name
	}
	root, member, isMember := strings.Cut(name, "$")
	id := p.namespace + "#" + root
	switch {
	case p.uses[root] != "":
		id = p.uses[root]
	case p.declared[id]:
	case isPrelude(root):
		id = prelude + root
	}
	if isMember {
		id += "$" + member
	}
	return id
}

// trait reads a trait with its value, and returns it as a member of the traits.
func (p *parser) trait() source.NodeMember {
	p.symbol("@")
	name, at := p.shapeName("the name of a trait")
	held := source.NewObject(nil, at)
	if p.peek() == '(' {
		held = p.traitBody()
	}
	return source.NodeMember{Key: p.resolve(name), KeySpan: at, Node: held}
}

// traitBody reads the value of a trait: members without braces, or any value.
func (p *parser) traitBody() *source.Node {
	opened := p.symbol("(")
	p.white()
	if p.accept(")") {
		return source.NewObject(nil, source.Span{Start: opened.Start, End: p.at})
	}
	if key, at, members := p.firstKey(); members {
		held := func(string) *source.Node { return p.node() }
		pairs := []source.NodeMember{p.pair(key, at, held)}
		p.white()
		pairs = append(pairs, p.pairs(")", opened, held)...)
		return source.NewObject(pairs, source.Span{Start: opened.Start, End: p.at})
	}
	held := p.node()
	if p.white(); !p.accept(")") {
		p.unclosed(`")"`, opened)
	}
	return held
}

// firstKey reads the key at the beginning of a trait's value; where there is a value it passes nothing.
func (p *parser) firstKey() (key string, at source.Span, found bool) {
	if p.peek() != '"' && !isLetter(p.peek()) {
		return "", at, false
	}
	before := p.at
	key, at = p.key("a name", at)
	if p.white(); p.peek() == ':' {
		return key, at, true
	}
	p.at = before
	return "", at, false
}

// traits reads the traits in front of a shape or a member, with its documentation comment as the first.
func (p *parser) traits() []source.NodeMember {
	var list []source.NodeMember
	if len(p.docs) > 0 {
		list = append(list, source.M(prelude+"documentation", source.NewString(strings.Join(p.docs, "\n"), p.here())))
		p.docs = nil
	}
	for p.peek() == '@' {
		t := p.trait()
		if i := slices.IndexFunc(list, func(m source.NodeMember) bool { return m.Key == t.Key }); i >= 0 {
			list[i] = t
		} else {
			list = append(list, t)
		}
		p.white()
	}
	return list
}

// withTraits adds traits to the members of a shape, where there are any.
func withTraits(members, traits []source.NodeMember) []source.NodeMember {
	if len(traits) == 0 {
		return members
	}
	span := source.Span{Start: traits[0].KeySpan.Start, End: traits[len(traits)-1].Node.Span.End}
	return append(members, source.M("traits", source.NewObject(traits, span)))
}

// apply reads an apply statement, which gives traits to a shape that is defined elsewhere.
func (p *parser) apply() {
	p.space()
	name, at := p.shapeName("the shape that traits are applied to")
	p.white()
	var traits []source.NodeMember
	if p.peek() == '{' {
		opened := p.symbol("{")
		p.white()
		p.docs = nil
		traits = p.traits()
		if !p.accept("}") {
			p.unclosed("a trait or }", opened)
		}
	} else {
		if p.peek() != '@' {
			p.expected("a trait, such as @deprecated")
		}
		traits = []source.NodeMember{p.trait()}
	}
	p.lineEnd()
	p.add(p.resolve(name), at, source.NewObject(withTraits([]source.NodeMember{source.M("type", source.NewString("apply", at))}, traits), at), "")
}

// add adds a shape of the file.
func (p *parser) add(id string, key source.Span, n *source.Node, resource string) {
	p.shapes = append(p.shapes, &Shape{ID: id, Key: key, Node: n, File: p.file, resource: resource})
}

// keywords returns the words that begin a shape.
func keywords() []string {
	return append([]string{"enum", "intEnum", "list", "set", "map", "structure", "union", "service", "resource", "operation"}, simpleTypes...)
}

var simpleTypes = []string{
	"blob", "boolean", "document", "string", "byte", "short", "integer", "long", "float", "double", "bigInteger", "bigDecimal", "timestamp",
}

// unknownKeyword says that a shape begins with a word that is none of theirs.
func (p *parser) unknownKeyword(word string) {
	at, _ := p.ahead()
	d := p.report(at, "expected a shape, such as structure or operation, and found %q", word)
	d.Suggestion = wording.Meant(word, slices.Values(append(keywords(), "apply", "use", "metadata")))
	panic(bailout{})
}
