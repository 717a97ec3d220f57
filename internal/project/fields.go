package project

import (
	"slices"
	"strings"

	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
)

// Level is the level at which the problems of a rule are reported.
type Level uint8

// The levels, from the lowest.
const (
	Off Level = iota // not at all
	Hint
	Warning
	Error
)

// words are the names of the levels.
var words = [...]string{Off: "off", Hint: "hint", Warning: "warning", Error: "error"}

// String returns "off", "hint", "warning" or "error".
func (l Level) String() string { return words[l] }

// LevelOf returns the level of a severity.
func LevelOf(s source.Severity) Level {
	switch s {
	case source.Hint, source.Note:
		return Hint
	case source.Warning:
		return Warning
	case source.Error, source.Danger:
	}
	return Error
}

// Steerable returns the names of the rules that can have a level: all but those without which nothing can be read.
func Steerable() []string {
	return slices.DeleteFunc(rules.Names(), rules.Essential)
}

// kind is the kind of a field's value.
type kind uint8

const (
	levelsKind        kind = iota // an object of rules with their levels
	substitutionsKind             // an object of names with their values, or the name of a file with one
	fileKind                      // the name of a file
	patternKind                   // a pattern of paths
	ruleKind                      // the name of a rule
	textKind                      // a text that is not empty
	typeKind                      // the type of a state machine
	switchKind                    // true or false
	listKind                      // a list of objects with the fields' own fields
	pathsKind                     // a listKind whose objects may be members instead, by their first field
	objectKind                    // an object with the fields' own fields
	barsKind                      // a percentage, or a text of percentages by kind
)

// types are the types of state machines.
var types = []string{"standard", "express"}

// field is a field of a project file. The reader and the schema are made of the table of fields.
type field struct {
	name, about string
	kind        kind
	required    bool
	fields      []field // of the objects of a listKind, or of an objectKind
}

const (
	patternAbout = "a file or folder below this one; * matches within a name, ** any folders"
	stateAbout   = "only for this state: its name, or its path such as Order/Branches[1]/Charge"
)

func settingFields() []field {
	return []field{
		{name: "rules", kind: levelsKind, about: "the levels of rules: off, hint, warning or error; asldb rules lists the rules"},
		{name: "fixtures", kind: fileKind, about: "the fixtures file of runs without --fixtures; it is not a permission for live calls"},
		{name: "substitutions", kind: substitutionsKind, about: "values for each ${NAME}, or the name of a file with them; --substitute and --substitutions override them"},
		{name: "type", kind: typeKind, about: "the type of machines outside of templates: standard or express"},
	}
}

// fields is the table of the fields of a project file.
func fields() []field {
	return append(settingFields(),
		field{name: "noticed", kind: switchKind, about: "false: runs and tests do not say what they noticed"},
		field{name: "baseline", kind: fileKind, about: "a file of known problems, which are not reported; asldb validate --write-baseline writes it"},
		field{
			name: "paths", kind: pathsKind,
			about:  "settings for some of the files, as a list or by their paths; the last that matches a file decides",
			fields: append([]field{{name: "path", kind: patternKind, required: true, about: patternAbout}}, settingFields()...),
		},
		field{
			name: "coverage", kind: objectKind, about: "the bar of asldb test --coverage, and parts that do not count",
			fields: []field{
				{name: "min", kind: barsKind,
					about: "the least coverage in percent, or by kind: states=100, rules=90; --update raises it"},
				{name: "ignore", kind: listKind, about: "parts that do not count", fields: []field{
					{name: "state", kind: textKind, required: true,
						about: "the state: its name, or its path such as Order/Branches[1]/Charge"},
					{name: "kind", kind: textKind,
						about: "only these parts of it: rules, catchers, errors, timeouts and so on"},
					{name: "path", kind: patternKind, about: patternAbout},
					{name: "reason", kind: textKind, required: true, about: "why they do not count"},
				}},
			},
		},
		field{
			name: "ignore", kind: listKind, about: "problems that are not reported",
			fields: []field{
				{name: "rule", kind: ruleKind, required: true, about: "the rule; asldb rules lists them"},
				{name: "path", kind: patternKind, about: patternAbout},
				{name: "state", kind: textKind, about: stateAbout},
				{name: "reason", kind: textKind, required: true, about: "why the problem is accepted"},
			},
		},
	)
}

// forbidden reports whether a field would allow live calls, as people may try it.
func forbidden(name string) bool {
	plain := strings.ToLower(strings.NewReplacer("-", "", "_", "", " ", "").Replace(name))
	return slices.Contains([]string{"live", "allow", "allowlive", "livecalls", "allowlivecalls", "consent", "permit"}, plain)
}

// Schema returns the JSON Schema (draft 2020-12) of project files.
func Schema() value.Value {
	return value.ObjectOf(append([]value.Member{
		value.M("$schema", value.String("https://json-schema.org/draft/2020-12/schema")),
		value.M("title", value.String("Project file of asldb ("+FileName+")")),
	}, objectSchema(fields(), "object", "null")...)...)
}

func text(t string) value.Value { return value.String(t) }

func texts(list []string) value.Value {
	items := value.Each(list, text)
	return value.NewArray(items)
}

// objectSchema returns the members of the schema of an object with the fields of a table.
func objectSchema(table []field, types ...string) []value.Member {
	var properties []value.Member
	var required []string
	for i := range table {
		f := &table[i]
		properties = append(properties, value.M(f.name, fieldSchema(f)))
		if f.required {
			required = append(required, f.name)
		}
	}
	members := []value.Member{value.M("type", texts(types))}
	if len(types) == 1 {
		members[0].Value = text(types[0])
	}
	members = append(members, value.M("additionalProperties", value.Bool(false)), value.M("properties", value.NewObject(properties)))
	if required != nil {
		members = append(members, value.M("required", texts(required)))
	}
	return members
}

// fieldSchema returns the schema of a field's value.
func fieldSchema(f *field) value.Value {
	about := value.M("description", text(f.about))
	filled := []value.Member{value.M("type", text("string")), value.M("pattern", text(`\S`))}
	switch f.kind {
	case levelsKind:
		return value.ObjectOf(about, value.M("type", text("object")),
			value.M("propertyNames", value.ObjectOf(value.M("enum", texts(Steerable())))),
			value.M("additionalProperties", value.ObjectOf(value.M("enum", texts(words[:])))))
	case substitutionsKind:
		return value.ObjectOf(about, value.M("oneOf", value.ArrayOf(
			value.NewObject(filled),
			value.ObjectOf(value.M("type", text("object")), value.M("additionalProperties", value.ObjectOf(
				value.M("type", texts([]string{"string", "number", "boolean", "object", "array"}))))),
		)))
	case ruleKind:
		return value.ObjectOf(about, value.M("enum", texts(Steerable())))
	case listKind:
		return value.ObjectOf(about, value.M("type", text("array")), value.M("items", value.NewObject(objectSchema(f.fields, "object"))))
	case pathsKind:
		list, _ := fieldSchema(&field{kind: listKind, fields: f.fields}).(*value.Object)
		return value.ObjectOf(about, value.M("oneOf", value.ArrayOf(list.Without("description"), value.ObjectOf(
			value.M("type", text("object")),
			value.M("propertyNames", fieldSchema(&f.fields[0])),
			value.M("additionalProperties", value.NewObject(objectSchema(f.fields[1:], "object"))),
		))))
	case objectKind:
		return value.NewObject(append([]value.Member{about}, objectSchema(f.fields, "object")...))
	case barsKind:
		return value.ObjectOf(about, value.M("type", texts([]string{"number", "string"})))
	case patternKind:
		return value.ObjectOf(append([]value.Member{about}, value.M("type", text("string")),
			value.M("pattern", text(`\S`)), value.M("not", value.ObjectOf(value.M("pattern", text(`^(/|\.\.(/|$))|`+backslashed)))))...)
	case typeKind:
		return value.ObjectOf(about, value.M("enum", texts(types)))
	case switchKind:
		return value.ObjectOf(about, value.M("type", text("boolean")))
	case fileKind, textKind:
	}
	return value.NewObject(append([]value.Member{about}, filled...))
}
