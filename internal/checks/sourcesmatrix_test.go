package checks

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"asldb/engine/value"
)

// sources is the folder of the matrix: a file for each document with a row for each of its sentences, and the list of
// the rows that do not hold.
const sources = "../../testdata/sources"

// The documents, each with the dialects that a row is tried in where it names none.
var documents = []struct {
	name, title string
	dialects    []string
}{
	{"asl-2016", "States Language, 2016", []string{"spec@2016", "spec@2020", "spec", "aws"}},
	{"asl-middle", "States Language, between 2016 and 2020", []string{"spec@2020", "spec", "aws"}},
	{"asl-2020", "States Language, August 2020", []string{"spec@2020", "spec", "aws"}},
	{"error-handling", "Step Functions, error handling", []string{"aws", "spec"}},
	{"waiters", "Smithy, waiters", []string{smithy}},
}

// smithy is in the place of a dialect for waiters, which have none.
const smithy = "smithy"

// columns are the dialects in the order of the figures.
var columns = []string{"spec@2016", "spec@2020", "spec", "aws", smithy}

// row is a sentence of a document, in other words, with what shows that it holds.
type row struct {
	ID string // the section of the document, and a number
	// Strength is MUST, SHOULD, MAY and so on, or "says". Sure is how sure the expectation is: "text", "example"
	// (printed in the document), "read" (one of several readings) or "measured".
	Strength, Says, Sure string
	// Note has what other editions say; Untried the reason why nothing can be tried.
	Note, Untried string
	// Dialects are those that the row is tried in.
	Dialects []string
	Tries    []try
}

// try is one thing to do, with what comes of it.
type try struct {
	// Definition is the text of a definition; without it, it is the definition of the try before. Fixtures have no
	// version.
	Definition, Input, Fixtures json.RawMessage
	// Text is an input that isn't JSON.
	Text string
	// Waiter is the trait with the waiters, Operation the shape that has it, if it is not the shared model's, and
	// Metadata the metadata of the model.
	Waiter, Operation, Metadata string
	MaxWait, Seeds              int64
	Draws                       []int64
	// Expect is what comes of it, member by member; In that in dialects where it is something else.
	Expect json.RawMessage
	In     map[string]json.RawMessage
}

var update = flag.Bool("update", false, "write the figures into the page about the language")

// Every row of the matrix holds in each of its dialects, except those that the list names (row, dialect, reason); a
// listed one that holds must be taken off the list. The page about the language has the figures.
func TestSources(t *testing.T) {
	short := readDisagreements(t, filepath.Join(sources, "short.tsv"))
	figures, ids := "", make(map[string]bool)
	for _, document := range documents {
		holds, total := make(map[string]int), make(map[string]int)
		for _, r := range readRows(t, document.name) {
			id := document.name + "/" + r.ID
			if ids[id] {
				t.Errorf("%s is there twice", id)
			}
			ids[id] = true
			for _, dialect := range tried(r, document.dialects) {
				key := id + "\t" + dialect
				_, listed := short[key]
				delete(short, key)
				difference := r.difference(dialect)
				total[dialect]++
				if difference == "" {
					holds[dialect]++
				}
				switch {
				case difference != "" && !listed:
					t.Errorf("%s in %s: %s\n\t%s", id, dialect, r.Says, difference)
				case difference == "" && listed:
					t.Errorf("%s holds in %s: take it off the list", id, dialect)
				}
			}
		}
		figures += "| " + document.title + " |"
		for _, dialect := range columns {
			if total[dialect] > 0 {
				figures += fmt.Sprintf(" %d of %d", holds[dialect], total[dialect])
			}
			figures += " |"
		}
		figures += "\n"
	}
	for key := range short {
		t.Errorf("the list has %q, which is not a row in a dialect", key)
	}
	showFigures(t, figures)
}

// figuresHead is above the figures in the page about the language.
const figuresHead = "| document | `spec@2016` | `spec@2020` | `spec` | `aws` | Smithy |\n|---|---|---|---|---|---|\n"

// showFigures holds the page about the language against the figures.
func showFigures(t *testing.T, figures string) {
	t.Helper()
	t.Log("\n" + figures)
	const name = "../../docs/language.md"
	page, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	before, after, ok := strings.Cut(string(page), figuresHead)
	want := before + figuresHead + figures
	if _, rest, more := strings.Cut(after, "\n\n"); more {
		want += "\n" + rest
	}
	switch {
	case !ok:
		t.Errorf("%s has no table with the head\n%s", name, figuresHead)
	case *update:
		if err := os.WriteFile(name, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	case string(page) != want:
		t.Errorf("%s should have these figures (-update writes them):\n%s", name, figures)
	}
}

// tried are the dialects in which a row is tried.
func tried(r row, document []string) []string {
	switch {
	case r.Untried != "":
		return nil
	case len(r.Dialects) > 0:
		return r.Dialects
	}
	return document
}

// times is a text that is repeated: <128 n>.
var times = regexp.MustCompile(`<(\d+) ([^<>"]+)>`)

// readRows reads the rows of a document: one a line.
func readRows(t *testing.T, document string) []row {
	t.Helper()
	file, err := os.Open(filepath.Join(sources, document+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var rows []row
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		line := times.ReplaceAllFunc(lines.Bytes(), func(found []byte) []byte {
			parts := times.FindSubmatch(found)
			n, _ := strconv.Atoi(string(parts[1])) // of digits
			return bytes.Repeat(parts[2], n)
		})
		var r row
		reader := json.NewDecoder(bytes.NewReader(line))
		reader.DisallowUnknownFields()
		if err := reader.Decode(&r); err != nil {
			t.Fatalf("%s.jsonl:%d: %v", document, len(rows)+1, err)
		}
		for i := 1; i < len(r.Tries); i++ {
			next, last := &r.Tries[i], &r.Tries[i-1]
			if next.Definition == nil && next.Waiter == "" {
				next.Definition, next.Waiter = last.Definition, last.Waiter
				next.Operation, next.MaxWait = last.Operation, last.MaxWait
			}
		}
		if r.Says == "" || r.Sure == "" || (len(r.Tries) == 0) != (r.Untried != "") {
			t.Errorf("%s.jsonl:%d: %s says nothing, or tries nothing without a reason", document, len(rows)+1, r.ID)
		}
		names := r.Dialects
		for i := range r.Tries {
			names = slices.AppendSeq(names, maps.Keys(r.Tries[i].In))
		}
		for _, name := range names {
			if !slices.Contains(columns, name) {
				t.Errorf("%s.jsonl:%d: %s is not a dialect of the figures", document, len(rows)+1, name)
			}
		}
		rows = append(rows, r)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

// difference tries the row in a dialect, and says what came otherwise than it should.
func (r *row) difference(dialect string) string {
	var differences []string
	for i := range r.Tries {
		a := &r.Tries[i]
		want := a.Expect
		if other, ok := a.In[dialect]; ok {
			want = other
		}
		expected, err := value.Parse(want, value.Limits{})
		if err != nil {
			return fmt.Sprintf("try %d: %v", i+1, err)
		}
		expectation := expected.(*value.Object)
		seen := a.run(dialect, expectation)
		for key, v := range expectation.All() {
			if !agree(v, seen.Get(key)) {
				differences = append(differences, fmt.Sprintf("try %d: %s should be %s: %s",
					i+1, key, value.Compact(v), value.Preview(seen, 300)))
			}
		}
	}
	return strings.Join(differences, "\n\t")
}

// agree compares what is expected with what came. Where a list came, an expectation that is none is one of it; the id
// of an event means the ids that it begins.
func agree(want, got value.Value) bool {
	list, several := got.(*value.Array)
	if _, both := want.(*value.Array); !several || both {
		return value.Equal(want, got)
	}
	for _, v := range list.All() {
		id, _ := v.(value.String)
		name, isName := want.(value.String)
		if value.Equal(want, v) || isName && strings.HasPrefix(string(id), string(name)+".") {
			return true
		}
	}
	return false
}
