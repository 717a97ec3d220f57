package provenance_test

import (
	"fmt"
	"strings"
	"testing"

	"asldb/engine/debug"
	"asldb/engine/outcome/sourcetest"
	"asldb/engine/provenance"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/definitions"
)

// tree writes a way, a node as one line.
func tree(w *provenance.Way) string {
	var b strings.Builder
	for depth, n := range w.All() {
		b.WriteString(strings.Repeat("  ", depth))
		if n.Kind == provenance.Folded {
			fmt.Fprintf(&b, "%s %d\n", n.Kind, n.Hidden)
			continue
		}
		b.WriteString(n.Kind.String())
		if n.Visit != nil {
			b.WriteString(" " + n.Visit.Path())
		}
		if n.Field != "" {
			b.WriteString(" " + n.Field)
		}
		if n.From != "" {
			b.WriteString(" " + n.From + ">" + n.To)
		} else {
			b.WriteString(" " + n.To)
		}
		b.WriteString(" = " + value.Preview(n.Value, 40))
		if n.Operand != "" {
			b.WriteString(" of " + n.Operand)
		}
		if n.Count > 1 {
			fmt.Fprintf(&b, " x%d", n.Count)
		}
		if n.Again {
			b.WriteString(" again")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// passed writes the visits of a way and the edges between them.
func passed(passages []*provenance.Passage, edges []*provenance.Edge) string {
	var b strings.Builder
	for _, p := range passages {
		fmt.Fprintf(&b, "%s %s %s>%s\n", p.Role, p.Visit.Path(), strings.Join(p.In, ","), strings.Join(p.Out, ","))
	}
	for _, e := range edges {
		fmt.Fprintf(&b, "%s(%d) %s>%s %s\n", e.Kind, e.Index, e.From.Path(), e.To.Path(), strings.Join(e.Paths, ","))
	}
	return b.String()
}

// demoRun runs the demo to its end.
func demoRun(t testing.TB) *debug.Session {
	t.Helper()
	file, err := fixtures.Load(definitions.FixturesName, definitions.Fixtures)
	if err != nil {
		t.Fatal(err)
	}
	machine := machineOf(t, string(definitions.DemoDefinition))
	bound, err := file.Source(machine.Definition())
	if err != nil {
		t.Fatal(err)
	}
	s := debug.New(machine, debug.Options{Input: file.Input, Source: fixtures.OnMissing(bound, fixtures.Ask)})
	reach(t, s, debug.StoppedAtEnd)
	return s
}

func lensOf(s *debug.Session) *provenance.Lens {
	return &provenance.Lens{Log: s.Log(), Explainer: s.Explainer(), Limit: -1}
}

// trimmed takes the indentation of a wanted text away.
func trimmed(text string) string {
	lines := strings.Split(strings.Trim(text, "\n\t"), "\n")
	for i := range lines {
		lines[i] = strings.TrimPrefix(strings.TrimLeft(lines[i], "\t"), "|")
	}
	return strings.Join(lines, "\n") + "\n"
}

func wantText(t *testing.T, name, got, want string) {
	t.Helper()
	if want = trimmed(want); got != want {
		t.Errorf("%s is\n%s\nwant\n%s", name, got, want)
	}
}

// A value in the demo's output goes back through a Parallel and a Map that carried it, to the task that gave it.
func TestBackInTheDemo(t *testing.T) {
	s := demoRun(t)
	end := s.Log().Len() - 1
	w, err := lensOf(s).Back(end, "$.paid")
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, "the way", tree(w), `
		|moved Summarize Parameters/paid.$ $.payment.status>$.paid = "captured"
		|  moved ChargeCard ResultPath $.status>$.payment.status = "captured"
		|    moved ChargeCard ResultSelector/status.$ $.Payload.status>$.status = "captured"
		|      result ChargeCard Resource $.Payload.status = "captured"`)
	wantText(t, "the route", passed(w.Passages, w.Edges), `
		|made ChargeCard >$.payment.status
		|carried AwaitSettlement $.payment.status>$.payment.status
		|carried Fulfil $.payment.status>$.payment.status
		|carried PackLines $.payment.status>$.payment.status
		|moved Summarize $.payment.status>$.paid
		|carried OrderCompleted $.paid>$.paid
		|next(0) ChargeCard>AwaitSettlement $.payment.status
		|next(0) AwaitSettlement>Fulfil $.payment.status
		|next(0) Fulfil>PackLines $.payment.status
		|next(0) PackLines>Summarize $.payment.status
		|next(0) Summarize>OrderCompleted $.paid`)
	selector := w.Nodes[0].Children[0].Children[0]
	if line := strings.Split(string(definitions.DemoDefinition), "\n")[selector.Place.Key.Start.Line-1]; !strings.Contains(line, `"status.$": "$.Payload.status"`) {
		t.Errorf("ResultSelector is at %q", line)
	}
	if parts := w.States(); len(parts) != 6 || parts[4].State.Name != "Summarize" || parts[4].Role != provenance.Moves ||
		parts[4].In[0] != "$.payment.status" || parts[4].Out[0] != "$.paid" {
		t.Errorf("the states are %v", parts)
	}
}

// What a filter chose in the result of a Map goes back into the iteration, through its catcher, to the item.
func TestBackThroughAMap(t *testing.T) {
	s := demoRun(t)
	w, err := lensOf(s).Back(s.Log().Len()-1, "$.backordered")
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, "the way", tree(w), `
		|computed Summarize Parameters/backordered.$ $.backordered = ["POT-1"]
		|  moved PackLines ResultPath $[1].sku>$.parcels[1].sku = "POT-1" of $.parcels[?(@.backordered == true)].sku
		|    gathered PackLines $.sku>$[1].sku = "POT-1"
		|      moved PackLines/Iterations[1]/Backorder Parameters/sku.$ $.line.sku>$.sku = "POT-1"
		|        moved PackLines ItemSelector/line.$ $[1].sku>$.line.sku = "POT-1"
		|          moved PackLines ItemsPath $.order.lines[1].sku>$[1].sku = "POT-1"
		|            input $.order.lines[1].sku = "POT-1"`)
	route := passed(w.Passages, w.Edges)
	for _, line := range []string{
		"carried PackLines/Iterations[1]/PickLine $.line.sku>$.line.sku\n",
		"moved PackLines $.order.lines[1].sku>$.parcels[1].sku\n",
		"rule(1) PaymentDue>ChargeCard $.order.lines[1].sku\n",
		"into(1) PackLines>PackLines/Iterations[1]/PickLine $.line.sku\n",
		"catcher(0) PackLines/Iterations[1]/PickLine>PackLines/Iterations[1]/Backorder $.line.sku\n",
		"outOf(1) PackLines/Iterations[1]/Backorder>PackLines $.sku\n",
	} {
		if !strings.Contains(route, line) {
			t.Errorf("the route lacks %q:\n%s", line, route)
		}
	}
}

// Intrinsic functions, payload templates as a whole, variables and the context object lead to all their operands.
func TestBackToAllOperands(t *testing.T) {
	const flow = `{"StartAt":"A","States":{
		"A":{"Type":"Pass","Assign":{"rate.$":"$.rate"},"Next":"B"},
		"B":{"Type":"Pass","Parameters":{"sum.$":"States.MathAdd($.a, States.MathAdd($rate, $$.Execution.Input.b))","fix":1,"list.$":"$.many[*].n"},"Next":"C"},
		"C":{"Type":"Pass","Parameters":{"deep":{"sum.$":"$.sum"}},"Assign":{"gone.$":"$.deep.sum"},"Next":"D"},
		"D":{"Type":"Pass","Parameters":{"all.$":"$","by.$":"$gone"},"End":true}}}`
	s := debug.New(machineOf(t, flow), debug.Options{Input: value.Must(`{"a":1,"b":2,"rate":4,"many":[{"n":5},{"n":6}]}`)})
	reach(t, s, debug.StoppedAtEnd)
	end := s.Log().Len() - 1
	for at, want := range map[string]string{
		"$.all.deep.sum": `
			|moved D Parameters/all.$ $.deep.sum>$.all.deep.sum = 7
			|  moved C Parameters/deep/sum.$ $.sum>$.deep.sum = 7
			|    computed B Parameters/sum.$ $.sum = 7
			|      input $.a = 1 of $.a
			|      moved A Assign/rate.$ $.rate>$rate = 4 of $rate
			|        input $.rate = 4
			|      input $.b = 2 of $$.Execution.Input.b`,
		"$.by": `
			|moved D Parameters/by.$ $gone>$.by = 7
			|  moved C Assign/gone.$ $.deep.sum>$gone = 7
			|    moved C Parameters/deep/sum.$ $.sum>$.deep.sum = 7
			|      computed B Parameters/sum.$ $.sum = 7
			|        input $.a = 1 of $.a
			|        moved A Assign/rate.$ $.rate>$rate = 4 of $rate
			|          input $.rate = 4
			|        input $.b = 2 of $$.Execution.Input.b`,
	} {
		w, err := lensOf(s).Back(end, at)
		if err != nil {
			t.Fatal(err)
		}
		wantText(t, at, tree(w), want)
	}
	list := 0
	for s.Log().At(list).Visit == nil || s.Log().At(list).Visit.State.Name != "C" {
		list++
	}
	w, err := lensOf(s).Back(list, "$")
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, "all of B's output", tree(w), `
		|computed B Parameters $ = {"sum":7,"fix":1,"list":[5,6]}
		|  computed B Parameters/sum.$ $.sum = 7
		|    input $.a = 1 of $.a
		|    moved A Assign/rate.$ $.rate>$rate = 4 of $rate
		|      input $.rate = 4
		|    input $.b = 2 of $$.Execution.Input.b
		|  computed B Parameters/list.$ $.list = [5,6]
		|    input $.many[0].n = 5 of $.many[0].n
		|    input $.many[1].n = 6 of $.many[1].n`)
	rate, err := lensOf(s).Back(end, "$rate")
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, "a variable", tree(rate), `
		|moved A Assign/rate.$ $.rate>$rate = 4
		|  input $.rate = 4`)
}

// An item of the result of a wildcard, States.Array or States.JsonMerge leads to the one value that it is.
func TestBackToOneOfSeveral(t *testing.T) {
	s := run(t, `{"StartAt":"A","States":{"A":{"Type":"Pass","Parameters":{"skus.$":"$.lines[*].sku","two.$":"States.Array($.lines[0], $.n)",
		"all.$":"States.JsonMerge($.a, $.b, false)","big.$":"$.lines[?(@.q > 1)]"},"End":true}}}`,
		`{"n":7,"lines":[{"sku":"x","q":1},{"sku":"y","q":2}],"a":{"p":1},"b":{"q":2}}`)
	for at, want := range map[string]string{
		"$.skus[1]": `
			|moved A Parameters/skus.$ $.lines[1].sku>$.skus[1] = "y"
			|  input $.lines[1].sku = "y"`,
		"$.two[1]": `
			|computed A Parameters/two.$ $.two[1] = 7
			|  input $.n = 7 of $.n`,
		"$.all.q": `
			|computed A Parameters/all.$ $.all.q = 2
			|  input $.b.q = 2 of $.b.q`,
		"$.big[0].sku": `
			|moved A Parameters/big.$ $.lines[1].sku>$.big[0].sku = "y"
			|  input $.lines[1].sku = "y"`,
	} {
		w, err := lensOf(s).Back(s.Log().Len()-1, at)
		if err != nil {
			t.Fatal(err)
		}
		wantText(t, at, tree(w), want)
	}
}

// A JSONata expression leads to the values that it read, and not to those that it only names.
func TestBackThroughJSONata(t *testing.T) {
	const query = `{"QueryLanguage":"JSONata","StartAt":"A","States":{
		"A":{"Type":"Task",` + lambda + `,"Arguments":{"n":"{% $states.input.order.total %}"},
			"Assign":{"rate":"{% $states.result.n / 10 %}"},
			"Output":"{% $merge([$states.input, {'n': $states.result.n}]) %}","Next":"B"},
		"B":{"Type":"Pass","Output":{"tax":"{% $states.input.free ? $states.input.none : $states.input.n * $rate %}",
			"names":"{% $join($states.input.order.lines.sku, '+') %}","one":"{% $states.input.order.lines[sku='b'].qty + 0 %}"},"End":true}}}`
	s := debug.New(machineOf(t, query), debug.Options{
		Input: value.Must(`{"free":false,"none":0,"order":{"total":50,"lines":[{"sku":"a","qty":1},{"sku":"b","qty":2}]}}`), Source: sourcetest.Func(echoing),
	})
	reach(t, s, debug.StoppedAtEnd)
	end := s.Log().Len() - 1
	for at, want := range map[string]string{
		"$.tax": `
			|computed B Output/tax $.tax = 250
			|  computed A Output $.free = false of $states.input.free
			|    input $.free = false of $states.input.free
			|  computed A Output $.n = 50 of $states.input.n
			|    input $ = {"free":false,"none":0,"order":{"total"… of $states.input
			|    result A Resource $.n = 50 of $states.result.n
			|  computed A Assign/rate $rate = 5 of $rate
			|    result A Resource $.n = 50 of $states.result.n again`,
		"$.names": `
			|computed B Output/names $.names = "a+b"
			|  computed A Output $.order.lines[0].sku = "a" of $states.input.order.lines[0].sku
			|    input $.order.lines[0].sku = "a" of $states.input.order.lines[0].sku
			|  computed A Output $.order.lines[1].sku = "b" of $states.input.order.lines[1].sku
			|    input $.order.lines[1].sku = "b" of $states.input.order.lines[1].sku`,
		"$.one": `
			|computed B Output/one $.one = 2
			|  computed A Output $.order.lines[1].qty = 2 of $states.input.order.lines[1].qty
			|    input $.order.lines[1].qty = 2 of $states.input.order.lines[1].qty`,
	} {
		w, err := lensOf(s).Back(end, at)
		if err != nil {
			t.Fatal(err)
		}
		wantText(t, at, tree(w), want)
	}
}
