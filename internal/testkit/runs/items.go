package runs

import (
	"testing"

	"asldb/engine/asl"
	"asldb/engine/items"
	"asldb/engine/value"
)

// ReadItems begins to read the items of an object.
func ReadItems(t testing.TB, config asl.ReaderConfig, limit int64) *items.Reading {
	t.Helper()
	r, err := items.Start(&config, items.Object{Action: items.GetObject, Bucket: "b", Key: "k"}, limit)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// ItemsOf returns the items of one object with this content, as JSON.
func ItemsOf(t testing.TB, config asl.ReaderConfig, limit int64, body string) (string, error) {
	t.Helper()
	r := ReadItems(t, config, limit)
	if err := r.Add([]byte(body)); err != nil {
		return "", err
	}
	if object, more := r.Next(); more {
		t.Fatalf("it needs %v besides", object)
	}
	return value.Compact(r.Items()), nil
}

// NeedsObject checks which object is read next, and gives its content.
func NeedsObject(t testing.TB, r *items.Reading, want items.Object, body string) {
	t.Helper()
	if got, ok := r.Next(); !ok || got != want {
		t.Fatalf("it needs %v (%v), want %v", got, ok, want)
	}
	if err := r.Add([]byte(body)); err != nil {
		t.Fatal(err)
	}
}
