package smithy

import (
	"slices"
	"strings"

	"asldb/engine/source"
)

// declaration is the head of a shape: the part in front of its body.
type declaration struct {
	id       string
	key      source.Span
	kind     string
	resource string // behind "for"
	mixins   *source.Node
	traits   []source.NodeMember
}

// shape reads a shape with its traits.
func (p *parser) shape() {
	d := &declaration{traits: p.traits()}
	word := p.word()
	switch {
	case word == "":
		p.expected("a shape, such as structure or operation")
	case !slices.Contains(keywords(), word):
		p.unknownKeyword(word)
	}
	d.kind, _ = p.identifier(word)
	p.space()
	name, key := p.identifier("the name of the " + word)
	d.id, d.key = p.namespace+"#"+name, key
	if p.uses[name] != "" {
		p.report(key, "%s is the name of a shape that the file imports, %s", name, p.uses[name])
	}
	p.white()
	if word == "structure" && p.word() == "for" {
		d.resource = p.resource()
	}
	d.mixins = p.mixins()
	p.define(d, p.body(d))
	p.white()
}

// resource reads "for RESOURCE".
func (p *parser) resource() string {
	p.identifier("for")
	p.space()
	name, _ := p.shapeName("the name of a resource")
	p.white()
	return p.resolve(name)
}

// mixins reads "with [...]", if it is next.
func (p *parser) mixins() *source.Node {
	if p.word() != "with" {
		return nil
	}
	p.identifier("with")
	p.white()
	list := p.targets("the name of a mixin")
	p.white()
	return list
}

// define adds a shape with its properties.
func (p *parser) define(d *declaration, properties []source.NodeMember) {
	members := []source.NodeMember{source.M("type", source.NewString(d.kind, d.key))}
	if d.mixins != nil {
		members = append(members, source.M("mixins", d.mixins))
	}
	members = withTraits(append(members, properties...), d.traits)
	p.add(d.id, d.key, source.NewObject(members, source.Span{Start: d.key.Start, End: p.at}), d.resource)
}

// body reads the body of a shape and returns its properties.
func (p *parser) body(d *declaration) []source.NodeMember {
	switch d.kind {
	case "enum", "intEnum":
		return []source.NodeMember{p.membersOf(p.enumMember)}
	case "structure", "union":
		return []source.NodeMember{p.membersOf(p.structureMember)}
	case "list", "set", "map":
		return p.membersOf(p.structureMember).Node.Members
	case "service":
		return p.object(func(key string) *source.Node { return p.property(key, serviceReferences) }).Members
	case "resource":
		return p.object(func(key string) *source.Node { return p.property(key, resourceReferences) }).Members
	case "operation":
		return p.operation(d)
	}
	return nil
}

// membersOf reads members in braces.
func (p *parser) membersOf(read func() source.NodeMember) source.NodeMember {
	if p.peek() != '{' {
		p.expected(`"{"`)
	}
	opened := p.symbol("{")
	var members []source.NodeMember
	for p.white(); !p.accept("}"); p.white() {
		if p.ended() {
			p.unclosed("a member or }", opened)
		}
		members = append(members, read())
	}
	span := source.Span{Start: opened.Start, End: p.at}
	return source.NodeMember{Key: "members", KeySpan: span, Node: source.NewObject(members, span)}
}

// structureMember reads a member with its traits: "name: Target", or "$name", whose target is known elsewhere.
func (p *parser) structureMember() source.NodeMember {
	traits := p.traits()
	elided := p.accept("$")
	name, at := p.identifier("the name of a member")
	var fields []source.NodeMember
	end := at
	if !elided {
		p.space()
		p.symbol(":")
		p.space()
		target := p.target("the type of the member")
		fields, end = target.Members, target.Span
	}
	if held := p.assigned(); held != nil {
		traits = append(traits, source.M(prelude+"default", held))
		end = held.Span
	}
	return source.NodeMember{Key: name, KeySpan: at, Node: source.NewObject(withTraits(fields, traits), source.Span{Start: at.Start, End: end.End})}
}

// assigned reads "= value", if it is next.
func (p *parser) assigned() *source.Node {
	before := p.at
	if p.space(); !p.accept("=") {
		p.at = before
		return nil
	}
	p.space()
	return p.node()
}

func (p *parser) enumMember() source.NodeMember {
	traits := p.traits()
	name, at := p.identifier("the name of a member")
	if held := p.assigned(); held != nil {
		traits = append(traits, source.M(prelude+"enumValue", held))
	}
	return source.NodeMember{Key: name, KeySpan: at, Node: source.NewObject(withTraits(reference(Unit, at).Members, traits), source.Span{Start: at.Start, End: p.at})}
}

// form is the way in which a property of a service or resource refers to shapes.
type form uint8

const (
	plain form = iota
	one
	many
	named
)

var serviceReferences = map[string]form{"operations": many, "resources": many, "errors": many}

var resourceReferences = map[string]form{
	"operations": many, "collectionOperations": many, "resources": many, "identifiers": named, "properties": named,
	"create": one, "put": one, "read": one, "update": one, "delete": one, "list": one,
}

// property reads a property of a service or resource.
func (p *parser) property(key string, references map[string]form) *source.Node {
	switch references[key] {
	case one:
		return p.target("the name of a shape")
	case many:
		if p.peek() != '[' {
			p.expected("a list in brackets")
		}
		return p.targets("the name of a shape or ]")
	case named:
		if p.peek() != '{' {
			p.expected("names and shapes in braces")
		}
		return p.object(func(string) *source.Node { return p.target("the name of a shape") })
	case plain:
	}
	return p.node()
}

// operation reads the body of an operation.
func (p *parser) operation(d *declaration) []source.NodeMember {
	var members []source.NodeMember
	if p.peek() != '{' {
		p.expected(`"{"`)
	}
	opened := p.symbol("{")
	for p.white(); !p.accept("}"); p.white() {
		if p.ended() {
			p.unclosed("input, output, errors or }", opened)
		}
		word := p.word()
		at, _ := p.ahead()
		var held *source.Node
		switch word {
		case "input":
			held = p.part(word, d.id+p.inputSuffix)
		case "output":
			held = p.part(word, d.id+p.outputSuffix)
		case "errors":
			p.identifier(word)
			p.white()
			p.symbol(":")
			p.white()
			held = p.targets("the name of an error or ]")
		default:
			p.expected("input, output, errors or }")
		}
		members = append(members, source.NodeMember{Key: word, KeySpan: at, Node: held})
	}
	return members
}

// part reads the input or output of an operation: a reference, or a structure in its place, which gets the id.
func (p *parser) part(word, id string) *source.Node {
	_, key := p.identifier(word)
	p.white()
	p.symbol(":")
	inline := p.accept("=")
	p.white()
	if !inline {
		return p.target("the name of a structure")
	}
	d := &declaration{id: id, key: key, kind: "structure", traits: p.traits()}
	d.traits = append(d.traits, source.M(prelude+word, source.NewObject(nil, key)))
	if p.word() == "for" {
		d.resource = p.resource()
	}
	d.mixins = p.mixins()
	p.define(d, p.body(d))
	return reference(id, key)
}

// prelude is the namespace of the shapes that every model has (section "Prelude").
const prelude = "smithy.api#"

// Unit is the id of the shape of an operation that takes or gives nothing.
const Unit = prelude + "Unit"

// The names of the prelude: its simple shapes, then its traits.
const preludeNames = ` Blob Boolean Document String Byte Short Integer Long Float Double BigInteger BigDecimal Timestamp Unit
 PrimitiveBoolean PrimitiveByte PrimitiveShort PrimitiveInteger PrimitiveLong PrimitiveFloat PrimitiveDouble
 addedDefault auth authDefinition box clientOptional cors data default deprecated documentation endpoint enum enumValue error
 eventHeader eventPayload examples externalDocumentation hostLabel http httpApiKeyAuth httpBasicAuth httpBearerAuth
 httpChecksumRequired httpDigestAuth httpError httpHeader httpLabel httpPayload httpPrefixHeaders httpQuery httpQueryParams
 httpResponseCode idRef idempotencyToken idempotent input internal jsonName length mediaType mixin nestedProperties noReplace
 notProperty optionalAuth output paginated pattern private property protocolDefinition range readonly recommended references
 required requiresLength resourceIdentifier retryable sensitive since sparse streaming suppress tags timestampFormat title trait
 traitValidators unitsOf uniqueItems unstable xmlAttribute xmlFlattened xmlName xmlNamespace `

var preludeSet = func() map[string]bool {
	set := make(map[string]bool)
	for name := range strings.FieldsSeq(preludeNames) {
		set[name] = true
	}
	return set
}()

func isPrelude(name string) bool { return preludeSet[name] }
