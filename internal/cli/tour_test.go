//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"asldb/internal/cli/command"
)

// TestTourOfTheDocs follows docs/tour.md, key by key.
func TestTourOfTheDocs(t *testing.T) {
	term := start(t, "demo")
	term.waitFor("[ResultPath]", firstFrame)
	term.waitFor(`+   "payment": {`, firstFrame)
	term.quit()
	term = start(t, "demo", "--from-start")
	term.waitFor("READY", firstFrame)
	for _, step := range []struct {
		keys string
		see  []string
	}{
		{"iii", []string{"ValidateOrder › Parameters", `+   "orderId": "o-1042"`}},
		{"ii", []string{"ValidateOrder › Task", "t+0.35s", "[response]", `"total": 129.90`}},
		{"s", []string{"PaymentDue › input"}},
		{"i", []string{"1 × $.validation.valid BooleanEquals false", "2 ✓ And → ChargeCard", "is 129.90"}},
		{"Be", []string{"any error"}},
		{"\x1b", []string{"? keys"}},
		{"c", []string{"BREAKPOINT 1 any error (hit 1)", "× Card.Timeout"}},
		{"i", []string{"retrier 1 takes Card.Timeout", "retry 1 of at most 3"}},
		{"c", []string{"(hit 2)", "t+6.35s"}},
		{"c", []string{"(hit 3)", "NotifyCustomer", "× Mail.Bounced", "t+1h00m11s"}},
		{"i", []string{"catcher 1 takes Mail.Bounced and goes to PrintLetter"}},
		{"c", []string{"(hit 4)", "× Stock.Short", "Iterations[1]/PickLine"}},
		{"c", []string{"✓ SUCCEEDED", `"orderId": "o-1042"`}},
		{"I", []string{"VIEWING event 98 of 100"}},
		{"S", []string{"Summarize › input"}},
		{"C", []string{"[1] PickLine › Task", "Events 100", "× Stock.Short"}},
		{"c", []string{"✓ SUCCEEDED"}},
		{"3kkkk", []string{"VIEWING event 57 of 100", "Fulfil › ResultPath", "✓ ▹ Fulfil ≡2"}},
		{"\x1b", []string{"✓ SUCCEEDED"}},
		{"2", []string{"━ 2 Execution output"}},
		{"r", []string{"READY"}},
		{"Bea", []string{"Stop at:"}},
		{"ChargeCard:ResultPath\r", []string{"ChargeCard:ResultPat"}},
		{"\x1b", []string{"? keys"}},
		{"\x1b", []string{"nothing has run yet ─"}}, // the drawer closes
		{"c", []string{"BREAKPOINT 2 ChargeCard:ResultPath", "[ResultPath]", `"order": { … 2 unchanged … }`, `+   "payment": {`, "attempt 3"}},
	} {
		term.press(step.keys)
		for _, text := range step.see {
			term.waitFor(text, patience)
		}
	}
	if *update {
		time.Sleep(time.Second) // the whole frame is to be there
		writePicture(t, trimmed(term.screen.String()))
	}
	want := pictureOfTheTour(t)
	for end := time.Now().Add(patience); trimmed(term.screen.String()) != want && time.Now().Before(end); {
		time.Sleep(5 * time.Millisecond) // the rest of the frame may be on its way
	}
	if got := trimmed(term.screen.String()); got != want {
		t.Errorf("the screen is\n%s\nand the picture of docs/tour.md\n%s", got, want)
	}
	if status := term.quit(); status != command.StatusOK {
		t.Errorf("exit status %d, want %d", status, command.StatusOK)
	}
}

func writePicture(t *testing.T, picture string) {
	t.Helper()
	file := filepath.Join("..", "..", "docs", "tour.md")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(text), tourHeading)
	steps, rest, _ := strings.Cut(rest, "```\n")
	_, after, _ := strings.Cut(rest, "```")
	before += tourHeading + steps
	if err := os.WriteFile(file, []byte(before+"```\n"+picture+"\n```"+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// tourHeading is the heading of the tour.
const tourHeading = "# A tour of the screen\n"

// pictureOfTheTour is the picture of docs/tour.md.
func pictureOfTheTour(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "tour.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, tour, _ := strings.Cut(string(text), tourHeading)
	_, rest, _ := strings.Cut(tour, "```\n")
	picture, _, _ := strings.Cut(rest, "```")
	return trimmed(picture)
}

// trimmed is a screen without the blanks at the ends of its lines.
func trimmed(screen string) string {
	lines := strings.Split(strings.TrimRight(screen, "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}
