package waiter

import (
	"fmt"
	"strings"
	"testing"

	"asldb/engine/source"
	"asldb/engine/value"
)

// readIDL reads a model in the IDL and returns its problems as lines: severity, id.
func readIDL(t *testing.T, texts ...string) (*Model, string) {
	t.Helper()
	var files []*source.File
	for i, text := range texts {
		files = append(files, &source.File{Name: fmt.Sprintf("m%d.smithy", i), Data: []byte(text)})
	}
	m, problems := Read(files...)
	if m == nil {
		t.Fatal(problems[0].Format())
	}
	lines := value.Each(problems, func(p source.Diagnostic) string {
		return fmt.Sprintf("%d:%s %s", p.Span.Start.Line, p.Severity, p.Rule)
	})
	return m, strings.Join(lines, "\n")
}

const idlHead = "$version: \"2\"\nnamespace x\nuse smithy.waiters#waitable\n"

const anyWaiter = `@waitable(Ready: {acceptors: [{state: "success", matcher: {success: true}}]})`

// TestSelector: the trait is for "operation :not(-[input, output]-> structure > member > union[trait|streaming])".
func TestSelector(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		waiters          int
	}{
		{"structure", anyWaiter + " structure A {}", "4:error TraitTarget", 0},
		{"resource", anyWaiter + " resource A {}", "4:error TraitTarget", 0},
		{"member", "structure A {\n" + anyWaiter + " a: String }", "5:error TraitTarget", 0},
		{"member of a list", "list A {\n" + anyWaiter + " member: String }", "5:error TraitTarget", 0},
		{"applied to a structure", "structure A {}\napply A " + anyWaiter, "5:error TraitTarget", 0},
		{"applied to a member", "structure A { a: String }\napply A$a " + anyWaiter, "5:error TraitTarget", 0},
		{"input stream", anyWaiter + " operation A { input := { e: E } }\n@streaming union E { a: String }",
			"4:error TraitTarget", 1},
		{"output stream", anyWaiter + " operation A { output: O }\nstructure O with [M] {}\n@mixin structure M { e: E }\n@streaming union E { a: String }", "4:error TraitTarget", 1},
		{"union that is not a stream", anyWaiter + " operation A { output := { e: E } }\nunion E { a: String }", "", 1},
		{"streamed blob", `@waitable(Ready: {acceptors: [{state: "success", matcher: {output: {path: "n", comparator: "stringEquals", expected: "a"}}}]})
			operation A { output := { n: String, b: B } }` + "\n@streaming blob B", "", 1},
		{"no waiters", "@waitable({}) operation A {}", "4:error TraitValue", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, got := readIDL(t, idlHead+c.text)
			if got != c.want || len(m.Waiters) != c.waiters {
				t.Errorf("%d waiters, problems:\n%s\nwant %d, %s", len(m.Waiters), got, c.waiters, c.want)
			}
		})
	}
	text := &source.File{Name: "m.smithy", Data: []byte(idlHead + anyWaiter +
		" operation A { input := { e: E } }\n@streaming union E { a: String }")}
	if m, problems := Read(text); m.Waiters[0].Usable(problems) {
		t.Error("a waiter of an operation with an event stream counts as usable")
	}
}

// dangerous is an operation with events of all kinds: a DANGER for an expression, a WARNING for an error, one for a
// member.
const dangerous = `@waitable(Ready: {description: "d", acceptors: [
	{state: "success", matcher: {output: {path: "nope", comparator: "stringEquals", expected: "a"}}}
	{state: "retry", matcher: {errorType: "Gone"}}]})
operation A { output := { n: String } }`

const (
	unknownEvent = "4:warning TraitValue.UnknownMember.smithy.waiters#Waiter.description\n"
	dangerEvent  = "5:danger WaitableTraitJmespathProblem.JmespathEventDanger.Ready.0\n"
	errorEvent   = "6:warning WaitableTraitInvalidErrorType.Ready.1\n"
)

// TestSuppressions: an id suppresses the event of that id, and the ones whose first parts it is (Smithy,
// "Suppressions").
func TestSuppressions(t *testing.T) {
	for _, c := range []struct {
		ids, want  string
		suppressed int
	}{
		{`"Other"`, unknownEvent + dangerEvent + errorEvent, 0},
		{`"WaitableTraitJmespathProblem"`, unknownEvent + errorEvent, 1},
		{`"WaitableTraitJmespathProblem.JmespathEventDanger"`, unknownEvent + errorEvent, 1},
		{`"WaitableTraitJmespathProblem.JmespathEventDanger.Ready.0"`, unknownEvent + errorEvent, 1},
		{`"WaitableTraitJmespathProblem.JmespathEventDanger.Ready.0.x"`, unknownEvent + dangerEvent + errorEvent, 0},
		{`"WaitableTraitJmespath"`, unknownEvent + dangerEvent + errorEvent, 0}, // no whole part
		{`"WaitableTrait"`, unknownEvent + dangerEvent + errorEvent, 0},
		{`"TraitValue", "WaitableTraitInvalidErrorType", "WaitableTraitJmespathProblem"`, "", 3},
	} {
		for form, texts := range map[string][]string{
			"trait":           {idlHead + "@suppress([" + c.ids + "]) " + dangerous},
			"applied in file": {idlHead + dangerous, "namespace x\napply A @suppress([" + c.ids + "])"},
			"metadata": {`metadata suppressions = [` + metadataOf(c.ids, "*") + "]\n" +
				"namespace x\nuse smithy.waiters#waitable\n" + dangerous},
			"namespace in two files": {
				"metadata suppressions = []\nnamespace x\nuse smithy.waiters#waitable\n" + dangerous,
				"metadata suppressions = [" + metadataOf(c.ids, "x") + "]",
			},
		} {
			m, got := readIDL(t, texts...)
			if got+"\n" != c.want && got != c.want || m.Suppressed != c.suppressed {
				t.Errorf("%s, %s: %d suppressed, the others:\n%s\nwant %d, %s", form, c.ids, m.Suppressed, got,
					c.suppressed, c.want)
			}
		}
	}
}

// metadataOf returns suppressions of ids.
func metadataOf(ids, namespace string) string {
	var items []string
	for id := range strings.SplitSeq(ids, ", ") {
		items = append(items, fmt.Sprintf("{id: %s, namespace: %q, reason: \"meant\"}", id, namespace))
	}
	return strings.Join(items, " ")
}

// TestMetadata has the other rules of suppressions and severity overrides.
func TestMetadata(t *testing.T) {
	lines := func(list ...string) string { return strings.TrimSuffix(strings.Join(list, ""), "\n") }
	for _, c := range []struct{ name, metadata, text, want string }{
		{"another namespace", `suppressions = [{id: "TraitValue", namespace: "y"}]`, dangerous,
			lines(unknownEvent, dangerEvent, errorEvent)},
		{"an error stays", `suppressions = [{id: "WaitableTrait", namespace: "*"}]`,
			`@suppress(["WaitableTrait"]) @waitable(Ready: {acceptors: [{state: "retry", matcher: {success: true}}]}) operation A {}`, "4:error WaitableTrait"},
		{"raised", `severityOverrides = [{id: "TraitValue", namespace: "x", severity: "DANGER"} {id: "WaitableTraitInvalidErrorType", namespace: "y", severity: "DANGER"}]`,
			dangerous, lines(strings.Replace(unknownEvent, "warning", "danger", 1), dangerEvent, errorEvent)},
		{"not lowered", `severityOverrides = [{id: "WaitableTraitJmespathProblem", namespace: "*", severity: "WARNING"}]`, dangerous, lines(unknownEvent, dangerEvent, errorEvent)},
		{"suppressed before it is raised", `severityOverrides = [{id: "TraitValue", namespace: "x", severity: "DANGER"}]`, `@suppress(["TraitValue"]) ` + dangerous, lines(dangerEvent, errorEvent)},
		{"no list", `suppressions = {}`, anyWaiter + " operation A {}", "1:error Model"},
		{"no object", `severityOverrides = [true]`, anyWaiter + " operation A {}", "1:error Model"},
		{"without a namespace", `suppressions = [{id: "TraitValue"}]`, anyWaiter + " operation A {}", "1:error Model"},
		{"raised to an error", `severityOverrides = [{id: "TraitValue", namespace: "*", severity: "ERROR"}]`,
			anyWaiter + " operation A {}", "1:error Model"},
	} {
		if _, got := readIDL(t, "metadata "+c.metadata+"\nnamespace x\nuse smithy.waiters#waitable\n"+
			c.text); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
	m, problems := readText(t, `{"smithy": "2.0", "metadata": {"suppressions": [{"id": "WaitableTraitJmespathProblem", "namespace": "x"}]}, "shapes": {
		"x#A": {"type": "operation", "traits": {"smithy.waiters#waitable": {"Ready": {"acceptors": [
			{"state": "success", "matcher": {"output": {"path": "nope", "comparator": "stringEquals", "expected": "a"}}}]}}}, "output": {"target": "x#O"}}, "x#O": {"type": "structure"}}}`)
	if len(problems) > 0 || m.Suppressed != 1 {
		t.Errorf("%d suppressed, others %v", m.Suppressed, problems)
	}
}

// TestHintsAreNotes: hints have Smithy's lowest severity, which a model can suppress or raise.
func TestHintsAreNotes(t *testing.T) {
	const text = `operation A {}
apply A @waitable(RunThingComplete: {acceptors: [{state: "success", matcher: {success: true}}, {state: "retry", matcher: {errorType: "E"}}, {state: "failure", matcher: {success: false}}]})`
	for _, c := range []struct{ metadata, suppressed, want string }{
		{`a = 1`, "Other", "note name-after-resource-and-state, note implicit-acceptor"},
		{`a = 1`, "implicit-acceptor", "note name-after-resource-and-state"},
		{`severityOverrides = [{id: "implicit-acceptor", namespace: "*", severity: "WARNING"}]`, "Other",
			"note name-after-resource-and-state, warning implicit-acceptor"},
	} {
		m, _ := readIDL(t, "metadata "+c.metadata+"\nnamespace x\nuse smithy.waiters#waitable\n@suppress([\""+
			c.suppressed+"\"]) "+text)
		got := value.Each(m.Hints(), func(h source.Diagnostic) string { return h.Severity.String() + " " + h.Rule })
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s, %s: %v, want %s", c.metadata, c.suppressed, got, c.want)
		}
	}
}
