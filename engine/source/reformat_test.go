package source

import (
	"testing"

	"asldb/engine/value"
)

// reformatted returns a file as Reformat has it, from the value of a key on; "" is the whole.
func reformatted(t *testing.T, name, text string, keys ...string) string {
	t.Helper()
	file := &File{Name: name, Data: []byte(text)}
	root, problem := Read(file, nil)
	if problem != nil {
		t.Fatal(problem.Message)
	}
	for _, key := range keys {
		root = root.Get(key)
	}
	return string(Apply(file, LayoutOf(file).Reformat(root)))
}

func TestReformat(t *testing.T) {
	for _, test := range []struct{ about, name, text, want string }{
		{"JSON", "a.json", `{"b":[1,{"c" : "\u0041 ,:"},[ ],{
		}],
"d":1.50e2 , "b":null}`, `{
  "b": [
    1,
    {
      "c": "\u0041 ,:"
    },
    [],
    {}
  ],
  "d": 1.50e2,
  "b": null
}`},
		{"ends of lines", "a.json", "{\r\n\"a\":1}\r\n", "{\r\n  \"a\": 1\r\n}\r\n"},
		{"a block", "a.yaml", `# first
a:
    # of b
    b: [1,   2]
    c:
    - x:   1
      y: 2   
    -   z: |
           # no comment
           text

           more
    # of d
    d: >-
          folded
          text
e: "two
   lines"
# last
`, `# first
a:
  # of b
  b: [1,   2]
  c:
    - x:   1
      y: 2
    - z: |
         # no comment
         text

         more
  # of d
  d: >-
        folded
        text
e: "two
   lines"
# last
`},
		{"an alias", "a.yaml", "a: &x\n    b: 1\nc: *x\n", "a: &x\n  b: 1\nc: *x\n"},
		{"an explicit indent", "a.yaml", "a:\n    b: |4\n          x\n", "a:\n  b: |4\n        x\n"},
	} {
		got := reformatted(t, test.name, test.text)
		if got != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", test.about, got, test.want)
		}
		if again := reformatted(t, test.name, got); again != got {
			t.Errorf("%s: a second time it is\n%s", test.about, again)
		}
	}
}

// Of a part of a file only that part changes.
func TestReformatPart(t *testing.T) {
	got := reformatted(t, "a.yaml", "x:\n     y: 1\nd:\n     e:\n         f: 1\n     g: 2\nz:\n     y: 1\n", "d")
	if want := "x:\n     y: 1\nd:\n     e:\n       f: 1\n     g: 2\nz:\n     y: 1\n"; got != want {
		t.Errorf("got\n%s", got)
	}
	got = reformatted(t, "a.json", "{\"x\":{ },\n  \"d\": {\"e\":1}}", "d")
	if want := "{\"x\":{ },\n  \"d\": {\n    \"e\": 1\n  }}"; got != want {
		t.Errorf("got\n%s", got)
	}
}

// JSON becomes the text that asldb writes; that is the fixed point of any text with the same values.
func FuzzReformat(f *testing.F) {
	f.Add(`{"a":[1,{"b":"c\n"}],"d":{},"e":[[]]}`)
	f.Fuzz(func(t *testing.T, text string) {
		v, err := value.Parse([]byte(text), value.Limits{})
		if err != nil {
			return
		}
		object, ok := v.(*value.Object)
		if !ok {
			return
		}
		want := value.Pretty(object)
		for _, written := range []string{value.Compact(object), want} {
			if got := reformatted(t, "a.json", written); got != want {
				t.Fatalf("%s\nis\n%s\nwant\n%s", written, got, want)
			}
		}
	})
}
