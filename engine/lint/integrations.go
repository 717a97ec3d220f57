package lint

import (
	"maps"
	"slices"
)

// The patterns of integrations besides request and response.
const (
	sync  = ".sync"
	sync2 = ".sync:2"
	token = ".waitForTaskToken"
)

// integrations has the optimized integrations: by service and action, the patterns they have besides request and
// response (developer guide, "Integrating services"). The table is never changed.
var integrations = map[string]map[string][]string{
	"lambda":     {"invoke": {token}},
	"batch":      {"submitJob": {sync}},
	"dynamodb":   {"getItem": nil, "putItem": nil, "updateItem": nil, "deleteItem": nil},
	"ecs":        {"runTask": {sync, token}},
	"sns":        {"publish": {token}},
	"sqs":        {"sendMessage": {token}},
	"glue":       {"startJobRun": {sync}},
	"databrew":   {"startJobRun": {sync}},
	"events":     {"putEvents": {token}},
	"apigateway": {"invoke": {token}},
	"http":       {"invoke": nil},
	"states":     {"startExecution": {sync, sync2, token}},
	"athena": {
		"startQueryExecution": {sync}, "stopQueryExecution": nil, "getQueryExecution": nil, "getQueryResults": nil,
	},
	"bedrock":      {"invokeModel": nil, "createModelCustomizationJob": {sync}},
	"mediaconvert": {"createJob": {sync}},
	"codebuild": {
		"startBuild": {sync}, "stopBuild": nil, "batchDeleteBuilds": nil, "batchGetReports": nil,
		"startBuildBatch": {sync}, "stopBuildBatch": nil, "retryBuildBatch": {sync}, "deleteBuildBatch": nil,
	},
	"sagemaker": {
		"createEndpoint": nil, "createEndpointConfig": nil, "updateEndpoint": nil, "createModel": nil,
		"createHyperParameterTuningJob": {sync}, "createLabelingJob": {sync}, "createProcessingJob": {sync},
		"createTrainingJob": {sync}, "createTransformJob": {sync},
	},
	"elasticmapreduce": {
		"createCluster": {sync}, "terminateCluster": {sync}, "addStep": {sync}, "cancelStep": nil,
		"setClusterTerminationProtection": nil, "modifyInstanceFleetByName": nil, "modifyInstanceGroupByName": nil,
	},
	"emr-containers": {"createVirtualCluster": nil, "deleteVirtualCluster": {sync}, "startJobRun": {sync}},
	"emr-serverless": {
		"createApplication": {sync}, "startApplication": {sync}, "stopApplication": {sync}, "deleteApplication": {sync},
		"startJobRun": {sync}, "cancelJobRun": {sync},
	},
	"eks": {
		"createCluster": {sync}, "deleteCluster": {sync}, "createNodegroup": {sync}, "deleteNodegroup": {sync},
		"createFargateProfile": {sync}, "deleteFargateProfile": {sync}, "runJob": {sync}, "call": nil,
	},
}

// names returns the keys of a table in their order.
func names[V any](table map[string]V) []string { return slices.Sorted(maps.Keys(table)) }
