package dialog

import (
	"fmt"
	"strings"
	"testing"

	"asldb/engine/value"
	"asldb/tui/keys"
)

// large is a document of about five megabytes.
func large() value.Value {
	var b strings.Builder
	b.WriteString(`{"lines":[`)
	for i := range 42_000 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"sku":"SKU-%08d","name":"An article with a name","quantity":%d,"price":%d.95,"tags":["a","b"]}`, i, i%9, i%400)
	}
	return value.Must(b.String() + `]}`)
}

func BenchmarkOpenLargeDocument(b *testing.B) {
	data := large()
	b.ReportAllocs()
	for b.Loop() {
		NewEdit(nil, EditFacts{Data: data})
	}
}

func BenchmarkTypeIntoLargeDocument(b *testing.B) {
	d := NewEdit(nil, EditFacts{Data: large()})
	b.ReportAllocs()
	for b.Loop() {
		d.Handle(keys.Press{Name: "x", Text: "x"})
	}
}
