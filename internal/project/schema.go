package project

import "asldb/engine/value"

// Schema returns the JSON Schema (draft 2020-12) of project files.
func Schema() value.Value {
	return value.ObjectOf(append([]value.Member{
		entry("$schema", value.String("https://json-schema.org/draft/2020-12/schema")),
		entry("title", value.String("Project file of asldb ("+FileName+")")),
	}, objectSchema(fields(), "object", "null")...)...)
}

func entry(key string, v value.Value) value.Member { return value.Member{Key: key, Value: v} }

func text(t string) value.Value { return value.String(t) }

func texts(list []string) value.Value {
	items := make([]value.Value, len(list))
	for i, t := range list {
		items[i] = text(t)
	}
	return value.NewArray(items)
}

// objectSchema returns the members of the schema of an object with the fields of a table.
func objectSchema(table []field, types ...string) []value.Member {
	var properties []value.Member
	var required []string
	for i := range table {
		f := &table[i]
		properties = append(properties, entry(f.name, fieldSchema(f)))
		if f.required {
			required = append(required, f.name)
		}
	}
	members := []value.Member{entry("type", texts(types))}
	if len(types) == 1 {
		members[0].Value = text(types[0])
	}
	members = append(members, entry("additionalProperties", value.Bool(false)), entry("properties", value.NewObject(properties)))
	if required != nil {
		members = append(members, entry("required", texts(required)))
	}
	return members
}

// fieldSchema returns the schema of a field's value.
func fieldSchema(f *field) value.Value {
	about := entry("description", text(f.about))
	filled := []value.Member{entry("type", text("string")), entry("pattern", text(`\S`))}
	switch f.kind {
	case levelsKind:
		return value.ObjectOf(about, entry("type", text("object")),
			entry("propertyNames", value.ObjectOf(entry("enum", texts(Steerable())))),
			entry("additionalProperties", value.ObjectOf(entry("enum", texts(words[:])))))
	case substitutionsKind:
		return value.ObjectOf(about, entry("oneOf", value.ArrayOf(
			value.NewObject(filled),
			value.ObjectOf(entry("type", text("object")), entry("additionalProperties", value.ObjectOf(
				entry("type", texts([]string{"string", "number", "boolean", "object", "array"}))))),
		)))
	case ruleKind:
		return value.ObjectOf(about, entry("enum", texts(Steerable())))
	case listKind:
		return value.ObjectOf(about, entry("type", text("array")), entry("items", value.NewObject(objectSchema(f.fields, "object"))))
	case patternKind:
		return value.ObjectOf(append([]value.Member{about}, entry("type", text("string")),
			entry("pattern", text(`\S`)), entry("not", value.ObjectOf(entry("pattern", text(`^(/|\.\.(/|$))|`+backslashed)))))...)
	case fileKind, textKind:
	}
	return value.NewObject(append([]value.Member{about}, filled...))
}
