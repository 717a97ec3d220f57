package dialog

import (
	"slices"
	"strings"
	"testing"

	"asldb/engine/services"
	"asldb/engine/value"
)

func TestPlaceOf(t *testing.T) {
	for _, test := range []struct {
		text, path, typed string
		key, quoted, none bool
	}{
		{text: `{`, key: true},
		{text: `{"Bu`, typed: "Bu", key: true, quoted: true},
		{text: `{Bu`, typed: "Bu", key: true},
		{text: `{"A": {"B": 1, "`, path: "A", key: true, quoted: true},
		{text: `{"A": [{"x": 1}, {`, path: "A/", key: true},
		{text: `{"A": "wo`, path: "A", typed: "wo", quoted: true},
		{text: `{"A": tr`, path: "A", typed: "tr"},
		{text: `{"A": ["x", "y`, path: "A/", typed: "y", quoted: true},
		{text: `{"a\"b": "`, path: `a"b`, quoted: true},
		{text: `{"A": 1 `, none: true},
		{text: `{"A": "x"`, none: true},
		{text: `{"A"`, none: true},
		{text: `{}`, none: true},
		{text: ``, none: true},
		{text: `]}`, none: true},
	} {
		p, ok := placeOf(test.text)
		if ok == test.none || strings.Join(p.path, "/") != test.path && !(len(p.path) == 2 && test.path == p.path[0]+"/") || p.typed != test.typed || p.key != test.key || p.quoted != test.quoted {
			t.Errorf("%s: %v, %+v", test.text, ok, p)
		}
	}
}

// TestParameterCompletions: names of parameters, those that are required first, and the words of values.
func TestParameterCompletions(t *testing.T) {
	for _, test := range []struct{ call, text, after, want string }{
		{"aws-sdk:s3:getObject", `{"`, "", "Bucket, Key"},
		{"aws-sdk:s3:getObject", `{"Bucket": "b", "`, "", "Key"},
		{"aws-sdk:s3:getObject", `{"ke`, "", "Key"},
		{"aws-sdk:s3:getObject", `{"ChecksumMode": "`, "", "ENABLED"},
		{"dynamodb:putItem", `{"Item": {"id": {"`, "", "B, BOOL"},
		{"dynamodb:getItem", `{"ConsistentRead": `, "", "true, false"},
		{"sqs:sendMessage", `{"QueueUrl": "q", "M`, "", "MessageBody"},
		{"aws-sdk:s3:getObject", `{"None": {"`, "", ""},
		{"aws-sdk:s3:getObject", `{"`, `"Bucket": {"Key": 1}, "Range": ":"}, "Key": 1`, "Key"},
		{"http:invoke", `{"`, "", ""},
	} {
		call, _ := services.CallOf("arn:aws:states:::" + test.call)
		list, _ := parameterCompletions(&call, test.text, test.after)
		var names []string
		for _, c := range list {
			names = append(names, c.Shown)
		}
		want := strings.FieldsFunc(test.want, func(r rune) bool { return r == ',' || r == ' ' })
		if len(names) < len(want) || !slices.Equal(names[:len(want)], want) || test.want == "" && len(names) > 0 {
			t.Errorf("%s of %s: %q, want %q", test.text, test.call, names, test.want)
		}
	}
}

// TestEditCompletesParameters: Tab goes through the names, and any other key takes the one in the text.
func TestEditCompletesParameters(t *testing.T) {
	call, _ := services.CallOf("arn:aws:states:::aws-sdk:s3:getObject")
	var taken value.Value
	s := around(t)
	d := NewEdit(s, EditFacts{
		Data: value.Must(`{}`),
		Call: &call,
		Take: func(v value.Value, _ bool) error { taken = v; return nil },
	})
	d.SetText("")
	s.show(d)
	s.press("{", `"`, "B").sees("Bucket", "string, required", "tab complete")
	s.press("tab", `"`, "b", `"`, ",", `"`).sees("Key", "more")
	s.press("tab")
	if !strings.HasSuffix(d.Text(), `"Bucket": "b","Key": `) {
		t.Fatalf("the text is %s", d.Text())
	}
	s.press("tab")
	if strings.Contains(d.Text(), `"Key"`) {
		t.Errorf("Tab again leaves %s", d.Text())
	}
	s.press("shift+tab", `"`, "k", `"`, "}", "ctrl+s")
	if !value.Equal(taken, value.Must(`{"Bucket":"b","Key":"k"}`)) {
		t.Errorf("taken: %v of %s", taken, d.Text())
	}
	s.frame(60, 12)
	plain := NewEdit(s, EditFacts{Data: value.Must(`{}`)})
	plain.SetText("")
	s.show(plain).press("{", "tab")
	if plain.Text() != "{  " {
		t.Errorf("Tab in other data writes %q", plain.Text())
	}
}
