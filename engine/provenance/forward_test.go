package provenance_test

import (
	"strconv"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/provenance"
	"asldb/engine/value"
)

// What reads the order's id in the demo, and where it goes from there.
func TestForwardInTheDemo(t *testing.T) {
	s := demoRun(t)
	w, err := lensOf(s).Forward(0, "$.order.lines[1].sku")
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, "the way", tree(w), `
		|moved ValidateOrder Parameters/skus.$ $.order.lines[1].sku>$.skus[1] = "POT-1"
		|  sent ValidateOrder Resource $.skus[1] = "POT-1"
		|moved Fulfil/Branches[0]/ReserveStock InputPath $.order.lines[1].sku>$.lines[1].sku = "POT-1"
		|  sent Fulfil/Branches[0]/ReserveStock Resource $.lines[1].sku = "POT-1"
		|dropped Fulfil/Branches[1]/PrintLetter Parameters $.order.lines[1].sku> = "POT-1"
		|dropped Fulfil/Branches[0]/ReserveStock ResultPath $.order.lines[1].sku> = "POT-1"
		|moved PackLines ItemsPath $.order.lines[1].sku>$[1].sku = "POT-1"
		|  moved PackLines ItemSelector/line.$ $[1].sku>$.line.sku = "POT-1"
		|    sent PackLines/Iterations[1]/PickLine Resource $.line.sku = "POT-1"
		|    moved PackLines/Iterations[1]/Backorder Parameters/sku.$ $.line.sku>$.sku = "POT-1"
		|      gathered PackLines $.sku>$[1].sku = "POT-1"
		|        moved PackLines ResultPath $[1].sku>$.parcels[1].sku = "POT-1"
		|          moved Summarize Parameters/parcels.$ $.parcels[1].sku>$.parcels[1].sku = "POT-1"
		|            output $.parcels[1].sku = "POT-1"
		|          moved Summarize Parameters/backordered.$ $.parcels[1].sku>$.backordered[0] = "POT-1"
		|            output $.backordered[0] = "POT-1"
		|dropped Summarize Parameters $.order.lines[1].sku> = "POT-1"`)
	route := passed(w.Passages, w.Edges)
	for _, line := range []string{
		"read ValidateOrder $.order.lines[1].sku>$.order.lines[1].sku\n",
		"carried PaymentDue $.order.lines[1].sku>$.order.lines[1].sku\n",
		"lost Fulfil/Branches[1]/PrintLetter $.order.lines[1].sku>\n",
		"outOf(1) PackLines/Iterations[1]/Backorder>PackLines $.sku\n",
	} {
		if !strings.Contains(route, line) {
			t.Errorf("the route lacks %q:\n%s", line, route)
		}
	}
}

// Rules, times, JSONata, variables and catchers read a value and drop it.
func TestForwardThroughEachField(t *testing.T) {
	s := run(t, `{"StartAt":"A","States":{
		"A":{"Type":"Pass","Assign":{"keep.$":"$.n"},"Next":"C"},
		"C":{"Type":"Choice","Choices":[{"Variable":"$.m","IsPresent":true,"Next":"E"},{"Not":{"Variable":"$.n","NumericEquals":5},"Next":"E"}],"Default":"W"},
		"W":{"Type":"Wait","SecondsPath":"$.n","Next":"T"},
		"T":{"Type":"Task",`+lambda+`,"Parameters":{"twice.$":"States.MathAdd($.n, $.n)"},"Catch":[{"ErrorEquals":["States.ALL"],"Next":"Q"}],"Next":"Q"},
		"Q":{"Type":"Pass","QueryLanguage":"JSONata","Output":{"k":"{% $keep * 3 %}","s":"{% $keep %}"},"Next":"F"},
		"F":{"Type":"Fail","ErrorPath":"States.Format('E{}', $.s)"},
		"E":{"Type":"Succeed"}}}`, `{"n":5}`, engine.Outcome{Error: "Bad"})
	w, err := lensOf(s).Forward(0, "$.n")
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, "the way", tree(w), `
		|moved A Assign/keep.$ $.n>$keep = 5
		|  computed Q Output/k $keep>$.k = 15
		|  moved Q Output/s $keep>$.s = 5
		|    read F ErrorPath $.s = 5
		|read C Choices[1] $.n = 5
		|read W SecondsPath $.n = 5
		|computed T Parameters/twice.$ $.n>$.twice = 10
		|  sent T Resource $.twice = 10
		|dropped T Catch[0]/ResultPath $.n> = 5`)
}

// looping counts to n in a variable and in the data, with a state that carries a third value around.
func looping(n string) string {
	return `{"StartAt":"Begin","States":{
		"Begin":{"Type":"Pass","Assign":{"sum":0},"Next":"Add"},
		"Add":{"Type":"Pass","Parameters":{"n.$":"States.MathAdd($.n, 1)","step.$":"$.step","far.$":"$.far"},"Assign":{"sum.$":"States.MathAdd($sum, $.step)"},"Next":"More"},
		"More":{"Type":"Choice","Choices":[{"Variable":"$.n","NumericLessThan":` + n + `,"Next":"Add"}],"Default":"End"},
		"End":{"Type":"Pass","Parameters":{"n.$":"$.n","sum.$":"$sum","far.$":"$.far"},"End":true}}}`
}

// A loop of a thousand turns is one node with a count, back and forward.
func TestLoopsAreShownOnce(t *testing.T) {
	s := run(t, looping("1000"), `{"n":0,"step":2,"far":"away"}`)
	end := s.Log().Len() - 1
	for at, want := range map[string]string{
		"$.far": `
			|moved End Parameters/far.$ $.far>$.far = "away"
			|  moved Add Parameters/far.$ $.far>$.far = "away" x1000
			|    input $.far = "away"`,
		"$.n": `
			|moved End Parameters/n.$ $.n>$.n = 1000
			|  computed Add Parameters/n.$ $.n = 1000 x1000
			|    input $.n = 0 of $.n`,
		"$.sum": `
			|moved End Parameters/sum.$ $sum>$.sum = 2000
			|  computed Add Assign/sum.$ $sum = 2000 x1000
			|    literal Begin Assign/sum $sum = 0 of $sum
			|    moved Add Parameters/step.$ $.step>$.step = 2 of $.step x1000
			|      input $.step = 2`,
	} {
		w, err := lensOf(s).Back(end, at)
		if err != nil {
			t.Fatal(err)
		}
		wantText(t, at, tree(w), want)
		if parts := w.States(); at == "$.far" && (len(parts) != 4 || parts[1].State.Name != "Add" || parts[1].Visits != 1000) {
			t.Errorf("the states are %v", parts)
		}
	}
	w, err := lensOf(s).Forward(0, "$.step")
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, "the step", tree(w), `
		|moved Add Parameters/step.$ $.step>$.step = 2 x1000
		|  computed Add Assign/sum.$ $.step>$sum = 2 x1000
		|    moved End Parameters/sum.$ $sum>$.sum = 2000
		|      output $.sum = 2000
		|  dropped End Parameters $.step> = 2`)
}

// A way with more nodes than the limit is folded, and its ends stay.
func TestFolding(t *testing.T) {
	var lines, keys []string
	for i := range 40 {
		keys = append(keys, `"k`+strconv.Itoa(i)+`.$":"$.k`+strconv.Itoa(i)+`"`)
		lines = append(lines, `"k`+strconv.Itoa(i)+`":`+strconv.Itoa(i))
	}
	s := run(t, `{"StartAt":"A","States":{"A":{"Type":"Pass","Parameters":{`+strings.Join(keys, ",")+`},"End":true}}}`, "{"+strings.Join(lines, ",")+"}")
	l := lensOf(s)
	l.Limit = 0
	w, err := l.Back(s.Log().Len()-1, "$")
	if err != nil {
		t.Fatal(err)
	}
	shown, hidden := 0, 0
	for _, n := range w.All() {
		if n.Kind == provenance.Folded {
			hidden += n.Hidden
			continue
		}
		shown++
		if n.Kind == provenance.Input && value.Compact(n.Value) != n.To[len("$.k"):] {
			t.Errorf("%s is %s", n.To, value.Compact(n.Value))
		}
	}
	if w.Total != 81 || shown > provenance.DefaultLimit || shown+hidden != w.Total {
		t.Errorf("%d nodes are shown and %d hidden, of %d", shown, hidden, w.Total)
	}

	states := ""
	for i := range 50 {
		states += `"S` + strconv.Itoa(i) + `":{"Type":"Pass","Parameters":{"a.$":"$.a"},"Next":"S` + strconv.Itoa(i+1) + `"},`
	}
	s = run(t, `{"StartAt":"S0","States":{`+states+`"S50":{"Type":"Succeed"}}}`, `{"a":1}`)
	l = lensOf(s)
	l.Limit = 5
	if w, err = l.Back(s.Log().Len()-1, "$.a"); err != nil {
		t.Fatal(err)
	}
	wantText(t, "a long way", tree(w), `
		|moved S49 Parameters/a.$ $.a>$.a = 1
		|  moved S48 Parameters/a.$ $.a>$.a = 1
		|    moved S47 Parameters/a.$ $.a>$.a = 1
		|      moved S46 Parameters/a.$ $.a>$.a = 1
		|        folded 46
		|          input $.a = 1`)
}
