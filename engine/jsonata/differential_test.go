package jsonata

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"asldb/engine/value"
	"asldb/internal/testkit"
)

// outcome is the result of an expression: a value, nothing, a function, or an error.
type outcome struct {
	value    value.Value
	function bool
	code     string
	// The particulars of an error; position in UTF-16 units, "" when there is none.
	token, position, message string
}

// differentialCase is an expression with the answer of the reference implementation.
type differentialCase struct {
	expression string
	input      value.Value
	bindings   *value.Object
	want, got  outcome
}

// readDifferential reads a line of cases.jsonl. The text of a name that is absent is "".
func readDifferential(line []byte, datasets map[string]value.Value) (*differentialCase, error) {
	v, err := value.Parse(line, value.Limits{})
	if err != nil {
		return nil, err
	}
	o, ok := v.(*value.Object)
	if !ok {
		return nil, errors.New("no object")
	}
	text := func(name string) string {
		s, _ := o.Get(name).(value.String)
		return string(s)
	}
	c := &differentialCase{expression: text("expression"), input: o.Get("data")}
	if name := text("dataset"); name != "" {
		if c.input = datasets[name]; c.input == nil {
			return nil, fmt.Errorf("no data set %s", name)
		}
	}
	c.bindings, _ = o.Get("bindings").(*value.Object)
	c.want = outcome{
		value: o.Get("value"), function: o.Get("function") != nil,
		code: text("code"), token: text("token"), message: text("message"),
	}
	if position := o.Get("position"); position != nil {
		c.want.position = value.Compact(position)
	}
	return c, nil
}

// run fills in this package's result for the expression. Errors that are neither the language's nor a
// function are returned.
func (c *differentialCase) run() error {
	bindings := func(name string) value.Value {
		if c.bindings == nil {
			return nil
		}
		return c.bindings.Get(name)
	}
	x, err := Compile(c.expression, Options{Eval: true})
	if err == nil {
		c.got.value, err = x.Eval(c.input, bindings, testEnv())
	}
	var e *Error
	var fe *FunctionError
	switch {
	case errors.As(err, &e):
		c.got.code, c.got.token, c.got.message = e.Code, e.Token, e.Message
		if e.Position >= 0 {
			c.got.position = strconv.Itoa(units(c.expression[:min(len(c.expression), e.Position)]))
		}
		return nil
	case errors.As(err, &fe):
		c.got.function = true
		return nil
	}
	return err
}

// answers reports whether the value or the code is the reference's.
func (c *differentialCase) answers() bool {
	if c.want.code != c.got.code || c.want.function != c.got.function {
		return false
	}
	if c.want.value == nil || c.got.value == nil {
		return c.want.value == nil && c.got.value == nil
	}
	return sameInOrder(c.got.value, c.want.value)
}

// particulars reports whether an error is the reference's in all that it says.
func (c *differentialCase) particulars() bool {
	return c.want.token == c.got.token && c.want.position == c.got.position && c.want.message == c.got.message
}

// sameInOrder reports whether two values are equal with the order of their members. Keys that look like
// integers stand first in JavaScript; where they stand does not count.
func sameInOrder(a, b value.Value) bool {
	switch a := a.(type) {
	case *value.Array:
		b, ok := b.(*value.Array)
		if !ok || a.Len() != b.Len() {
			return false
		}
		for i, item := range a.All() {
			if !sameInOrder(item, b.At(i)) {
				return false
			}
		}
		return true
	case *value.Object:
		b, ok := b.(*value.Object)
		if !ok || a.Len() != b.Len() {
			return false
		}
		first, second := scriptOrder(a), scriptOrder(b)
		for i := range first {
			if first[i].Key != second[i].Key || !sameInOrder(first[i].Value, second[i].Value) {
				return false
			}
		}
		return true
	}
	return value.Equal(a, b)
}

// scriptOrder gives the members of o as JavaScript orders them.
func scriptOrder(o *value.Object) []value.Member {
	members := make([]value.Member, o.Len())
	for i := range members {
		members[i] = o.At(i)
	}
	slices.SortStableFunc(members, func(a, b value.Member) int {
		x, xErr := strconv.ParseUint(a.Key, 10, 32)
		y, yErr := strconv.ParseUint(b.Key, 10, 32)
		switch {
		case xErr == nil && yErr == nil:
			return int(int64(x) - int64(y))
		case xErr == nil:
			return -1
		case yErr == nil:
			return 1
		}
		return 0
	})
	return members
}

// TestDifferential compares expressions with the answers of the reference implementation. Each disagreement
// belongs to a class of testdata/differential.tsv, and each class has just as many as the table says. With
// -race every fifth expression is taken, and a class may have fewer.
func TestDifferential(t *testing.T) {
	every := 1
	if raceEnabled {
		every = 5
	}
	cases := runDifferential(t, every)
	counts := map[string]int{}
	answers, whole := 0, 0
	for _, c := range cases {
		same := c.answers()
		if same {
			answers++
			if c.particulars() {
				whole++
				continue
			}
		}
		class := classOf(c)
		counts[class]++
		if class == "" {
			t.Errorf("in no class: %s\n\twant %+v\n\t got %+v", c.expression, c.want, c.got)
		}
	}
	wanted := 0
	for _, class := range readClasses(t) {
		if n := counts[class.name]; n > class.count || every == 1 && n < class.count {
			t.Errorf("class %s: %d disagreements, the table says %d", class.name, counts[class.name], class.count)
		}
		if class.answer {
			wanted += counts[class.name]
		}
		delete(counts, class.name)
	}
	for class := range counts {
		if class != "" {
			t.Errorf("class %s (%d disagreements) is not in the table", class, counts[class])
		}
	}
	share := func(n int) float64 { return 100 * float64(n) / float64(len(cases)) }
	t.Logf("%d expressions: %d with the reference's value or code (%.2f %%), %d but for the wanted differences (%.2f %%), %d with token, position and message too (%.2f %%)",
		len(cases), answers, share(answers), answers+wanted, share(answers+wanted), whole, share(whole))
	if share(answers) < 99.3 || share(answers+wanted) < 99.7 {
		t.Errorf("too few agree")
	}
}

// runDifferential evaluates the cases, or one of so many, on all cores.
func runDifferential(t *testing.T, every int) []*differentialCase {
	t.Helper()
	all := bytes.Split(bytes.TrimSpace(testkit.Read(t, testkit.Dir(t, "jsonata-differential"), "cases.jsonl")),
		[]byte("\n"))
	var lines [][]byte
	for i := 0; i < len(all); i += every {
		lines = append(lines, all[i])
	}
	datasets := map[string]value.Value{}
	files, err := filepath.Glob(filepath.Join(testkit.Dir(t, "jsonata"), "test-suite", "datasets", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		v, err := value.Parse(testkit.Read(t, file), value.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		datasets[strings.TrimSuffix(filepath.Base(file), ".json")] = v
	}
	cases := make([]*differentialCase, len(lines))
	var group sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for first := range workers {
		group.Add(1)
		go func() {
			defer group.Done()
			for i := first; i < len(lines); i += workers {
				c, err := readDifferential(lines[i], datasets)
				if err == nil {
					err = c.run()
				}
				if err != nil {
					t.Errorf("line %d: %v", i*every+1, err)
					c = &differentialCase{}
				}
				cases[i] = c
			}
		}()
	}
	group.Wait()
	return cases
}
