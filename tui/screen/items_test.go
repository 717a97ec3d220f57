package screen

import (
	"strings"
	"testing"

	"asldb/engine/value"
)

const readsItems = `{"StartAt":"Each","States":{"Each":{"Type":"Map","End":true,
	"ItemReader":{"Resource":"arn:aws:states:::s3:getObject","Parameters":{"Bucket":"b","Key":"k.json"},"ReaderConfig":{"InputType":"JSON"}},
	"ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"P","States":{"P":{"Type":"Pass","End":true}}}}}}`

// TestAskForItems: an ItemReader without an object asks for its items; the question comes back, and the answer can be
// saved.
func TestAskForItems(t *testing.T) {
	saved := ""
	s := session(t, readsItems, `{}`, nil)
	d := drive(t, s, 100, 34, Options{Save: func(_ string, data []byte) error { saved = string(data); return nil }})
	d.press("c").sees("WAITING for items", "What are the items of Each?", "Each reads s3://b/k.json (getObject, JSON)", "@items.csv")
	d.typed("[1,").press("enter").sees("this is not JSON")
	d.press("esc").sees("The ItemReader still waits; x opens the question again.")
	d.press("i").sees("i: x gives the ItemReader its items")
	d.press("x").typed(`[1,2]`).sees("array, 5 B").press("enter").sees("SUCCEEDED")
	if got := value.Compact(s.Output()); got != "[1,2]" {
		t.Errorf("the output is %s", got)
	}
	if list := d.app.Unsaved(); len(list) != 1 {
		t.Errorf("unsaved are %q", list)
	}
	d.press("ctrl+s").typed("f.yaml").press("enter").sees("1 object of ItemReaders as f.yaml")
	if len(d.app.Unsaved()) != 0 || saved == "" {
		t.Error("the answer is not saved")
	}
	for _, size := range []struct{ w, h int }{{80, 24}, {40, 10}} {
		drive(t, session(t, readsItems, `{}`, nil), size.w, size.h, Options{}).press("c").sees("What are the items of", "enter answers")
	}
}

// TestAskForAManifest: an ItemReader that reads a manifest asks for the objects that it names, and then for the items
// in each.
func TestAskForAManifest(t *testing.T) {
	definition := strings.Replace(readsItems, `{"InputType":"JSON"}`, `{"InputType":"JSONL","ManifestType":"ATHENA_DATA"}`, 1)
	s := session(t, definition, `{}`, nil)
	d := drive(t, s, 100, 34, Options{})
	d.press("c").sees("Which objects does the manifest of Each name?", "their items are asked for next")
	d.typed(`[{"n":1}]`).press("enter").sees("a manifest names objects")
	for range 9 {
		d.press("backspace")
	}
	d.typed(`["one","two"]`).press("enter").sees("What are the items in one?")
	d.typed(`[{"n":1}]`).press("enter").sees("What are the items in two?")
	d.typed(`[{"n":2},{"n":3}]`).press("enter").sees("SUCCEEDED")
	if got := value.Compact(s.Output()); got != `[{"n":1},{"n":2},{"n":3}]` {
		t.Errorf("the output is %s", got)
	}
}
