// Holds the example that asldb demo opens: an order with a Choice, a retried Task, a Catch,
// a Wait, a Parallel and a Map, and the results of its tasks. The documentation uses it with more demoFiles: two later versions of the
// definition (the first has an error), suites, and recorded executions.

package definitions

import (
	"embed"
	"io/fs"
)

// The names under which the demoFiles of the example are shown.
const (
	DefinitionName = "order.asl.json"
	FixturesName   = "order.fixtures.yaml"
)

// DemoDefinition is the definition of the example, in JSON.
//
//go:embed order.asl.json
var DemoDefinition []byte

// Fixtures is its fixtures file, with the input.
//
//go:embed order.fixtures.yaml
var Fixtures []byte

//go:embed *.json *.yaml recorded
var demoFiles embed.FS

// Files returns all demoFiles of the example.
func Files() fs.FS { return demoFiles }
