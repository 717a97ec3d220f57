package suite

import (
	_ "embed" // the parts of the schema
	"strings"

	"asldb/engine/value"
	"asldb/fixtures"
)

// Schema returns the JSON Schema (draft 2020-12) of suites, for editors that complete and check such files. It is made of the tables
// that [Load] reads by, and of the schema of fixtures. Load checks the rest: that conditions can be compiled, for example.
func Schema() value.Value {
	ofFixtures := value.Must(string(fixtures.Schema())).(*value.Object)
	fixtureDefs := ofFixtures.Get("$defs").(*value.Object).Without("case")

	defs := value.ObjectBuilder{}
	for name, def := range schemaDefs(fixtureDefs) {
		defs.Set(name, def)
	}
	// A case with a table has columns in place of values.
	for name, def := range schemaDefs(fixtureDefs) {
		defs.Set(name+inTable, withColumns(def))
	}
	defs.Set("column",
		value.Must(`{"type": "string", "pattern": "\\{\\{", "description": "A column of the table: {{name}}."}`))

	properties := value.ObjectBuilder{}
	own := ofFixtures.Get("properties").(*value.Object)
	for _, name := range []string{"version", "include", "allowLive"} {
		properties.Set(name, own.Get(name))
	}
	for name, v := range propertiesOf(suiteTable).All() {
		properties.Set(name, v)
	}
	for _, name := range layerKeys {
		properties.Set(name, own.Get(name))
	}
	properties.Set("cases", value.Must(`{
		"description": "The cases, by name.", "type": "object", "minProperties": 1,
		"patternProperties": {"\\{\\{\\s*[^{}]*?\\s*\\}\\}": {"if": {"type": "object", "required": ["table"]}, "then": {"$ref": "#/$defs/case`+inTable+`"}, "else": {"$ref": "#/$defs/case"}}},
		"additionalProperties": {"allOf": [{"$ref": "#/$defs/case"}, {"properties": {"table": false}}]}}`))
	return value.ObjectOf(
		value.Member{Key: "$schema", Value: value.String("https://json-schema.org/draft/2020-12/schema")},
		value.Member{Key: "title", Value: value.String("asldb suite")},
		value.Member{
			Key:   "description",
			Value: value.String("Test cases for a state machine in the Amazon States Language."),
		},
		value.Member{Key: "type", Value: value.String("object")},
		value.Member{Key: "required", Value: value.Must(`["version", "cases"]`)},
		value.Member{Key: "properties", Value: properties.Object()},
		value.Member{Key: "additionalProperties", Value: value.Bool(false)},
		value.Member{Key: "$defs", Value: defs.Object()},
	)
}

// inTable is the end of the names of the definitions for cases with a table.
const inTable = "InTable"

// propertiesOf returns the properties of the objects that a table is for.
func propertiesOf[T any](table []key[T]) *value.Object {
	var b value.ObjectBuilder
	for i := range table {
		form := value.Must(table[i].form).(*value.Object)
		b.Set(table[i].name, form.With("description", value.String(table[i].about)))
	}
	return b.Object()
}

// objectOf returns the schema of the objects that a table is for. more has further members of the schema.
func objectOf(properties, more *value.Object) value.Value {
	b := value.ObjectBuilder{}
	b.Set("type", value.String("object"))
	b.Set("properties", properties)
	b.Set("additionalProperties", value.Bool(false))
	for name, v := range more.All() {
		b.Set(name, v)
	}
	return b.Object()
}

// schemaParts has the definitions that no table has, and of the objects of the tables what the tables do not say.
//
//go:embed schema.json
var schemaParts []byte

// schemaDefs yields the definitions of the schema: the definitions of the tables, of the forms of values, and of
// fixtures.
func schemaDefs(ofFixtures *value.Object) func(yield func(string, value.Value) bool) {
	ofCase := propertiesOf(caseTable)
	for _, name := range layerKeys {
		ofCase = ofCase.With(name, value.Must(`{"$ref": "#/$defs/`+name+`"}`))
	}
	objects := map[string]*value.Object{
		"case": ofCase, "expect": propertiesOf(expectTable), "state": propertiesOf(stateTable),
		"invocations": propertiesOf(taskTable), "invocation": propertiesOf(callTable),
		"injection": propertiesOf(injectionTable), "snapshot": propertiesOf(snapshotTable),
		"invariant": propertiesOf(invariantTable), "defaults": propertiesOf(defaultsTable),
		"uncounted": propertiesOf(ignoredTable), "skip": propertiesOf(skipTable),
	}
	parts := string(schemaParts)
	ofStages := value.Each(stageNames(), func(name string) string { return `"` + name + `": ` + aValue })
	for mark, text := range map[string]string{
		`"STATUSES"`:   `"` + strings.Join(statuses[Succeeded:], `", "`) + `"`,
		`"STAGES": {}`: strings.Join(ofStages, ", "),
		"TYPES":        strings.Join(anyTypes[1:], "|"),
		`"INVARIANTS"`: invariantSchema(),
	} {
		parts = strings.ReplaceAll(parts, mark, text)
	}
	list, _ := value.Must(parts).(*value.Object)
	return func(yield func(string, value.Value) bool) {
		for name, def := range list.All() {
			if properties := objects[name]; properties != nil {
				more, _ := def.(*value.Object)
				def = objectOf(properties, more)
			}
			if !yield(name, def) {
				return
			}
		}
		for name, def := range ofFixtures.All() {
			if !yield(name, def) {
				return
			}
		}
	}
}

// invariantSchema has a schema for the keys of each form of invariants.
func invariantSchema() string {
	var forms []string
	for _, form := range invariantForms {
		required := `"` + form[0] + `"`
		if form[0] == "after" {
			required += `, "not"`
		}
		var others []string
		for _, other := range invariantForms {
			if other[0] == form[0] {
				continue
			}
			for _, name := range other {
				others = append(others, `"`+name+`": false`)
			}
		}
		forms = append(forms, `{"required": [`+required+`], "properties": {`+strings.Join(others, ", ")+`}}`)
	}
	return strings.Join(forms, ", ")
}

// withColumns returns a definition as it is in a case with a table, where a column may replace any value.
func withColumns(v value.Value) value.Value {
	switch v := v.(type) {
	case *value.Array:
		items := make([]value.Value, v.Len())
		for i, item := range v.All() {
			items[i] = withColumns(item)
		}
		return value.NewArray(items)
	case *value.Object:
		var b value.ObjectBuilder
		for name, member := range v.All() {
			switch name {
			case "$ref":
				text, _ := member.(value.String)
				b.Set(name, text+inTable)
			case "properties":
				object, _ := member.(*value.Object)
				for key, property := range object.All() {
					object = object.With(key, orColumn(property))
				}
				b.Set(name, object)
			case "items", "additionalProperties":
				b.Set(name, orColumn(member))
			default:
				b.Set(name, withColumns(member))
			}
		}
		return b.Object()
	}
	return v
}

// orColumn returns the schema of a value or of a column in its place.
func orColumn(v value.Value) value.Value {
	if _, ok := v.(*value.Object); !ok { // true or false
		return v
	}
	return value.ObjectOf(value.Member{
		Key:   "anyOf",
		Value: value.NewArray([]value.Value{withColumns(v), value.Must(`{"$ref": "#/$defs/column"}`)}),
	})
}
