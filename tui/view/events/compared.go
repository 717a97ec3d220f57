package events

import (
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/view"
)

// compareBindings are about the comparison of two runs.
func (p *Pane) compareBindings() view.Bindings {
	here := func() bool { return p.view == asCompared && p.screen.Focused() == view.Drawer }
	return view.Bindings{
		{Action: keys.Compare, Disabled: p.compared.Disabled, Run: view.Run(func() {
			if p.view == asCompared {
				p.back()
				return
			}
			p.openCompared()
		})},
		{Action: keys.Look, Applies: here, Run: view.Run(func() {
			if p.compared.Enter() {
				p.open(asList)
			}
		})},
		{Action: keys.FindNext, Applies: here, Run: view.Run(func() { p.compared.Next(1) })},
		{Action: keys.FindPrevious, Applies: here, Run: view.Run(func() { p.compared.Next(-1) })},
		{Action: keys.DataView, Applies: here, Bare: true, Run: view.Run(p.compared.Turn)},
		{Action: keys.Fold, Applies: here, Run: view.Run(p.compared.Fold)},
		{Action: keys.FoldAll, Applies: here, Run: view.Run(p.compared.FoldAll)},
		{Action: keys.Now, Applies: here, Run: view.Run(func() {
			if p.compared.Leave() {
				return
			}
			p.back()
			p.screen.Say(canvas.Plain, p.screen.Key(keys.Compare)+" shows both runs side by side again.")
		})},
	}
}

// CompareRuns shows two forks side by side, from their first difference on; a is 0 for the recorded run.
func (p *Pane) CompareRuns(a, b int) {
	if err := p.compared.Compare(a, b); err != nil {
		p.screen.Say(canvas.Bad, err.Error())
		return
	}
	p.openCompared()
}

// OpenRecorded shows the run beside the recorded one.
func (p *Pane) OpenRecorded() { p.openCompared() }

// openCompared shows the comparison, on the whole screen where the pane is too small for both runs.
func (p *Pane) openCompared() {
	p.open(asCompared)
	if place := p.screen.Place(view.Drawer); p.zoomed.Empty() && !place.Empty() && (place.W < compareWidth ||
		place.H < compareHeight) {
		p.screen.Do(keys.Zoom, "")
		if p.screen.Place(view.Drawer) == place { // it has the whole screen already
			p.screen.Do(keys.Zoom, "")
			return
		}
		p.zoomed = place
	}
}

// The size of the pane from which on two runs can be read beside the other panes.
const (
	compareWidth  = 66
	compareHeight = 10
)

// unzoom ends the zoom of the comparison, where it has not been ended yet.
func (p *Pane) unzoom() {
	if place := p.screen.Place(view.Drawer); !p.zoomed.Empty() && (place.W > p.zoomed.W || place.H > p.zoomed.H) {
		p.screen.Do(keys.Zoom, "")
	}
	p.zoomed = canvas.Rect{}
}
