package project

import (
	"bytes"
	"net/url"
	"slices"
	"strings"
	"testing"

	"asldb/engine/lint"
	"asldb/engine/source"
	"asldb/engine/value"
)

// sarifObject is an object of the schema of SARIF 2.1.0, as far as logs of asldb have it: the schema allows no other
// members.
type sarifObject struct {
	required []string
	members  map[string]sarifCheck
}

// sarifCheck checks a value of the log.
type sarifCheck func(f *sarifForm, at string, v value.Value)

// sarifForm checks a log.
type sarifForm struct {
	t       *testing.T
	objects map[string]sarifObject
}

func (f *sarifForm) object(name string) sarifCheck {
	return func(f *sarifForm, at string, v value.Value) {
		object, ok := v.(*value.Object)
		if !ok {
			f.t.Errorf("%s is not an object", at)
			return
		}
		rules := f.objects[name]
		for _, key := range rules.required {
			if object.Get(key) == nil {
				f.t.Errorf("%s lacks %s", at, key)
			}
		}
		for key, held := range object.All() {
			check, known := rules.members[key]
			if !known {
				f.t.Errorf("%s has %s, which a %s has not", at, key, name)
				continue
			}
			check(f, at+"/"+key, held)
		}
	}
}

// arrayOf checks an array; least is the least number of its items, unique: no two are the same.
func arrayOf(of sarifCheck, least int, unique bool) sarifCheck {
	return func(f *sarifForm, at string, v value.Value) {
		array, ok := v.(*value.Array)
		if !ok || array.Len() < least {
			f.t.Errorf("%s is %s, want an array of %d or more", at, value.Compact(v), least)
			return
		}
		seen := make(map[string]bool)
		for _, item := range array.All() {
			text := value.Compact(item)
			if unique && seen[text] {
				f.t.Errorf("%s has %s twice", at, text)
			}
			seen[text] = true
			of(f, at+"[]", item)
		}
	}
}

func anyText(f *sarifForm, at string, v value.Value) {
	if _, ok := v.(value.String); !ok {
		f.t.Errorf("%s is not a string", at)
	}
}

func schemaWords(of ...string) sarifCheck {
	return func(f *sarifForm, at string, v value.Value) {
		if !slices.Contains(of, replyText(v)) {
			f.t.Errorf("%s is %s, want one of %v", at, value.Compact(v), of)
		}
	}
}

func least(n int64) sarifCheck {
	return func(f *sarifForm, at string, v value.Value) {
		number, ok := v.(value.Number)
		if i, isInt := number.Int64(); !ok || !isInt || i < n {
			f.t.Errorf("%s is %s, want an integer of at least %d", at, value.Compact(v), n)
		}
	}
}

// uriReference checks a URI; absolute: it has a scheme. A relative one begins with no slash.
func uriReference(absolute bool) sarifCheck {
	return func(f *sarifForm, at string, v value.Value) {
		u, err := url.Parse(replyText(v))
		if err != nil || replyText(v) == "" || absolute && !u.IsAbs() || strings.ContainsAny(replyText(v), " \\") ||
			!u.IsAbs() && strings.HasPrefix(u.Path, "/") {
			f.t.Errorf("%s is %s", at, value.Compact(v))
		}
	}
}

func stringMap(f *sarifForm, at string, v value.Value) {
	object, _ := v.(*value.Object)
	if object == nil {
		f.t.Errorf("%s is not an object", at)
		return
	}
	for key, held := range object.All() {
		anyText(f, at+"/"+key, held)
	}
}

// newSarifForm has the objects of the schema (https://json.schemastore.org/sarif-2.1.0.json).
func newSarifForm(t *testing.T) *sarifForm {
	f := &sarifForm{t: t}
	message, location := f.object("message"), f.object("location")
	level := schemaWords("none", "note", "warning", "error")
	f.objects = map[string]sarifObject{
		"log": {[]string{"version", "runs"}, map[string]sarifCheck{"$schema": uriReference(true),
			"version": schemaWords("2.1.0"), "runs": arrayOf(f.object("run"), 0, false)}},
		"run": {[]string{"tool"}, map[string]sarifCheck{
			"tool": f.object("tool"), "columnKind": schemaWords("utf16CodeUnits", "unicodeCodePoints"),
			"originalUriBaseIds": func(f *sarifForm, at string, v value.Value) {
				for key, held := range v.(*value.Object).All() {
					f.object("artifactLocation")(f, at+"/"+key, held)
				}
			}, "artifacts": arrayOf(f.object("artifact"), 0, true), "results": arrayOf(f.object("result"), 0, false),
		}},
		"tool": {[]string{"driver"}, map[string]sarifCheck{"driver": f.object("toolComponent")}},
		"toolComponent": {[]string{"name"}, map[string]sarifCheck{
			"name": anyText, "version": anyText, "informationUri": uriReference(true),
			"rules": arrayOf(f.object("reportingDescriptor"), 0, true),
		}},
		"reportingDescriptor": {[]string{"id"}, map[string]sarifCheck{
			"id": anyText, "shortDescription": message, "fullDescription": message, "help": message,
			"helpUri":              uriReference(true),
			"defaultConfiguration": f.object("reportingConfiguration"), "properties": f.object("propertyBag"),
		}},
		"reportingConfiguration": {nil, map[string]sarifCheck{"level": level}},
		"propertyBag": {nil, map[string]sarifCheck{"wording": schemaWords("aws", "asldb"),
			"tags": arrayOf(anyText, 0, true), "problem.severity": schemaWords("error", "warning", "recommendation")}},
		"artifact": {nil, map[string]sarifCheck{"location": f.object("artifactLocation")}},
		"artifactLocation": {nil, map[string]sarifCheck{"uri": uriReference(false), "uriBaseId": anyText,
			"description": message}},
		"message": {[]string{"text"}, map[string]sarifCheck{"text": anyText}},
		"result": {[]string{"message"}, map[string]sarifCheck{
			"ruleId": anyText, "ruleIndex": least(-1), "level": level, "message": message,
			"locations":        arrayOf(location, 0, false),
			"relatedLocations": arrayOf(location, 0, true), "partialFingerprints": stringMap,
			"fixes": arrayOf(f.object("fix"), 0, true), "properties": f.object("propertyBag"),
		}},
		"location": {nil, map[string]sarifCheck{
			"id": least(-1), "physicalLocation": f.object("physicalLocation"),
			"logicalLocations": arrayOf(f.object("logicalLocation"), 0, true), "message": message,
		}},
		"physicalLocation": {[]string{"artifactLocation"},
			map[string]sarifCheck{"artifactLocation": f.object("artifactLocation"), "region": f.object("region")}},
		"logicalLocation": {nil, map[string]sarifCheck{"fullyQualifiedName": anyText, "kind": anyText}},
		"region": {nil, map[string]sarifCheck{"startLine": least(1), "startColumn": least(1),
			"endLine": least(1), "endColumn": least(1)}},
		"fix": {[]string{"artifactChanges"},
			map[string]sarifCheck{"description": message,
				"artifactChanges": arrayOf(f.object("artifactChange"), 1, true)}},
		"artifactChange": {[]string{"artifactLocation", "replacements"}, map[string]sarifCheck{
			"artifactLocation": f.object("artifactLocation"),
			"replacements":     arrayOf(f.object("replacement"), 1, false),
		}},
		"replacement": {[]string{"deletedRegion"},
			map[string]sarifCheck{"deletedRegion": f.object("region"), "insertedContent": f.object("artifactContent")}},
		"artifactContent": {nil, map[string]sarifCheck{"text": anyText}},
	}
	return f
}

// TestSARIFSchema checks logs by the rules of the published schema, and by the text's rules that the schema cannot
// say: ruleIndex is the place of ruleId (section 3.27.6), a region does not end before it begins (3.30), ids of places
// are different (3.28.2), a base of URIs is declared (3.4.4), a rule is there once (3.19.23).
func TestSARIFSchema(t *testing.T) {
	stdin := everythingIn("<stdin>")
	for name, machines := range map[string][]Checked{
		"nothing":    nil,
		"valid":      {problemsOf("ok.json", `{"StartAt": "A", "States": {"A": {"Type": "Succeed"}}}`, lint.Options{})},
		"everything": {everythingIn("dir/a b#c%d.json"), everythingIn("/outside.json"), stdin},
		"fixes":      {problemsOf("a:b.json", misspelt, lint.Options{Hints: true})},
		"unreadable": {problemsOf("c.json", "{", lint.Options{})},
		"other rules": {{Given: &source.File{Name: "m.smithy"},
			Problems: []source.Diagnostic{{Rule: "WaitableTrait", Message: "m",
				File: &source.File{Name: "m.smithy"}}}}},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			if err := written(&out, "sarif", machines, Options{Folder: "/work"}); err != nil {
				t.Fatal(err)
			}
			log := parseReport(t, &out)
			f := newSarifForm(t)
			f.object("log")(f, "", log)
			checkSARIF(t, at(t, log, "runs", "0"))
		})
	}
}

func checkSARIF(t *testing.T, run value.Value) {
	t.Helper()
	ids := at(t, run, "tool", "driver", "rules").(*value.Array)
	seen := make(map[string]bool)
	for _, r := range ids.All() {
		if id := replyText(get(r, "id")); seen[id] {
			t.Errorf("the rule %s is there twice", id)
		} else {
			seen[id] = true
		}
	}
	for _, r := range at(t, run, "results").(*value.Array).All() {
		index, _ := at(t, r, "ruleIndex").(value.Number).Int64()
		if id := replyText(at(t, r, "ruleId")); int(index) >= ids.Len() ||
			replyText(get(ids.At(int(index)), "id")) != id {
			t.Errorf("ruleIndex %d is not the index of %s", index, id)
		}
		if related, ok := get(r, "relatedLocations").(*value.Array); ok {
			numbers := make(map[string]bool)
			for _, place := range related.All() {
				id := value.Compact(at(t, place, "id"))
				if numbers[id] || !strings.Contains(replyText(at(t, r, "message", "text")), "]("+id+")") {
					t.Errorf("the place %s is there twice, or nothing leads to it", id)
				}
				numbers[id] = true
			}
		}
	}
	var walk func(v value.Value)
	walk = func(v value.Value) {
		switch v := v.(type) {
		case *value.Array:
			for _, item := range v.All() {
				walk(item)
			}
		case *value.Object:
			if base := replyText(v.Get("uriBaseId")); base != "" && get(at(t, run, "originalUriBaseIds"), base) == nil {
				t.Errorf("the base %s is not declared", base)
			}
			if v.Get("endLine") != nil {
				number := func(key string) int64 { n, _ := v.Get(key).(value.Number).Int64(); return n }
				if number("endLine") < number("startLine") || number("endLine") == number("startLine") &&
					number("endColumn") < number("startColumn") {
					t.Errorf("a region ends before it begins: %s", value.Compact(v))
				}
			}
			for _, held := range v.All() {
				walk(held)
			}
		}
	}
	walk(run)
}
