package main

import (
	"flag"
	"os"
	"slices"
	"testing"

	"asldb/engine/services"
)

var updateSmall = flag.Bool("update", false, "write the small table of the tests of engine/services")

func small() []Source {
	low, half, many := -1.0, 0.5, 9.3e18
	text := &services.Shape{Kind: services.String}
	blob := &services.Shape{Kind: services.Blob}
	word := &services.Shape{Kind: services.String, Enum: []string{"B", "A"}}
	node := &services.Shape{Kind: services.Structure}
	node.Members = []services.Member{
		{Model: "next", Shape: node},
		{Model: "ratio", Shape: &services.Shape{Kind: services.Float, Min: &low, Max: &half}, Required: true},
		{Model: "size", Shape: &services.Shape{Kind: services.Integer, Max: &many}},
		{Model: "words", Shape: &services.Shape{Kind: services.List, Item: word}},
		{Model: "tags", Shape: &services.Shape{Kind: services.Map, Key: text, Item: blob}},
	}
	return []Source{
		{ID: "Other", Date: "2024-07"},
		{
			ID: "My Service", Date: "2026-11-10", Aliases: []string{"mine"}, Errors: []string{"Rare"},
			Operations: []SourceOperation{
				{Name: "PutIt", Input: node, Errors: []string{"TooBadFault"}}, {Name: "GetIt", Output: node},
			},
		},
	}
}

// TestWrite writes a small table, which the tests of engine/services read too; -update writes it there.
func TestWrite(t *testing.T) {
	file, err := writeTable(small())
	if err != nil {
		t.Fatal(err)
	}
	again, _ := writeTable(small())
	if string(again) != string(file) {
		t.Error("the same services give other bytes")
	}
	name := "../../engine/services/testdata/small.bin"
	if *updateSmall {
		if err := os.WriteFile(name, file, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if kept, err := os.ReadFile(name); err != nil || string(kept) != string(file) {
		t.Errorf("%s is another table (%v)", name, err)
	}
	table, err := services.Read(string(file))
	if err != nil {
		t.Fatal(err)
	}
	if names := slices.Collect(table.Names()); !slices.Equal(names, []string{"my", "other"}) ||
		table.Nearest("MINE") != "my" {
		t.Errorf("names %v, mine is %q", names, table.Nearest("MINE"))
	}
	if other, found := table.Find("other"); !found || other.Date != "July 2024" {
		t.Errorf("%+v", other)
	}
	s, found := table.Find("my")
	if !found || s.Date != "November 2026" ||
		!slices.Contains(s.Errors(), services.Error{Name: "RareException", Model: "Rare"}) {
		t.Errorf("%+v", s)
	}
	if len(s.Operations) != 2 || s.Operations[0].Name != "getIt" || s.Operations[0].Input != nil {
		t.Fatalf("%+v", s)
	}
	put := s.Operations[1]
	errs := []services.Error{{Name: "TooBadException", Model: "TooBadFault"}}
	if put.Output != nil || !slices.Equal(put.Errors, errs) || put.Input != s.Operations[0].Output {
		t.Errorf("%+v", put)
	}
	member := func(name string) *services.Shape {
		m, found := put.Input.Member(name)
		if !found {
			t.Fatal(name)
		}
		return m.Shape
	}
	if member("Next") != put.Input || *member("Ratio").Min != -1 || *member("Ratio").Max != 0.5 ||
		*member("Size").Max != 9.3e18 || member("Size").Min != nil {
		t.Errorf("%+v", put.Input)
	}
	if !slices.Equal(member("Words").Item.Enum, []string{"B", "A"}) ||
		member("Tags").Item.Kind != services.Blob || member("Tags").Key.Kind != services.String {
		t.Errorf("%+v", put.Input)
	}
	if m, _ := put.Input.Member("Ratio"); !m.Required {
		t.Error("ratio is required")
	}
	if _, err := writeTable([]Source{{ID: "A"}, {ID: "A"}}); err == nil {
		t.Error("a service twice")
	}
	if services.Structure.String() != "structure" {
		t.Error(services.Structure)
	}
}
