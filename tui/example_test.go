package tui_test

import (
	"fmt"
	"log"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/tui"
	"asldb/tui/screen"
)

const order = `{"StartAt": "Keep", "States": {"Keep": {"Type": "Pass", "Result": 1, "ResultPath": "$.n", "End": true}}}`

// The screen is a Bubble Tea model over a session; Run shows it on the terminal.
func ExampleNew() {
	definition, problems := asl.Parse(&asl.Source{Name: "order.asl.json", Data: []byte(order)})
	if definition == nil {
		log.Fatal(problems[0].Message)
	}
	machine, err := engine.Compile(definition, engine.AWS)
	if err != nil {
		log.Fatal(err)
	}
	session := debug.New(machine, debug.Options{Input: value.Must(`{"id": 7}`)})
	var model tea.Model = tui.New(session, tui.Options{Options: screen.Options{Title: "order"}, NoColor: true})
	model, _ = model.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	lines := strings.Split(model.View(), "\n")
	fmt.Println(len(lines), strings.Contains(lines[0], "order"), strings.Contains(lines[0], "READY"))
	// Output: 24 true true
}
