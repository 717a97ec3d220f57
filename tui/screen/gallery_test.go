package screen

import (
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
)

// exhibit is a situation that the gallery shows.
type exhibit struct {
	title, words string
	file         string // of testdata/gallery; "" where definition makes it
	definition   func() string
	input        string
	answers      script
	w, h         int
	reach        func(d *driver)
}

func ok(after time.Duration, output string) engine.Outcome {
	return engine.Outcome{Output: value.Must(output), After: after}
}

func exhibits() []exhibit {
	return []exhibit{
		{
			title: "A Choice that surprised somebody",
			words: "The total is 120, and still there was no discount of ten percent. Every rule is shown with what it compared: the total " +
				"is a string, and a comparison with another type does not hold.",
			file: "discount.asl.json", w: 120, h: 34,
			input: `{"total":"120.00","customer":{"name":"Ada","vip":false,"since":"2021-06-01T00:00:00Z"}}`,
			reach: func(d *driver) { stagesUntil(d, "Choices", "Amount?") },
		},
		{
			title: "A retry that waits",
			words: "The card service was busy for the second time. Which retrier took the error, how often it may still try, when the next " +
				"attempt is and how that time came about: all of it is on the screen. The clock goes by hand here; `a` moves it to the next timer.",
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
			words: "The address of the third parcel is unknown. The run stopped at the error (`E` asks for that): which iteration it was, what its " +
				"task was given, and what the others were doing at that moment.",
			file: "parcels.asl.json", w: 150, h: 40,
			input: `{"parcels":[{"to":"Bath"},{"to":"Leeds"},{"to":"Atlantis"},{"to":"York"}]}`,
			answers: script{
				"Weigh": {ok(time.Second, `1.2`), ok(2*time.Second, `0.4`), ok(time.Second, `7`), ok(time.Second, `2`)},
				"Label": {
					ok(time.Second, `"L-1"`), ok(time.Second, `"L-2"`),
					{Error: "Address.Unknown", Cause: "no such place: Atlantis", After: time.Second}, ok(time.Second, `"L-4"`),
				},
			},
			reach: func(d *driver) { d.press("E", "c", "]", "1").sees("[Threads") },
		},
		{
			title: "What ResultPath did",
			words: "The payment was put into the state's input, and nothing else changed: what is the same is folded, what is new has a plus. " +
				"The strip above says what every stage of the state did.",
			file: "charge.asl.json", w: 100, h: 30,
			input:   `{"order":{"id":"o-7","total":48.5,"lines":[{"sku":"TEA","n":2},{"sku":"POT","n":1}]},"card":"tok_visa"}`,
			answers: script{"Charge": {ok(time.Second, `{"id":"ch_3PqL","amount":48.5,"status":"captured"}`)}},
			reach:   func(d *driver) { stagesUntil(d, "ResultPath", "Charge") },
		},
		{
			title:      "A machine of two hundred states",
			words:      "The graph follows the run, whatever its size. `z` gives it the whole screen, `/` finds a state, `R` runs to it.",
			definition: twoHundred, w: 160, h: 45,
			input: `{"n":0}`,
			reach: func(d *driver) { d.press(":").typed("run-to Check120").press("enter", "2", "z") },
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

// TestGallery compares docs/gallery.md with the screen as it is; -update writes it.
func TestGallery(t *testing.T) {
	var page strings.Builder
	page.WriteString("# Gallery\n\nThe screen of `asldb debug`, as text, in five situations. A test writes this page " +
		"(`go test ./tui/screen -run TestGallery -update`) and compares\nit with what the screen shows; the definitions stand in " +
		"[tui/screen/testdata/gallery](../tui/screen/testdata/gallery).\n")
	for _, e := range exhibits() {
		d := e.open(t)
		e.reach(d)
		page.WriteString("\n## " + e.title + "\n\n" + e.words + "\n")
		if e.file != "" {
			page.WriteString("\nDefinition: [" + e.file + "](../tui/screen/testdata/gallery/" + e.file + "). Screen: ")
		} else {
			page.WriteString("\nScreen: ")
		}
		page.WriteString(strconv.Itoa(e.w) + "x" + strconv.Itoa(e.h) + ".\n\n```\n")
		for row := range strings.SplitSeq(d.frame(), "\n") {
			page.WriteString(strings.TrimRight(row, " ") + "\n")
		}
		page.WriteString("```\n")
	}
	file := filepath.Join("..", "..", "docs", "gallery.md")
	if updating() {
		if err := os.WriteFile(file, []byte(page.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if page.String() != string(want) {
		t.Errorf("docs/gallery.md is not what the screen shows (-update writes it anew):\n%s", page.String())
	}
}

func (e *exhibit) open(t *testing.T) *driver {
	t.Helper()
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
	title := e.file
	if title == "" {
		title = "large.asl.json"
	}
	return drive(t, s, e.w, e.h, Options{Title: title})
}
