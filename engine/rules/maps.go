package rules

import "asldb/engine/source"

// The rules about Map states.
const (
	InlineMap = "needs-distributed-map"
	Unbounded = "map-without-bound"
)

func mapRules() []Rule {
	return []Rule{
		{
			Name: InlineMap, Severity: source.Warning, Section: "Developer guide: Map state processing modes",
			Summary:     "ItemReader, ItemBatcher, ResultWriter and Label need a Map in DISTRIBUTED mode.",
			Explanation: "An inline Map reads its items from its input and returns its results as output.",
			Wrong:       mapOver(`"ItemBatcher": {"MaxItemsPerBatch": 10}`),
			Right: one(`"Type": "Map", "End": true, "ItemBatcher": {"MaxItemsPerBatch": 10},
          "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
            "StartAt": "I", "States": {"I": {"Type": "Pass", "End": true}}}`),
		}, {
			Name: Unbounded, Severity: source.Hint, Section: "States Language: Map State, MaxConcurrency",
			Summary:     "A Map of tasks should have MaxConcurrency.",
			Explanation: "Without it, as many iterations run concurrently as the service allows: 40 inline, 10,000 distributed. That may be too many for the services that the tasks call.",
			Wrong: one(`"Type": "Map", "End": true, "ItemProcessor": {"StartAt": "I", "States": {
          "I": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "End": true}}}`),
			Right: one(`"Type": "Map", "End": true, "MaxConcurrency": 10, "ItemProcessor": {"StartAt": "I", "States": {
          "I": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "End": true}}}`),
		},
	}
}
