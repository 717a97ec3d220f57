package smithy

import (
	"slices"
	"strings"
	"testing"

	"asldb/engine/source"
	"asldb/engine/value"
)

func file(name, text string) *source.File { return &source.File{Name: name, Data: []byte(text)} }

// shapesOf returns the shapes of a model as the JSON AST has them.
func shapesOf(m *Model) value.Value {
	members := value.Each(m.Shapes, func(shape *Shape) value.Member {
		return value.Member{Key: shape.ID, Value: shape.Node.Value}
	})
	return value.ObjectOf(members...)
}

func read(t *testing.T, files ...*source.File) *Model {
	t.Helper()
	m, problems := Read(files...)
	for _, p := range problems {
		t.Error(p.Format())
	}
	if m == nil {
		t.FailNow()
	}
	return m
}

// TestShapes: the JSON AST is the specification's for the same text ("Smithy IDL", "Mixins").
func TestShapes(t *testing.T) {
	const head = "$version: \"2\"\nnamespace smithy.example\n"
	for _, c := range []struct{ name, idl, ast string }{
		{"simple", "string MyString\n@range(min: 0, max: 1000)\ninteger MaxResults",
			`{"smithy.example#MyString": {"type": "string"}, "smithy.example#MaxResults": {"type": "integer", "traits": {"smithy.api#range": {"min": 0, "max": 1000}}}}`},
		{"list", "@length(min: 3, max: 10)\nlist MyList {\n @length(min: 1, max: 100)\n member: String\n}",
			`{"smithy.example#MyList": {"type": "list", "member": {"target": "smithy.api#String", "traits": {"smithy.api#length": {"min": 1, "max": 100}}},
				"traits": {"smithy.api#length": {"min": 3, "max": 10}}}}`},
		{"map", "map IntegerMap {\n key: String,\n value: Integer\n}",
			`{"smithy.example#IntegerMap": {"type": "map", "key": {"target": "smithy.api#String"}, "value": {"target": "smithy.api#Integer"}}}`},
		{"documentation", "/// This is MyStructure.\n///\n///   - more\nstructure MyStructure {\n /// This is `foo`.\n @required\n foo: String\n // no documentation\n @deprecated\n baz: Integer\n}",
			`{"smithy.example#MyStructure": {"type": "structure", "members": {
				"foo": {"target": "smithy.api#String", "traits": {"smithy.api#documentation": "This is ` + "`foo`" + `.", "smithy.api#required": {}}},
				"baz": {"target": "smithy.api#Integer", "traits": {"smithy.api#deprecated": {}}}},
				"traits": {"smithy.api#documentation": "This is MyStructure.\n\n  - more"}}}`},
		{"default", "structure Example {\n normative: Boolean = true, list: Names = []\n}\nlist Names { member: String }",
			`{"smithy.example#Example": {"type": "structure", "members": {"normative": {"target": "smithy.api#Boolean", "traits": {"smithy.api#default": true}},
				"list": {"target": "smithy.example#Names", "traits": {"smithy.api#default": []}}}},
			"smithy.example#Names": {"type": "list", "member": {"target": "smithy.api#String"}}}`},
		{"enum", "enum Suit {\n @deprecated\n DIAMOND = \"diamond\"\n CLUB\n}\nintEnum Number { ONE = 1 }",
			`{"smithy.example#Suit": {"type": "enum", "members": {"DIAMOND": {"target": "smithy.api#Unit", "traits": {"smithy.api#deprecated": {}, "smithy.api#enumValue": "diamond"}},
				"CLUB": {"target": "smithy.api#Unit"}}}, "smithy.example#Number": {"type": "intEnum", "members": {"ONE": {"target": "smithy.api#Unit", "traits": {"smithy.api#enumValue": 1}}}}}`},
		{"union", "union MyUnion {\n i32: Integer\n @length(min: 1)\n string: String\n}",
			`{"smithy.example#MyUnion": {"type": "union", "members": {"i32": {"target": "smithy.api#Integer"}, "string": {"target": "smithy.api#String", "traits": {"smithy.api#length": {"min": 1}}}}}}`},
		{"service", "service ModelRepository {\n version: \"2020-07-13\",\n resources: [Model],\n operations: [PingService]\n}\nresource Model {identifiers: {id: String}, read: PingService}\noperation PingService {}",
			`{"smithy.example#ModelRepository": {"type": "service", "version": "2020-07-13", "resources": [{"target": "smithy.example#Model"}], "operations": [{"target": "smithy.example#PingService"}]},
			"smithy.example#Model": {"type": "resource", "identifiers": {"id": {"target": "smithy.api#String"}}, "read": {"target": "smithy.example#PingService"}},
			"smithy.example#PingService": {"type": "operation"}}`},
		{"operation", "operation PingService {\n errors: [UnavailableError, BadRequestError]\n output: PingServiceOutput\n input: PingServiceInput,\n}",
			`{"smithy.example#PingService": {"type": "operation", "errors": [{"target": "smithy.example#UnavailableError"}, {"target": "smithy.example#BadRequestError"}],
				"output": {"target": "smithy.example#PingServiceOutput"}, "input": {"target": "smithy.example#PingServiceInput"}}}`},
		{"traits", "@foo()\n@bar(\"a\")\n@baz([1, true, null, {a: String}])\n@qux(a: {b: \"c\"},)\n@\"\"\nstring A",
			""},
		{"trait values", "@foo()\n@bar(\"a\")\n@tags([1, -2.5e3, true, null, {a: String, \"b\": other#Shape$member}])\n@qux(a: {b: \"c\",},)\nstring A",
			`{"smithy.example#A": {"type": "string", "traits": {"smithy.example#foo": {}, "smithy.example#bar": "a", "smithy.api#tags": [1, -2.5e3, true, null, {"a": "smithy.api#String", "b": "other#Shape$member"}],
				"smithy.example#qux": {"a": {"b": "c"}}}}}`},
		{"apply", "string MyString\nstructure S { foo: String }\napply MyString @documentation(\"This is my string!\")\napply MyString {\n @length(min: 1, max: 10)\n @sensitive\n}\napply S$foo @required\napply L$member @sparse\nlist L { member: String }\napply Foreign @tags([])",
			`{"smithy.example#MyString": {"type": "string", "traits": {"smithy.api#documentation": "This is my string!", "smithy.api#length": {"min": 1, "max": 10}, "smithy.api#sensitive": {}}},
			"smithy.example#S": {"type": "structure", "members": {"foo": {"target": "smithy.api#String", "traits": {"smithy.api#required": {}}}}},
			"smithy.example#L": {"type": "list", "member": {"target": "smithy.api#String", "traits": {"smithy.api#sparse": {}}}}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.ast == "" { // a trait without a name
				if m, problems := Read(file("a.smithy", head+c.idl)); m != nil || len(problems) != 1 {
					t.Errorf("%v", problems)
				}
				return
			}
			m := read(t, file("a.smithy", head+c.idl))
			if got := shapesOf(m); !value.Equal(got, value.Must(c.ast)) {
				t.Errorf("got %s\nwant %s", value.Compact(got), c.ast)
			}
		})
	}
}

// shapeOf returns a shape as JSON, without its mixins, which are part of it.
func shapeOf(t *testing.T, m *Model, id string) value.Value {
	t.Helper()
	shape := m.Lookup(id)
	if shape == nil {
		t.Fatalf("there is no %s", id)
	}
	return shape.Node.Value.(*value.Object).Without("mixins")
}

// TestInline: the examples of "Inline input / output shapes", "Target Elision" and "Mixins", each with its equivalent.
func TestInline(t *testing.T) {
	for _, c := range []struct{ name, short, long, shapes string }{
		{"inline", "operation GetUser {\n // comment\n input := {\n userId: String\n }\n output := {\n username: String\n userId: String\n }\n}",
			"operation GetUser {\n input: GetUserInput\n output: GetUserOutput\n}\n@input\nstructure GetUserInput {\n userId: String\n}\n@output\nstructure GetUserOutput {\n username: String\n userId: String\n}",
			"GetUser GetUserInput GetUserOutput"},
		{"inline with mixins", "@mixin\nstructure BaseUser {\n userId: String\n}\noperation GetUser {\n input := @references([{resource: User}]) {\n userId: String\n }\n output := with [BaseUser] {\n username: String\n }\n}\noperation PutUser {\n input :=\n @references([{resource: User}])\n with [BaseUser] {}\n}",
			"@input\n@references([{resource: User}])\nstructure GetUserInput { userId: String }\n@output\nstructure GetUserOutput { userId: String, username: String }\n@input\n@references([{resource: User}])\nstructure PutUserInput { userId: String }",
			"GetUserInput GetUserOutput PutUserInput"},
		{"elided", "@mixin\nstructure IdBearer {\n id: String\n}\nstructure IdRequired with [IdBearer] {\n @required\n $id\n}\nresource User {\n identifiers: {\n name: String\n uuid: String\n }\n}\nstructure UserSummary for User {\n $name\n age: Short\n}\noperation X { input := for User { $uuid } }",
			"structure IdRequired {\n @required\n id: String\n}\nstructure UserSummary {\n name: String\n age: Short\n}\n@input\nstructure XInput { uuid: String }",
			"IdRequired UserSummary XInput"},
		{"mixins of mixins", "@mixin\nstructure MixinA {\n a: String\n}\n@mixin\nstructure MixinB with [MixinA] {\n b: String\n}\nstructure C with [MixinB] {\n c: String\n}\n@mixin\nmap StringMapMixin {\n key: String\n value: String\n}\nmap Labels with [StringMapMixin] {}\n@mixin\nlist StringListMixin {\n member: String\n}\nlist Aliases with [StringListMixin] {}\n@mixin\nlist Loose { member: Integer }\nlist Elided with [Loose] { @sensitive $member }",
			"structure C {\n a: String\n b: String\n c: String\n}\nmap Labels { key: String, value: String }\nlist Aliases { member: String }\nlist Elided { @sensitive member: Integer }", "C Labels Aliases Elided"},
		{"traits of mixins", "/// A\n@foo(1)\n@oneTrait\n@mixin\nstructure StructA {}\n/// B\n@foo(2)\n@twoTrait\n@mixin\nstructure StructB {}\n/// C\n@threeTrait\n@mixin\nstructure StructC with [StructA, StructB] {}\n/// D\n@fourTrait\nstructure StructD with [StructC] {}\n@private\n@mixin(localTraits: [private])\nstructure PrivateMixin {\n foo: String\n}\nstructure PublicShape with [PrivateMixin] {}",
			"/// D\n@foo(2)\n@oneTrait\n@twoTrait\n@threeTrait\n@fourTrait\nstructure StructD {}\nstructure PublicShape {\n foo: String\n}", "StructD PublicShape"},
		{"redefined", "@mixin\nstructure A1 {\n @documentation(\"Generic docs\")\n a: String\n}\n@mixin\nstructure A2 {\n @required\n a: String\n}\nstructure Valid with [A1, A2] {\n @documentation(\"Specific docs\")\n a: String\n}\n@mixin\nstructure MyMixin {\n /// Generic docs\n mixinMember: String\n}\nstructure MyStruct with [MyMixin] {}\napply MyStruct$mixinMember @documentation(\"Specific docs\")",
			"structure Valid {\n @documentation(\"Specific docs\")\n @required\n a: String\n}\nstructure MyStruct {\n @documentation(\"Specific docs\")\n mixinMember: String\n}", "Valid MyStruct"},
		{"order", "@mixin\nstructure FilteredByNameMixin {\n nameFilter: String\n}\n@mixin\nstructure PaginatedInputMixin {\n nextToken: String\n pageSize: Integer\n}\nstructure In with [\n PaginatedInputMixin\n FilteredByNameMixin\n] {\n sizeFilter: Integer\n}",
			"structure In { nextToken: String, pageSize: Integer, nameFilter: String, sizeFilter: Integer }", "In"},
		{"services", "operation OperationA {}\n@mixin\nservice A {\n version: \"A\"\n operations: [OperationA]\n}\noperation OperationB {}\n@mixin\nservice B with [A] {\n version: \"B\"\n operations: [OperationB]\n}\noperation OperationC {}\nservice C with [B] {\n version: \"C\"\n operations: [OperationC]\n}",
			"service C {\n version: \"C\"\n operations: [OperationA, OperationB, OperationC]\n}", "C"},
	} {
		t.Run(c.name, func(t *testing.T) {
			const head = "$version: \"2.0\"\nnamespace x\n"
			short, long := read(t, file("a.smithy", head+c.short)), read(t, file("b.smithy", head+c.long))
			for name := range strings.FieldsSeq(c.shapes) {
				got, want := shapeOf(t, short, "x#"+name), shapeOf(t, long, "x#"+name)
				if !value.Equal(got, want) {
					t.Errorf("%s is\n%s, want\n%s", name, value.Compact(got), value.Compact(want))
				}
				members := func(m *Model) (keys []string) {
					if held := m.Shape("x#" + name).Get("members"); held != nil {
						for _, member := range held.Members {
							keys = append(keys, member.Key)
						}
					}
					return keys
				}
				if !slices.Equal(members(short), members(long)) {
					t.Errorf("the members of %s are %v, want %v", name, members(short), members(long))
				}
			}
		})
	}
}

// TestReferences is the example of "Relative shape ID resolution", with a second file of the namespace.
func TestReferences(t *testing.T) {
	m := read(t, file("a.smithy", `$version: "2"
$operationInputSuffix: "Request"
$unknownStatement: {a: 1}
metadata "any" = [String]
namespace smithy.example
use foo.baz#Bar
structure MyStructure {
    a: MyString
    b: smithy.example#MyString
    c: Bar
    d: String
    e: MyBoolean
    f: InvalidShape
    g: Timestamp
}
boolean MyBoolean
operation Do { input := {} }
`), file("b.smithy", "\xef\xbb\xbfnamespace smithy.example\nstring MyString\ntimestamp Timestamp\n"))
	want := map[string]string{
		"a": "smithy.example#MyString", "b": "smithy.example#MyString", "c": "foo.baz#Bar", "d": "smithy.api#String",
		"e": "smithy.example#MyBoolean", "f": "smithy.example#InvalidShape", "g": "smithy.example#Timestamp",
	}
	for name, id := range want {
		if got := m.Shape("smithy.example#MyStructure").Get("members").Get(name).Get("target").Text(); got != id {
			t.Errorf("%s is %s, want %s", name, got, id)
		}
	}
	if m.Lookup("smithy.example#DoRequest") == nil || m.Lookup("smithy.example#Do").Key.Start.Line != 17 {
		t.Error("the input's suffix is not the file's")
	}
	needs := m.Needs("smithy.example#MyStructure")
	if len(needs) != 2 || len(m.Needs("smithy.example#MyString")) != 1 {
		t.Errorf("%d files", len(needs))
	}
}

// TestStrings are the rules of "String escape characters" and "Text blocks", with the examples of the specification.
func TestStrings(t *testing.T) {
	for _, c := range []struct{ literal, want string }{
		{`"a\"b\\c\/d\b\f\n\r\t\u00e9\'"`, "a\"b\\c/d\b\f\n\r\té'"},
		{`"\ud83d\ude00 \ud83d"`, "😀 \uFFFD"},
		{"\"two\r\nlines \\\n joined\"", "two\nlines  joined"},
		{`""`, ""},
		{"\"\"\"\n    <div>\n        <p>Hello!</p>\n    </div>\n    \"\"\"", "<div>\n    <p>Hello!</p>\n</div>\n"},
		{"\"\"\"\n    <div>\n        <p>Hello!</p>\n    </div>\"\"\"", "<div>\n    <p>Hello!</p>\n</div>"},
		{"\"\"\"\n    Foo\n        Baz\n\n  \n    Bar\n    \"\"\"", "Foo\n    Baz\n\n\nBar\n"},
		{"\"\"\"\n    Foo\n        Baz\n    Bar\n\"\"\"", "    Foo\n        Baz\n    Bar\n"},
		{"\"\"\"\n    Foo\n        Baz\n    Bar\n            \"\"\"", "Foo\n    Baz\nBar\n"},
		{"\"\"\"\n\"hello!\"\n\"\"\"", "\"hello!\"\n"},
		{"\"\"\"\nfoo \\\"\"\"\nbaz\"\"\"", "foo \"\"\"\nbaz"},
		{"\"\"\"\n  <div>\n    <p>Hi\\n    bar</p>\n  </div>\n  \"\"\"", "<div>\n  <p>Hi\n    bar</p>\n</div>\n"},
		{"\"\"\"\nFoo \\\nBaz \\\nBam\"\"\"", "Foo Baz Bam"},
		{"\"\"\"\nFoo\nBaz \\\nBam\"\"\"", "Foo\nBaz Bam"},
		{"\"\"\" \t\r\n  a\r\n  b\"\"\"", "a\nb"},
	} {
		f := file("a.smithy", "namespace x\n@documentation("+c.literal+")\nstring A")
		n := read(t, f).Shape("x#A").Get("traits").Get("smithy.api#documentation")
		if n.Text() != c.want {
			t.Errorf("%s is %q, want %q", c.literal, n.Text(), c.want)
		}
		located := StringText(f, n)
		if string(located.Data) != c.want {
			t.Errorf("%s has the places of %q", c.literal, located.Data)
		}
		for i, b := range []byte(c.want) { // each literal character has its own place
			at := located.Position(i)
			if b >= 'A' && b <= 'z' && b != '\\' && f.Data[at.Offset] != b {
				t.Errorf("%s: %q is at %q", c.literal, b, f.Data[at.Offset])
			}
			if line := strings.Count(string(f.Data[:at.Offset]), "\n") + 1; at.Line != line {
				t.Errorf("%s: %q is in line %d, want %d", c.literal, b, at.Line, line)
			}
		}
	}
}

// TestMistakes: each has its place and says what is expected; one does not hide another.
func TestMistakes(t *testing.T) {
	const head = "$version: \"2\"\nnamespace x\n"
	for _, c := range []struct{ text, want string }{
		{"string A\n", "a.smithy:1:1: error: shapes come after a namespace: expected namespace, and found \"string\""},
		{"(", "a.smithy:1:1: error: expected a statement, such as namespace, and found \"(\""},
		{"$version: \"3\"\nnamespace x\n", "a.smithy:1:11: error: asldb reads the versions 1.0 and 2 of Smithy's IDL, not \"3\""},
		{head + "namespace y\n", "a.smithy:3:11: error: a file has one namespace, and this one has x already"},
		{"namespace x#y\n", "a.smithy:1:11: error: a namespace is names with dots, not \"x#y\""},
		{head + "use waitable\n", "a.smithy:3:5: error: use takes the id of a shape with its namespace, such as smithy.waiters#waitable, not \"waitable\""},
		{head + "use a#B\nuse c#B\n", "a.smithy:4:5: error: B is imported already, as a#B"},
		{head + "use a#B\nstring B\n", "a.smithy:4:8: error: B is the name of a shape that the file imports, a#B"},
		{head + "metadata a = 1\n", "a.smithy:3:1: error: metadata must come before the namespace"},
		{"metadata a = 1 namespace x\n", "a.smithy:1:16: error: expected the end of the line, and found \"namespace\""},
		{head + "strin A\n", "a.smithy:3:1: error: expected a shape, such as structure or operation, and found \"strin\" [Model]\n 3 | strin A\n   | ^^^^^\n   = did you mean \"string\"?"},
		{head + "structure A {\n  a String\n}\nstruct B {}\n",
			"a.smithy:4:5: error: expected \":\", and found \"String\""},
		{head + "structure A {\n  a String\n}\nstruct B {}\n",
			"a.smithy:6:1: error: expected a shape, such as structure or operation, and found \"struct\""},
		{head + "structure A {\n  a: String\n", "a.smithy:5:1: error: the file ends, and the { of line 3 is not closed [Model]"},
		{head + "@tags([\"a\"\nstring A", "a.smithy:4:9: error: the file ends, and the [ of line 3 is not closed"},
		{head + "@range(min: 1\nstring A", "a.smithy:4:8: error: expected \":\", and found \"A\""},
		{head + "@error(\"client\"\nstructure A {}", "a.smithy:4:1: error: expected \")\", and found \"structure\""},
		{head + "@documentation(\"a\nstring A", "a.smithy:3:16: error: the string that begins here is not closed"},
		{head + "@a(b: \"x\n c: \"y\")\nstring A\n",
			"the string before it goes over several lines: is a quote missing? (line 3)"},
		{head + "@documentation(\"\"\"a\"\"\")\nstring A",
			"a.smithy:3:16: error: the opening \"\"\" of a text block is followed by a new line"},
		{head + "@documentation(\"\"\"\na)\nstring A",
			"a.smithy:3:16: error: the text block that begins here is not closed"},
		{head + "@documentation(\"a\\qb\")\nstring A",
			"a.smithy:3:18: error: there is no escape \\q; a backslash itself is \\\\"},
		{head + "@documentation(\"a\\u12\")\nstring A",
			"a.smithy:3:18: error: \\u is followed by four hexadecimal digits"},
		{head + "@a(1.)\nstring A", "a.smithy:3:4: error: \"1.\" is not a number"},
		{head + "@a(b: )\nstring A", "a.smithy:3:7: error: expected a value, and found \")\""},
		{head + "operation A {\n inputs: B\n}", "a.smithy:4:2: error: expected input, output, errors or }, and found \"inputs\""},
		{head + "operation A {\n", "the { of line 3 is not closed"},
		{head + "operation A\n", "expected \"{\", and found the end of the file"},
		{head + "structure A for\n", "expected the name of a resource"},
		{head + "service A { operations: B }", "a.smithy:3:25: error: expected a list in brackets, and found \"B\""},
		{head + "resource A { identifiers: B }", "expected names and shapes in braces, and found \"B\""},
		{head + "apply A\n", "expected a trait, such as @deprecated, and found the end of the file"},
		{head + "apply A { @a", "the { of line 3 is not closed"},
		{head + "@a\n", "expected a shape, such as structure or operation, and found the end of the file"},
		{head + "@a(b#)\nstring A", "expected the name of a shape after #, and found \")\""},
		{head + "string A\nstring A\nlist A { member: String }\n",
			"a.smithy:5:6: error: x#A is defined already, in a.smithy:3:8"},
		{head + "structure A with [B] {}\nstructure B with [A] {}\n", "a.smithy:3:11: error: x#A is a mixin of itself"},
		{head + "structure A with [B] {}\n", "a.smithy:3:19: warning: the mixin x#B of x#A is not in the model [Target]"},
		{head + "structure A { $b }\n", "a.smithy:3:16: error: the target of $b is not known: neither a resource nor a mixin of x#A has a member of that name"},
		{head + "@a(" + strings.Repeat("[", 3000), "the values are nested more than"},
		{head + "string \xff", "a.smithy:3:8: error: the text is not UTF-8"},
	} {
		m, problems := Read(file("a.smithy", c.text))
		shown := value.Each(problems, source.Diagnostic.Format)
		if all := strings.Join(shown, "\n"); !strings.Contains(all, c.want) {
			t.Errorf("%q gives\n%s\nwant\n%s", c.text, all, c.want)
		}
		if len(problems) > 0 && m != nil && problems[0].Rule == RuleSyntax && strings.Contains(c.want, "expected") {
			t.Errorf("%q is a model", c.text)
		}
	}
}

func TestForms(t *testing.T) {
	for text, want := range map[string]bool{
		"$version: \"2\"\n": true, "// comment\n\nnamespace a.b\n": true, "metadata a = 1": true, "metadata: 1": false,
		"namespace: x": false,
		"{}":           false, "StartAt: A": false, "": false, "$": false,
	} {
		if got := IsIDL(file("<stdin>", text)); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
	for _, c := range []struct {
		name, text string
		want       bool
	}{
		{"a.smithy", "", true}, {"a.json", `{"smithy": "2.0", "shapes": {}}`, true},
		{"a.json", `{"smithy": "2.0"}`, false}, {"a.json", `{"StartAt": "A"}`, false}, {"a.json", `{"smithy": `, false},
		{"a.json", "$version", false},
	} {
		if got := Is(file(c.name, c.text)); got != c.want {
			t.Errorf("%s %q: %t, want %t", c.name, c.text, got, c.want)
		}
	}
	if m, problems := Read(file("a.json", `{"a": 1}`)); m != nil || problems[0].Rule != RuleNoModel {
		t.Errorf("%v", problems)
	}
	if m, problems := Read(file("a.json", `{`)); m != nil || len(problems) != 1 {
		t.Errorf("%v", problems)
	}
	if m, problems := Read(file("a.smithy", strings.Repeat(" ", value.DefaultBytes+1))); m != nil ||
		problems[0].Rule != source.RuleTooLarge {
		t.Errorf("%v", problems)
	}
}

// TestFiles: files in both forms are one model, and a trait knows its file.
func TestFiles(t *testing.T) {
	operations := file("operations.smithy", "namespace x\nservice S { operations: [Get], resources: [Thing] }\nresource Thing { create: Put, operations: [Get] }\noperation Get { output: Out }\noperation Put {}\n")
	data := file("data.json", `{"smithy": "2.0", "shapes": {"x#Out": {"type": "structure", "mixins": [{"target": "x#Base"}], "members": {"b": {"target": "smithy.api#String"}}},
		"x#Put": {"type": "apply", "traits": {"x#late": {}}}, "x#Get": {"type": "apply", "traits": {"x#applied": 1}}}}`)
	base := file("base.smithy", "namespace x\n@mixin\n@passed\nstructure Base { a: String }\n")
	m := read(t, operations, data, base)
	if got := value.Compact(m.Shape("x#Out").Get("members").Value); got != `{"a":{"target":"smithy.api#String"},"b":{"target":"smithy.api#String"}}` {
		t.Errorf("the members are %s", got)
	}
	for _, c := range []struct {
		shape, trait string
		want         *source.File
	}{{"x#Get", "x#applied", data}, {"x#Out", "x#passed", base}, {"x#Base", "x#passed", base}, {"x#Get", "x#none", nil},
		{"x#S", "x#none", nil}} {
		held, key, in := m.Trait(m.Lookup(c.shape), c.trait)
		if in != c.want || (held == nil) != (c.want == nil) {
			t.Errorf("%s of %s is in %v", c.trait, c.shape, in)
		}
		if in != nil && !strings.Contains(string(in.Data[key.Start.Offset:key.End.Offset]),
			strings.TrimPrefix(c.trait, "x#")) {
			t.Errorf("%s is at %v", c.trait, key)
		}
	}
	if got := m.Operations("x#S"); !slices.Equal(got, []string{"x#Get", "x#Put"}) {
		t.Errorf("the operations are %v", got)
	}
	if needs := m.Needs("x#Get"); !slices.Equal(needs, []*source.File{operations, data, base}) {
		t.Errorf("%d files", len(needs))
	}
	if m.Shape("x#No") != nil || m.Lookup("x#No") != nil {
		t.Error("there is a shape x#No")
	}
	twin := file("twin.smithy", "namespace x\noperation Put {}\n")
	read(t, operations, base, data, twin)
}

func FuzzRead(f *testing.F) {
	f.Add("$version: \"2\"\nnamespace x\n@a(b: [1, {c: \"\"\"\n d\\u0041\n \"\"\"}])\noperation A {\n input := for R with [M] { $id = 1 }\n}\napply A$b { @c }\n")
	f.Add("namespace x\nresource R { identifiers: {id: String} }\n@mixin\nstructure M { id: String }\nenum E { A = 1 }\nuse a#B\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range []string{"a.smithy", "a.json"} {
			in := file(name, text)
			m, problems := Read(in)
			for _, p := range problems {
				_ = p.Format()
				if p.Span.Start.Offset > len(text) || p.Span.End.Offset < p.Span.Start.Offset {
					t.Errorf("the place of %q is %v", p.Message, p.Span)
				}
			}
			if m == nil {
				if len(problems) == 0 {
					t.Error("no model, and no problem")
				}
				continue
			}
			for _, shape := range m.Shapes {
				for n := range shape.Node.Pointers() {
					_ = StringText(in, n)
				}
			}
		}
	})
}

// TestMetadata: the values of a property in several files, in both forms.
func TestMetadata(t *testing.T) {
	m, problems := Read(file("a.smithy", "metadata list = [1]\nmetadata \"other one\" = {a: 1}\nnamespace x\n"),
		file("b.json", `{"smithy": "2.0", "metadata": {"list": [2]}, "shapes": {}}`))
	if len(problems) > 0 {
		t.Fatal(problems[0].Format())
	}
	lists := m.Metadata("list")
	if len(lists) != 2 || value.Compact(lists[0].Node.Value) != "[1]" || value.Compact(lists[1].Node.Value) != "[2]" ||
		lists[1].File.Name != "b.json" {
		t.Errorf("%+v", lists)
	}
	if other := m.Metadata("other one"); len(other) != 1 || len(m.Metadata("none")) != 0 {
		t.Errorf("%+v", other)
	}
}
