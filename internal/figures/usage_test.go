package figures_test

import (
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/figures"
	"asldb/internal/testkit"
	"asldb/recorder"
)

// express is the log of an Express execution that takes some milliseconds.
func express(region string, took int64, payload string) string {
	line := func(id int, kind, details string, at int64) string {
		return fmt.Sprintf(`{"id":"%d","type":%q,"details":%s,"previous_event_id":"%d","event_timestamp":"%d","execution_arn":"arn:aws:states:%s:123456789012:express:Fast:run:%d"}`,
			id, kind, details, max(id-2, 0), 1_700_000_000_000+at, region, took)
	}
	return strings.Join([]string{
		line(1, "ExecutionStarted", `{"input":`+quoted(payload)+`}`, 0),
		line(2, "PassStateEntered", `{"name":"P","input":"{}"}`, 1),
		line(3, "PassStateExited", `{"name":"P","output":"{}"}`, 2),
		line(4, "ExecutionSucceeded", `{"output":"{}"}`, took),
	}, "\n") + "\n"
}

func TestExpress(t *testing.T) {
	running := express("eu-west-1", 7, `{}`)
	running = running[:strings.Index(running, `{"id":"4"`)]
	dir := testkit.New(t, map[string]string{"a.log": express("eu-west-1", 250, `{}`) + express("eu-west-1", 1000, `{}`),
		"b.log": running})
	m := gather(t, dir, figures.Options{Memory: 100}).Machines[0]
	u := m.Usage[0]
	// 100 MB are billed as 128, 250 ms as 300: 128/1024 * (0.3 + 1.0) GB-seconds.
	if m.Name != "Fast" || m.Express != 3 || u.Requests != 3 || u.Unfinished != 1 || u.Transitions != 0 ||
		u.GBSeconds().Cmp(big.NewRat(1625, 10000)) != 0 {
		t.Errorf("%s: %d of %d, %+v, %s", m.Name, m.Express, m.Executions, u, u.GBSeconds())
	}
	if m.Events.Count != 0 {
		t.Error("Express executions have no quota of events")
	}
	// Without a memory, the payloads' size: 50 MB and a little; with 80 iterations and data of 200,000 bytes 66 MB.
	for n, want := range map[int]*big.Rat{0: big.NewRat(64, 1024), 80: big.NewRat(128, 1024)} {
		dir := testkit.New(t, map[string]string{"a.log": withItems(n)})
		if got := gather(t, dir, figures.Options{}).Machines[0].Usage[0].GBSeconds(); got.Cmp(want) != 0 {
			t.Errorf("%d items: %s, want %s", n, got, want)
		}
	}
}

// withItems is the log of an Express execution of one second with a Map state of so many items.
func withItems(n int) string {
	var lines []string
	add := func(kind, details string, previous, at int) {
		lines = append(lines, fmt.Sprintf(`{"id":"%d","type":%q,"details":%s,"previous_event_id":"%d","event_timestamp":"%d","execution_arn":"arn:aws:states:eu-west-1:1:express:Fast:run:1"}`,
			len(lines)+1, kind, details, previous, 1_700_000_000_000+at))
	}
	add("ExecutionStarted", `{"input":`+quoted(`"`+strings.Repeat("x", 199_998)+`"`)+`}`, 0, 0)
	add("MapStateEntered", `{"name":"Each","input":"{}"}`, 0, 0)
	add("MapStateStarted", fmt.Sprintf(`{"length":"%d"}`, n), 2, 0)
	for i := range n {
		add("MapIterationStarted", fmt.Sprintf(`{"name":"Each","index":"%d"}`, i), 3, 0)
	}
	add("ExecutionSucceeded", `{"output":"{}"}`, 3, 1000)
	return strings.Join(lines, "\n")
}

// A log below the level ALL has no states.
func TestALogWithoutStates(t *testing.T) {
	log := express("eu-west-1", 5, `{}`)
	var kept []string
	for _, line := range strings.Split(log, "\n") {
		if !strings.Contains(line, "PassState") {
			kept = append(kept, line)
		}
	}
	m := gather(t, testkit.New(t, map[string]string{"a.log": strings.Join(kept, "\n")}), figures.Options{}).Machines[0]
	if len(m.Damaged) != 1 || !strings.Contains(m.Damaged[0].Reason, "below ALL") {
		t.Error(m.Damaged)
	}
}

const prices = `version: 1
currency: USD
default: us-east-1
regions:
  us-east-1: {per1000Transitions: 0.025, perMillionRequests: 1.00, perGBHour: 0.06}
  eu-west-1: {perMillionRequests: 2}
`

func TestCosts(t *testing.T) {
	p, err := figures.ParsePrices("p.yaml", []byte(prices))
	if err != nil {
		t.Fatal(err)
	}
	c := p.Cost(&figures.Usage{Transitions: 4000, Requests: 500_000, Megabytes: 1024 * 1000 * 3600})
	// 4 * 0.025 + 0.5 * 1 + 1 GB-hour * 0.06
	if c.Missing != "" || c.Region != "us-east-1" || c.Total.Cmp(big.NewRat(66, 100)) != 0 ||
		c.GBSeconds.Cmp(big.NewRat(6, 100)) != 0 {
		t.Errorf("%+v", c)
	}
	for region, want := range map[string]string{"eu-west-1": `there is no per1000Transitions for the region "eu-west-1"`, "mars": `there are no prices for the region "mars"`} {
		if c := p.Cost(&figures.Usage{Region: region, Transitions: 1}); c.Missing != want {
			t.Errorf("%s: %q", region, c.Missing)
		}
	}
	if c := p.Cost(&figures.Usage{Region: "eu-west-1", Requests: 10}); c.Missing != "" || c.Transitions != nil ||
		figures.Amount(c.Total) != "0.00002000" {
		t.Errorf("%+v, %s", c, figures.Amount(c.Total))
	}
	none, err := figures.ParsePrices("p.json", []byte(
		`{"version":1,"currency":"EUR","regions":{"x":{"perGBSecond":1}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if c := none.Cost(&figures.Usage{Transitions: 1}); !strings.Contains(c.Missing, "no default") {
		t.Error(c.Missing)
	}
}

func TestAmount(t *testing.T) {
	for text, want := range map[string]string{"0": "0.00", "1234.5": "1234.50", "10": "10.00", "9.5": "9.500",
		"0.025": "0.02500", "0.00001667": "0.00001667"} {
		r, _ := new(big.Rat).SetString(text)
		if got := figures.Amount(r); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func TestWrongPrices(t *testing.T) {
	for text, want := range map[string]string{
		"[1]":                          "p.yaml:1:1: a file of prices is an object with the keys version, currency, default, regions",
		"a: [":                         "p.yaml:1:",
		"version: 2":                   "p.yaml:1:1: a file of prices has version: 1",
		"version: 1\ncurency: USD":     `p.yaml:2:1: a file of prices has no key "curency": did you mean "currency"?`,
		"version: 1\ncurrency: 7":      "p.yaml:2:11: currency is a text",
		"version: 1\ncurrency: USD":    "p.yaml:1:1: a file of prices has regions, each with its prices",
		"version: 1\nregions: {a: {}}": "p.yaml:1:1: a file of prices names its currency: USD",
		"version: 1\nregions: {a: 1}":  "p.yaml:2:14: the prices of a region are an object",
		"version: 1\ndefault: b\nregions: {a: {}}":                 `p.yaml:2:10: the default region "b" has no prices`,
		"version: 1\nregions: {a: {zzzzzzz: 1}}":                   `p.yaml:2:15: a region has no key "zzzzzzz": the keys are per1000Transitions, perMillionRequests, perGBSecond, perGBHour`,
		"version: 1\nregions: {a: {perGBSecond: x}}":               "p.yaml:2:28: perGBSecond is a number",
		"version: 1\nregions: {a: {perGBSecond: -1}}":              "p.yaml:2:28: perGBSecond is a number from 0",
		"version: 1\nregions: {a: {perGBSecond: 1, perGBHour: 2}}": "p.yaml:2:42: a region has perGBSecond or perGBHour, not both",
	} {
		_, err := figures.ParsePrices("p.yaml", []byte(text))
		var wrong *figures.PricesError
		if !errors.As(err, &wrong) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// A trace counts as the history of its run.
func TestTraces(t *testing.T) {
	definition := parse(t, fulfil)
	machine, err := engine.Compile(definition, engine.AWS)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, isExpress := range map[string]bool{"standard.trace": false, "express.trace": true} {
		options := debug.Options{
			Input: value.Must(lines(2)), Source: fixtures.OnMissing(nil, fixtures.Echo), Express: isExpress,
			Start:   time.Unix(1_700_000_000, 0),
			Context: value.Must(`{"Execution":{"Id":"arn:aws:states:eu-west-1:123456789012:execution:Order:x"}}`),
		}
		writer, err := recorder.CreateTrace(filepath.Join(dir, name), recorder.HeaderOf(machine, &options),
			recorder.TraceOptions{})
		if err != nil {
			t.Fatal(err)
		}
		options.Sink = writer
		if _, err := debug.New(machine, options).Do(debug.Command{Kind: debug.Continue}); err != nil {
			t.Fatal(err)
		}
		if err := writer.Close(); err != nil {
			t.Fatal(err)
		}
	}
	m := gather(t, dir, figures.Options{Definition: definition}).Machines[0]
	s := stateOf(t, m, "Fulfil/Iterations[*]/Pack")
	if m.Name != "Order" || m.Executions != 2 || m.Express != 1 || s.Visits != 4 || m.Usage[0].Region != "eu-west-1" ||
		m.Events.Max != 18+2*7 || len(m.Damaged) != 0 {
		t.Errorf("%s: %d, %d, %d visits, %+v, %v", m.Name, m.Executions, m.Express, s.Visits, m.Usage[0], m.Damaged)
	}
	// A trace that is cut off is read up to there.
	file := filepath.Join(dir, "standard.trace")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data[:len(data)*2/3], 0o600); err != nil {
		t.Fatal(err)
	}
	m = gather(t, file, figures.Options{}).Machines[0]
	if len(m.Unfinished) != 1 || len(m.Damaged) != 1 {
		t.Errorf("%v, %v", m.Unfinished, m.Damaged)
	}
}

// The pages of a history in several files are one execution.
func TestPages(t *testing.T) {
	b := charged("1")
	first, second := &h{events: b.events[:4]}, &h{events: b.events[4:]}
	dir := testkit.New(t, map[string]string{"x-1.json": first.document(`"nextToken":"t",`),
		"x-2.json": second.document(""), "y-2.json": second.document(""), "z.json": first.document(`"nextToken":"t",`)})
	m := gather(t, dir, figures.Options{}).Machines[0]
	if m.Executions != 3 || len(m.Damaged) != 2 || !strings.HasSuffix(m.Damaged[0].File, "y-2.json") ||
		m.Damaged[1].Reason != "its later pages are not there" ||
		len(m.Unfinished) != 1 || stateOf(t, m, "Charge").Work.Count != 2 {
		t.Errorf("%d: %v, %v", m.Executions, m.Damaged, m.Unfinished)
	}
}
