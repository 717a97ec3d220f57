package rules

import "asldb/engine/source"

// The rules about Map states.
const (
	InlineMap = "needs-distributed-map"
	Unbounded = "map-without-bound"
	// ReaderConfig: fields of an ItemReader that contradict each other, or have no effect together.
	ReaderConfig = "reader-config-mismatch"
)

func mapRules() []Rule {
	return []Rule{
		{
			Name: InlineMap, Severity: source.Warning, Section: "Developer guide: Map state processing modes",
			Summary:     "ItemReader, ItemBatcher, ResultWriter and Label need a Map in DISTRIBUTED mode.",
			Explanation: "An inline Map reads its items from its input and returns its results as output. Step Functions creates a state machine with these fields; the state then fails with States.Runtime when it runs, as it does here.",
			Wrong:       mapOver(`"ItemBatcher": {"MaxItemsPerBatch": 10}`),
			Right: one(`"Type": "Map", "End": true, "ItemBatcher": {"MaxItemsPerBatch": 10},
          "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
            "StartAt": "I", "States": {"I": {"Type": "Pass", "End": true}}}`),
		}, {
			Name: ReaderConfig, Severity: source.Warning, Section: "Developer guide: ItemReader (Map), Contents of the ItemReader field",
			Summary:     "The fields of an ItemReader must go together.",
			Explanation: "The fields CSVHeaderLocation, CSVHeaders and CSVDelimiter are read for the InputType CSV only, ItemsPointer for JSON only, and Transformation for s3:listObjectsV2 only. The InputType CSV needs CSVHeaderLocation; LOAD_AND_FLATTEN and the manifests of Athena need InputType. Step Functions refuses a part of these combinations, which are errors then.",
			Wrong:       readerOf(`"InputType": "JSON", "CSVHeaderLocation": "FIRST_ROW"`),
			Right:       readerOf(`"InputType": "CSV", "CSVHeaderLocation": "FIRST_ROW"`),
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

// readerOf returns a definition whose ItemReader has a ReaderConfig with the members.
func readerOf(config string) string {
	return one(`"Type": "Map", "End": true,
          "ItemReader": {"Resource": "arn:aws:states:::s3:getObject", "ReaderConfig": {` + config + `},
            "Parameters": {"Bucket": "data", "Key": "items"}},
          "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
            "StartAt": "I", "States": {"I": {"Type": "Pass", "End": true}}}`)
}
