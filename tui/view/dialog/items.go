package dialog

import (
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/explain"
	"asldb/engine/items"
	"asldb/fixtures"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// Items asks for an object that an ItemReader reads: its items as JSON, a file, or the Cause for which it cannot be read.
type Items struct {
	view.Modal
	Screen  editing
	Request *engine.ObjectRequest
	// Take gives the object to the ItemReader.
	Take  func(body []byte, refused *engine.ObjectError) error
	text  jsonText
	fault string
}

// Writes implements [view.Writer].
func (*Items) Writes() bool { return true }

// Typed returns the text.
func (d *Items) Typed() string { return d.text.Value() }

// Handle implements [view.View].
func (d *Items) Handle(k keys.Press) bool {
	d.fault = ""
	switch k.Name {
	case "esc":
		d.Screen.Open(nil)
		d.Screen.Say(canvas.Warn,
			"The ItemReader still waits; "+d.Screen.Keys().Key(keys.Answer)+" opens the question again.")
	case "enter", "ctrl+s":
		body, refused, err := fixtures.ReadObject(d.Request, d.text.Value())
		if err == nil {
			err = d.Take(body, refused)
		}
		if err != nil {
			d.fault = err.Error()
		}
	case "ctrl+x":
		d.Screen.EditOutside(d.text.Value(), func(text string, err error) { d.text.take(d.Screen, text, err) })
	default:
		d.text.press(k)
	}
	return true
}

// remark is the fault of the text, or its kind.
func (d *Items) remark(g *canvas.Glyphs) (text string, style canvas.Style) {
	typed := strings.TrimSpace(d.text.Value())
	switch {
	case d.fault != "":
		return g.Failed + " " + d.fault, canvas.Bad
	case strings.HasPrefix(typed, "@"):
		return "the file is the object's content", canvas.Dim
	case strings.HasPrefix(typed, "!"):
		return "the ItemReader fails with States.ItemReaderFailed", canvas.Dim
	case typed == "":
		return "", canvas.Dim
	}
	return d.text.remark(g, 0)
}

// itemsForms are the possible inputs for an object of a role.
func itemsForms(role items.Role) []Form {
	list, file := Form{Text: `[{"id": 1}]`, Meaning: "the items, a JSON list"}, "@items.csv"
	switch role {
	case items.Data:
	case items.Listing:
		list, file = Form{Text: `["a.json"]`, Meaning: "the keys of the objects, or their descriptions: the items"}, "@list.json"
	case items.ListingToRead:
		list, file = Form{Text: `["a.json"]`, Meaning: "the keys of the objects; their items are asked for next"}, "@list.json"
	case items.AthenaManifest:
		list, file = Form{Text: `["part-1"]`, Meaning: "the objects that it names; their items are asked for next"}, "@manifest.csv"
	case items.InventoryManifest:
		list, file = Form{Text: `["part-1.csv"]`, Meaning: "the files that it names, with the columns Bucket and Key"}, "@manifest.json"
	case items.InventoryFile:
		list, file = Form{Text: `[{"Key": "a"}]`, Meaning: "its rows, with the columns of the manifest in order"}, "@part-1.csv"
	}
	return []Form{list, {Text: file, Meaning: "a file with the object's content"}, {Text: "!Access denied", Meaning: "the object cannot be read, for this Cause"}}
}

// title is the question.
func (d *Items) title() string {
	name := d.Request.Visit.State.Name
	config := d.Request.Visit.State.ItemReader.Config
	switch role := fixtures.RoleOf(d.Request); {
	case role == items.ListingToRead:
		return "Which objects does " + name + " read?"
	case role.NamesObjects():
		return "Which objects does the manifest of " + name + " name?"
	case role == items.InventoryFile, role == items.Data && (config.ManifestType == asl.ManifestAthena || config.Transformation == asl.LoadFlatten):
		return "What are the items in " + d.Request.Object.Key + "?"
	}
	return "What are the items of " + name + "?"
}

// Draw implements [view.View].
func (d *Items) Draw(f widget.Frame) {
	area := f.Area
	forms, g := itemsForms(fixtures.RoleOf(d.Request)), area.Glyphs()
	const besides = 9 // the lines that are not the text's, with the frame
	lines := max(1, min(max(d.text.Len(), 3), area.H()-besides-len(forms)))
	inner := widget.Window(area, questionWidth, lines+len(forms)+besides, d.title(), "")
	w := inner.W()
	inner.Text(1, 0, canvas.Dim, canvas.FitMiddle(explain.Object(d.Request), w-2, g.Ellipsis))
	for i := range lines {
		inner.Text(2, 2+i, canvas.Border, g.Box.Vertical)
	}
	d.text.draw(inner.Area(canvas.Rect{X: 4, Y: 2, W: w - 5, H: lines}), true)
	remark, style := d.remark(g)
	inner.Fit(1, 2+lines, w-2, style, remark)
	for i, f := range forms {
		inner.Fit(1, 4+lines+i, 16, canvas.Key, f.Text)
		inner.Fit(18, 4+lines+i, w-19, canvas.Plain, f.Meaning)
	}
	inner.Fit(1, inner.H()-1, w-2, canvas.Hint, "enter answers  ctrl+j new line  ctrl+x your editor  esc look")
}
