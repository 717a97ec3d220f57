package files_test

import (
	"errors"
	"strings"
	"testing"

	"asldb/engine/value"
	"asldb/internal/files"
	"asldb/internal/testkit"
)

// Arguments are JSON by their beginning, else names of files.
func TestJSON(t *testing.T) {
	file := testkit.Named(t, map[string]string{"v.json": `{"a": 1}`, "bad.json": `{"a":`})
	reader := files.Files{Stdin: strings.NewReader(`[1]`)}
	for argument, want := range map[string]string{"-": "[1]", "true": "true", "-1.50": "-1.50", `"x"`: `"x"`,
		" {} ": "{}", file("v.json"): `{"a":1}`} {
		if given, err := reader.JSON(argument); err != nil || value.Compact(given.Value) != want {
			t.Errorf("%q: %v, %v", argument, given, err)
		}
	}
	for argument, want := range map[string]string{
		"{": "X is not JSON: ", "none.json": `X: cannot read "none.json": `, file("bad.json"): "X: " +
			file("bad.json") + ":1:6: not JSON: ",
	} {
		var wrong *files.PartError
		if _, err := reader.JSON(argument); !errors.As(err, &wrong) || !strings.HasPrefix(wrong.With("X"), want) ||
			wrong.Unwrap() == nil {
			t.Errorf("%q: %v", argument, err)
		}
	}
	keys := make([]value.RepeatedKey, 12)
	if got := files.Repeated(keys); len(got) != 11 || got[10] != "and more such keys" {
		t.Errorf("%q", got)
	}
	if got := files.DescribeRepeated(value.RepeatedKey{Key: strings.Repeat("é", 300)}); len(got) > 1300 {
		t.Errorf("%d bytes", len(got))
	}
	for p := files.PartInput; p <= files.PartFork; p++ {
		if strings.HasPrefix(p.String(), "Part(") {
			t.Errorf("part %d has no name", p)
		}
	}
}

// Contents in memory replace the contents of files and of standard input; every file that is opened is reported.
func TestRead(t *testing.T) {
	file := testkit.Named(t, map[string]string{"a.json": "1"})
	var opened []string
	reader := files.Files{
		Changed: map[string][]byte{file("b.json"): []byte("2"), files.StdinName: []byte("3")},
		Opened:  func(name string) { opened = append(opened, name) },
	}
	for _, c := range []struct{ name, shown, text string }{
		{file("a.json"), file("a.json"), "1"}, {file("b.json"), file("b.json"), "2"}, {"-", files.StdinName, "3"},
	} {
		if shown, data, err := reader.Read(c.name); err != nil || shown != c.shown || string(data) != c.text {
			t.Errorf("%s: %s, %s, %v", c.name, shown, data, err)
		}
	}
	if _, _, err := reader.Read(file("none")); err == nil || err.Error() != `cannot read "`+file("none")+
		`": no such file or directory` {
		t.Error(err)
	}
	if len(opened) != 2 || opened[0] != file("a.json") {
		t.Errorf("opened %q", opened)
	}
	err := &files.PartError{Part: files.PartCase, Err: errors.New("there is none")}
	if err.Error() != "the case: there is none" || files.Part(200).String() != "Part(200)" {
		t.Error(err)
	}
}
