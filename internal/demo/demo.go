// Package demo holds the example that asldb demo opens: an order with a Choice, a retried Task, a Catch,
// a Wait, a Parallel and a Map, and the results of its tasks.
package demo

import _ "embed"

// The names under which the files of the example are shown.
const (
	DefinitionName = "order.asl.json"
	FixturesName   = "order.fixtures.yaml"
)

// Definition is the definition of the example, in JSON.
//
//go:embed order.asl.json
var Definition []byte

// Fixtures is its fixtures file, with the input.
//
//go:embed order.fixtures.yaml
var Fixtures []byte
