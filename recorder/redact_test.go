package recorder

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/outcome/sourcetest"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

const secretive = `{"StartAt":"Pick","States":{
	"Pick":{"Type":"Pass","Parameters":{"renamed.$":"$.user.password","text.$":"States.Format('pw={} pin={}', $.user.password, $.pin)"},"ResultPath":"$.made","Next":"Set"},
	"Set":{"Type":"Pass","Assign":{"kept.$":"$.user.password"},"Next":"Call"},
	"Call":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:1:function:f","Credentials":{"RoleArn.$":"States.Format('arn:{}', $.user.password)"},
		"Parameters":{"note":"literal-secret-1","password":"literal-secret-2","all.$":"$"},"Catch":[{"ErrorEquals":["States.ALL"],"ResultPath":"$.error","Next":"Miss"}],"Next":"Miss"},
	"Miss":{"Type":"Pass","InputPath":"$.user.no.such","End":true}}}`

func failsWith(cause string) outcome.Source {
	return sourcetest.Func(func(*engine.TaskRequest) outcome.Reply {
		return outcome.Given(engine.Outcome{Error: "Bad", Cause: cause}, "test")
	})
}

// What a path leads to is nowhere in the trace, under whatever name or in whatever text it comes up.
func TestNothingSecretIsWritten(t *testing.T) {
	const password = `s3cr"et-ж\word`
	input := `{"user":{"password":"s3cr\"et-ж\\word","name":"Ada"},"pin":987654,"list":[{"password":["deep-secret-3",{"x":"deep-secret-4"}]}]}`
	p := programOf(t, secretive, input, failsWith(`refused: {"pw":"s3cr\"et-ж\\word"} and 987654 and s3cr"et`))
	p.options.Context = value.Must(`{"Execution":{"Name":"of s3cr\"et-ж\\word"},"password":"context-secret-5"}`)
	var redactions []*Redaction
	for _, text := range []string{"$..password", "$.pin"} {
		r, err := ParseRedaction(text)
		if err != nil {
			t.Fatal(err)
		}
		redactions = append(redactions, r)
	}
	for _, compress := range []bool{false, true} {
		data, s := record(t, p, TraceOptions{Redactions: redactions, Compress: compress})
		if s.Log().Len() < 15 {
			t.Fatal("the run is too short for the test")
		}
		trace := open(t, data)
		text := string(data)
		if compress {
			text = ""
			for i := range trace.chunks {
				l, err := trace.chunkLines(i)
				if err != nil {
					t.Fatal(err)
				}
				text += string(l.data)
			}
		}
		for _, secret := range []string{password, `s3cr`, "et-ж", "987654", "literal-secret-2", "deep-secret-3",
			"deep-secret-4", "context-secret-5"} {
			if at := strings.Index(text, secret); at >= 0 {
				t.Errorf("%q is in the trace: …%s…", secret, text[max(0, at-100):min(len(text), at+100)])
			}
		}
		for _, kept := range []string{"Ada", "literal-secret-1", Redacted} {
			if !strings.Contains(text, kept) {
				t.Errorf("%q is not in the trace", kept)
			}
		}
		if got := trace.Header().Redactions; len(got) != 2 || got[0] != "$..password" || got[1] != "$.pin" ||
			!trace.Redacted() {
			t.Errorf("the header says %q", got)
		}
		if trace.Last().Len() != int64(s.Log().Len()) {
			t.Errorf("%d events", trace.Last().Len())
		}
		for event, err := range trace.Last().All() {
			if err != nil {
				t.Errorf("event: %v", err)
			} else if happened := s.Log().At(int(event.Seq - 1)); event.Type != happened.Type || event.Visit != nil &&
				event.Visit.Path() != happened.Visit.Path() {
				t.Errorf("event %d is a %s", event.Seq, event.Type)
			}
		}
		if got, want := trace.Header().Digest, (&source.File{Data: []byte(secretive)}).Digest(); got != want {
			t.Errorf("the digest is %s, want the digest of the definition as it ran, %s", got, want)
		}
	}
}

func TestRedactionPaths(t *testing.T) {
	document := value.Must(`{"a":{"b":1,"c":[{"b":2},{"b":3}]},"b":{"x":"y"}}`)
	for path, want := range map[string]string{
		"$.a.b":      `{"a":{"b":"[redacted]","c":[{"b":2},{"b":3}]},"b":{"x":"y"}}`,
		"$..b":       `{"a":{"b":"[redacted]","c":[{"b":"[redacted]"},{"b":"[redacted]"}]},"b":"[redacted]"}`,
		"$.a.c[1].b": `{"a":{"b":1,"c":[{"b":2},{"b":"[redacted]"}]},"b":{"x":"y"}}`,
		"$.a.c[-1]":  `{"a":{"b":1,"c":[{"b":2},"[redacted]"]},"b":{"x":"y"}}`,
		"$.a.c[*].b": `{"a":{"b":1,"c":[{"b":"[redacted]"},{"b":"[redacted]"}]},"b":{"x":"y"}}`,
		"$.a.*":      `{"a":{"b":"[redacted]","c":"[redacted]"},"b":{"x":"y"}}`,
		"$":          `"[redacted]"`,
		"$.no":       `{"a":{"b":1,"c":[{"b":2},{"b":3}]},"b":{"x":"y"}}`,
	} {
		r, err := ParseRedaction(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := value.Compact(newRedactor([]*Redaction{r}).value(document)); got != want {
			t.Errorf("%s:\n got %s\nwant %s", path, got, want)
		}
	}
	for path, msg := range map[string]string{"a.b": "is not a path", "$$.x": "context object", "$x.y": "variable",
		"$.a[?(@.b)]": "has a filter", "$.a[1:2]": "slice", "$['a','b']": "list of names"} {
		var fault *RedactionError
		if _, err := ParseRedaction(path); !errors.As(err, &fault) || !strings.Contains(err.Error(), msg) {
			t.Errorf("%s: %v, want %q", path, err, msg)
		}
	}
}

// A large value keeps its shape, and a run is not slowed down beyond use.
func TestRedactionOfWorkloads(t *testing.T) {
	w := runs.Load(t, "W4-map")
	r, err := ParseRedaction("$..price")
	if err != nil {
		t.Fatal(err)
	}
	data, s := record(t, program{machine: w.Machine, options: debug.Options{Input: w.Input, Source: runs.NewTasks()}},
		TraceOptions{Redactions: []*Redaction{r}})
	if got := open(t, data).Last().Len(); got != int64(s.Log().Len()) {
		t.Errorf("%d events, want %d", got, s.Log().Len())
	}
	if bytes.Count(data, []byte("\n")) < s.Log().Len() {
		t.Error("events are missing")
	}
}

// A path without a match is reported, by the writer and from the trace; one that leads into a value that another one
// replaced is not.
func TestRedactionsThatLedToNothing(t *testing.T) {
	p := programOf(t, secretive, `{"user":{"password":"something"},"pin":987654,"card":{"number":4111,"owner":{"name":"Ada"}}}`, failsWith("no"))
	var redactions []*Redaction
	for _, text := range []string{"$..password", "$.pni", "$.card", "$.card.number", "$.card.owner.name", "$..nmae",
		"$.user.pin"} {
		r, err := ParseRedaction(text)
		if err != nil {
			t.Fatal(err)
		}
		redactions = append(redactions, r)
	}
	var out bytes.Buffer
	w, err := NewTraceWriter("test", &out, p.header(), TraceOptions{Redactions: redactions})
	if err != nil {
		t.Fatal(err)
	}
	p.run(t, w)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	const want = "$.pni $..nmae $.user.pin"
	if got := strings.Join(w.Unfound(), " "); got != want {
		t.Errorf("the writer says %s, want %s", got, want)
	}
	trace := open(t, out.Bytes())
	check := NewRedactionCheck(trace.Header())
	for event, err := range trace.Last().All() {
		if err != nil {
			t.Fatal(err)
		}
		check.Add(event)
	}
	if got := strings.Join(check.Unfound(), " "); got != want {
		t.Errorf("the trace says %s, want %s", got, want)
	}
	if none := NewRedactionCheck(p.header()); len(none.Unfound()) > 0 {
		t.Error(none.Unfound())
	}
}
