package tui

import (
	"testing"

	"asldb/tui/tuitest"
)

// A session keeps the contract of views.
func TestASessionConforms(t *testing.T) {
	d := drive(t, order(t), 120, 40, Options{})
	tuitest.Conforms(t, d.app.screen)
	d.press("s", "s", "i")
	tuitest.Conforms(t, d.app.screen)
}
