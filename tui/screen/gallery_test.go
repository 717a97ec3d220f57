package screen

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/internal/definitions"
)

// exhibit is a situation that the gallery shows.
type exhibit struct {
	title, words string
	file         string // of testdata/gallery; "" where definition makes it
	definition   func() string
	input        string
	answers      script
	session      func(t testing.TB) *debug.Session // nil: of the file, the input and the answers
	w, h         int
	reach        func(d *driver)
}

func ok(after time.Duration, output string) engine.Outcome {
	return engine.Outcome{Output: value.Must(output), After: after}
}

func exhibits() []exhibit {
	return []exhibit{
		{
			title: "Where a value comes from",
			words: "The demo has ended, and `H` on `$.paid` in its output has opened the lens. On the left are the states that carried the value, " +
				"with its path in each. On the right are the steps that made and moved it, with the line of the definition, and the data. " +
				"`n` and `N` go along the steps, Enter jumps to one, `>` shows where the value goes, and `H` closes the lens. States that did not run " +
				"are left out where space is short; `z` shows all.",
			w: 100, h: 36, session: demo,
			reach: func(d *driver) {
				d.until("c", "SUCCEEDED").press("2")
				d.app.ui.data.Find("captured", 1)
				d.press("H").sees("Where it comes from: $.paid").press("n")
			},
		},
		{
			title: "A catcher that replaces the input",
			words: "ShipOrder failed: there is no `$.customer.email`. At the end of the run, `H` shows which state and field lost it, " +
				"which other data was lost with it, and the line that keeps it.",
			file: "enrich.asl.json", w: 120, h: 34,
			input:   `{"id":"o-7","customer":{"name":"Ada","email":"ada@example.com"},"lines":[{"sku":"TEA","n":2}]}`,
			answers: script{"EnrichCustomer": {{Error: "Crm.Down", Cause: "no answer in 3 s", After: 3 * time.Second}}},
			reach: func(d *driver) {
				d.press("c").sees("FAILED").press("H").sees("lost here: ResultPath of catcher 1", "lost: ", `"ResultPath": "$.error"`)
			},
		},
		{
			title: "A ResultPath that overwrites",
			words: "Ship did not find the city: two states earlier, the result of CheckStock replaced the order. `H` again, on a terminal of 80x24.",
			file:  "stock.asl.json", w: 80, h: 24,
			input: `{"order":{"id":"o-7","address":{"city":"Bath"}},"customer":{"name":"Ada"}}`,
			answers: script{
				"PriceOrder": {ok(time.Second, `48.5`)}, "CheckStock": {ok(time.Second, `{"inStock":true,"shelf":"A3"}`)},
			},
			reach: func(d *driver) {
				d.press("c").sees("FAILED").press("H").sees("lost here: ResultPath", "CheckStock lost it")
			},
		},
		{
			title: "A Choice that goes another way than expected",
			words: "The total is 120, but there was no discount of ten percent. Every rule is shown with the values that it compared: the total " +
				"is a string, and a comparison with another type is false.",
			file: "discount.asl.json", w: 120, h: 34,
			input: `{"total":"120.00","customer":{"name":"Ada","vip":false,"since":"2021-06-01T00:00:00Z"}}`,
			reach: func(d *driver) { stagesUntil(d, "Choices", "Amount?") },
		},
		{
			title: "A retry that waits",
			words: "The card service was busy for the second time. The screen shows which retrier handles the error, how many attempts are left, " +
				"when the next one begins, and how its delay was computed. The clock is manual here; `a` moves it to the next timer.",
			file: "charge.asl.json", w: 120, h: 34,
			input: `{"order":{"id":"o-7","total":48.5},"card":"tok_visa"}`,
			answers: script{"Charge": {
				{Error: "Card.Busy", Cause: "try again later", After: 400 * time.Millisecond},
				{Error: "Card.Busy", Cause: "try again later", After: 300 * time.Millisecond},
			}},
			reach: func(d *driver) {
				d.press("t", "t", "t", "c", "a", "c", "a", "c", "a", "c").sees("WAITING for a timer", "retry 2")
			},
		},
		{
			title: "A Map with an item that failed",
			words: "The address of the third parcel is unknown. The run stopped at the error (`:break-on-error`). The screen shows the iteration, " +
				"the payload of its task, and the other iterations at that moment.",
			file: "parcels.asl.json", w: 150, h: 40,
			input: `{"parcels":[{"to":"Bath"},{"to":"Leeds"},{"to":"Atlantis"},{"to":"York"}]}`,
			answers: script{
				"Weigh": {ok(time.Second, `1.2`), ok(2*time.Second, `0.4`), ok(time.Second, `7`), ok(time.Second, `2`)},
				"Label": {
					ok(time.Second, `"L-1"`), ok(time.Second, `"L-2"`),
					{Error: "Address.Unknown", Cause: "no such place: Atlantis", After: time.Second}, ok(time.Second, `"L-4"`),
				},
			},
			reach: func(d *driver) { d.press("E", "c", "]", "2").sees("Threads 3") },
		},
		{
			title: "The effect of a ResultPath",
			words: "ResultPath put the payment into the state's input and changed nothing else: unchanged data is folded, new data has a plus. " +
				"The strip at the top shows the effect of each stage of the state.",
			file: "charge.asl.json", w: 100, h: 30,
			input:   `{"order":{"id":"o-7","total":48.5,"lines":[{"sku":"TEA","n":2},{"sku":"POT","n":1}]},"card":"tok_visa"}`,
			answers: script{"Charge": {ok(time.Second, `{"id":"ch_3PqL","amount":48.5,"status":"captured"}`)}},
			reach:   func(d *driver) { stagesUntil(d, "ResultPath", "Charge") },
		},
		{
			title:      "A machine of two hundred states",
			words:      "The graph follows the run, whatever its size. `z` gives it the whole screen, `/` finds a state, `:run-to` runs to it.",
			definition: twoHundred, w: 160, h: 45,
			input: `{"n":0}`,
			reach: func(d *driver) { d.press(":").typed("run-to Check120").press("enter", "1", "z") },
		},
	}
}

// twoHundred is a definition with forty rounds of five states each.
func twoHundred() string {
	var b strings.Builder
	b.WriteString(`{"StartAt":"Load0","States":{`)
	for i := range 40 {
		n := i * 5
		next := fmt.Sprintf(`"Next":"Load%d"`, n+5)
		if i == 39 {
			next = `"End":true`
		}
		fmt.Fprintf(&b, `"Load%d":{"Type":"Pass","Result":%d,"ResultPath":"$.n","Next":"Check%d"},`, n, n, n)
		fmt.Fprintf(&b, `"Check%d":{"Type":"Choice","Choices":[{"Variable":"$.n","NumericGreaterThan":%d,"Next":"Many%d"}],"Default":"Few%d"},`, n, 99, n, n)
		fmt.Fprintf(&b, `"Many%d":{"Type":"Pass","Next":"Store%d"},"Few%d":{"Type":"Pass","Next":"Store%d"},"Store%d":{"Type":"Pass",%s},`, n, n, n, n, n, next)
	}
	return strings.TrimSuffix(b.String(), ",") + "}}"
}

// TestGallery compares the page of the gallery with the screen as it is; -update writes it.
func TestGallery(t *testing.T) {
	var page strings.Builder
	page.WriteString("# Gallery\n\nThe screen of `asldb debug`, as text, in eight situations. A test writes this page " +
		"(`go test ./tui/screen -run TestGallery -update`)\nand compares it with the screen; the definitions are beside it.\n")
	for _, e := range exhibits() {
		d := e.open(t)
		e.reach(d)
		page.WriteString("\n## " + e.title + "\n\n" + e.words + "\n")
		if e.file != "" {
			page.WriteString("\nDefinition: [" + e.file + "](" + e.file + "). Screen: ")
		} else {
			page.WriteString("\nScreen: ")
		}
		page.WriteString(strconv.Itoa(e.w) + "x" + strconv.Itoa(e.h) + ".\n\n```\n")
		picture := ""
		for row := range strings.SplitSeq(d.frame(), "\n") {
			picture += strings.TrimRight(row, " ") + "\n"
		}
		page.WriteString(picture + "```\n")
	}
	comparePage(t, "tui/screen/testdata/gallery/README.md", page.String())
}

// comparePage compares a file of the project with the text that it is to have; -update writes it.
func comparePage(t *testing.T, name, page string) {
	t.Helper()
	file := filepath.Join("..", "..", filepath.FromSlash(name))
	if updating() {
		if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if page != string(want) {
		t.Errorf("%s is not what the screen shows (-update writes it anew):\n%s", name, page)
	}
}

func (e *exhibit) open(t *testing.T) *driver {
	t.Helper()
	if e.session != nil {
		return drive(t, e.session(t), e.w, e.h, Options{Title: definitions.DefinitionName})
	}
	var definition []byte
	if e.file == "" {
		definition = []byte(e.definition())
	} else {
		data, err := os.ReadFile(filepath.Join("testdata", "gallery", e.file))
		if err != nil {
			t.Fatal(err)
		}
		definition = data
	}
	s := debug.New(machine(t, e.file, definition), debug.Options{
		Input: value.Must(e.input), Start: startTime, Seed: 7, Source: e.answers.Source(), Limits: engine.Limits{Payload: 256 << 10},
	})
	title := cmp.Or(e.file, "large.asl.json")
	return drive(t, s, e.w, e.h, Options{Title: title})
}
