package project

import "asldb/engine/value"

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
