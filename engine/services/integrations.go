package services

import "slices"

// The patterns of an integration besides request and response, as suffixes of its action.
const (
	Sync  = ".sync"             // run a job
	Sync2 = ".sync:2"           // run a job whose input and output are JSON values
	Token = ".waitForTaskToken" // wait for a callback
)

// integration is an action of an optimized integration, with everything in which it differs from the operation of the same
// name.
type integration struct {
	service, action string
	patterns        []string // besides request and response
	disputed        bool     // the guide's pages do not agree with its table whether the action takes a task token
	// operation is SERVICE:ACTION in the table of services: "" where its names are the integration's, "-" where
	// there is none with the same parameters.
	operation string
	// own makes the result where it is not the operation's.
	own func() *Shape
	// polls is the operation (SERVICE:ACTION) that .sync calls until the job has ended. top is the member of its answer that
	// is the result (of a list, an item), "." for the whole answer, "=" where the result has the shape of the answer to the
	// first call, "" where it is not known.
	polls, top string
	// documents are the members of the result that hold JSON: as values, but with .sync as text.
	documents []string
	// complete: recorded and documented results have no other members.
	complete bool
	// shows and ended are the members of an example of a result, of request and response and of .sync: see [Example].
	shows, ended string
}

var (
	job       = []string{Sync}
	callback  = []string{Token}
	jobOrCall = []string{Sync, Token}
)

// integrations is the table of the optimized integrations (developer guide, "Integrating optimized services"). Results
// come from recorded executions where there are recordings, else from the guide.
var integrations = []integration{
	{service: "lambda", action: "invoke", patterns: callback, documents: []string{"Payload"}, complete: true, shows: "ExecutedVersion=$LATEST Payload StatusCode=200"},
	{service: "dynamodb", action: "getItem", complete: true, shows: "Item.id.S"},
	{service: "dynamodb", action: "putItem", complete: true},
	{service: "dynamodb", action: "updateItem", complete: true},
	{service: "dynamodb", action: "deleteItem", complete: true},
	{service: "sqs", action: "sendMessage", patterns: callback, complete: true, shows: "MD5OfMessageBody MessageId"},
	{service: "sns", action: "publish", patterns: callback, complete: true, shows: "MessageId"},
	{service: "events", action: "putEvents", patterns: callback, operation: "eventbridge:putEvents", complete: true, shows: "Entries.0.EventId FailedEntryCount"},
	{
		service: "states", action: "startExecution", patterns: []string{Sync, Sync2, Token}, operation: "sfn:startExecution",
		polls: "sfn:describeExecution", top: ".", documents: []string{"Input", "Output"}, complete: true, shows: "ExecutionArn StartDate",
		ended: "ExecutionArn Input Name Output StartDate StateMachineArn Status=SUCCEEDED StopDate",
	},
	{service: "apigateway", action: "invoke", patterns: callback, operation: "-", own: restAnswer, complete: true, shows: "ApiEndpoint Headers ResponseBody StatusCode=200 StatusText=OK"},
	{service: "http", action: "invoke", operation: "-", own: webAnswer, complete: true, shows: "ResponseBody StatusCode=200 StatusText=OK Headers"},
	{
		service: "ecs", action: "runTask", patterns: jobOrCall, polls: "ecs:describeTasks", top: "tasks",
		shows: "Failures Tasks.0.TaskArn Tasks.0.LastStatus=PROVISIONING", ended: "TaskArn LastStatus=STOPPED Containers.0.ExitCode",
	},
	{
		service: "batch", action: "submitJob", patterns: job, polls: "batch:describeJobs", top: "jobs",
		shows: "JobArn JobId JobName", ended: "JobArn JobId JobName Status=SUCCEEDED",
	},
	{service: "glue", action: "startJobRun", patterns: job, polls: "glue:getJobRun", top: "JobRun", shows: "JobRunId", ended: "Id JobName JobRunState"},
	{service: "databrew", action: "startJobRun", patterns: job, polls: "databrew:describeJobRun", shows: "RunId"},
	{
		service: "athena", action: "startQueryExecution", patterns: job, polls: "athena:getQueryExecution", top: ".",
		shows: "QueryExecutionId", ended: "QueryExecution.QueryExecutionId QueryExecution.Status.State",
	},
	{service: "athena", action: "stopQueryExecution"},
	{service: "athena", action: "getQueryExecution", shows: "QueryExecution.QueryExecutionId QueryExecution.Status.State"},
	{service: "athena", action: "getQueryResults", shows: "ResultSet.Rows"},
	{service: "bedrock", action: "invokeModel", patterns: callback, disputed: true, operation: "bedrockruntime:invokeModel", documents: []string{"Body"}, shows: "Body ContentType=application/json"},
	{service: "bedrock", action: "createModelCustomizationJob", patterns: jobOrCall, disputed: true, polls: "bedrock:getModelCustomizationJob"},
	{
		service: "bedrockagentcore", action: "invokeHarness", own: harnessAnswer,
		shows: "Output.Message.Content.0.Text Usage.InputTokens Usage.OutputTokens Usage.TotalTokens",
	},
	{service: "mediaconvert", action: "createJob", patterns: job, polls: "mediaconvert:getJob"},
	{service: "codebuild", action: "startBuild", patterns: job, polls: "codebuild:batchGetBuilds", top: "=", shows: "Build.Arn Build.BuildStatus Build.Id", ended: "Build.Arn Build.BuildStatus Build.Id"},
	{service: "codebuild", action: "stopBuild"},
	{service: "codebuild", action: "batchDeleteBuilds"},
	{service: "codebuild", action: "batchGetReports", shows: "Reports"},
	{
		service: "codebuild", action: "startBuildBatch", patterns: job, polls: "codebuild:batchGetBuildBatches", top: "=",
		shows: "BuildBatch.Arn BuildBatch.BuildBatchStatus BuildBatch.Id", ended: "BuildBatch.Arn BuildBatch.BuildBatchStatus BuildBatch.Id",
	},
	{service: "codebuild", action: "stopBuildBatch"},
	{service: "codebuild", action: "retryBuildBatch", patterns: job, polls: "codebuild:batchGetBuildBatches", top: "="},
	{service: "codebuild", action: "deleteBuildBatch"},
	{service: "sagemaker", action: "createEndpoint"},
	{service: "sagemaker", action: "createEndpointConfig"},
	{service: "sagemaker", action: "updateEndpoint"},
	{service: "sagemaker", action: "createModel"},
	{service: "sagemaker", action: "createHyperParameterTuningJob", patterns: job, polls: "sagemaker:describeHyperParameterTuningJob", top: "."},
	{service: "sagemaker", action: "createLabelingJob", patterns: job, polls: "sagemaker:describeLabelingJob", top: "."},
	{service: "sagemaker", action: "createProcessingJob", patterns: job, polls: "sagemaker:describeProcessingJob", top: "."},
	{service: "sagemaker", action: "createTrainingJob", patterns: job, polls: "sagemaker:describeTrainingJob", top: ".", ended: "TrainingJobName TrainingJobStatus=Completed ModelArtifacts.S3ModelArtifacts"},
	{service: "sagemaker", action: "createTransformJob", patterns: job, polls: "sagemaker:describeTransformJob", top: "."},
	{service: "elasticmapreduce", action: "createCluster", patterns: job, operation: "-", own: clusterAnswer, polls: "emr:describeCluster", top: "=", shows: "ClusterId", ended: "ClusterId Cluster.Id"},
	{service: "elasticmapreduce", action: "terminateCluster", patterns: job, operation: "-", polls: "emr:describeCluster"},
	{service: "elasticmapreduce", action: "addStep", patterns: job, operation: "-", own: stepAnswer, polls: "emr:describeStep", top: "=", shows: "StepId", ended: "Step.Id Step.Status.State=COMPLETED"},
	{service: "elasticmapreduce", action: "cancelStep", operation: "-", own: cancelAnswer, shows: "CancelStepsInfo.StepId CancelStepsInfo.Status"},
	{service: "elasticmapreduce", action: "setClusterTerminationProtection", operation: "-"},
	{service: "elasticmapreduce", action: "modifyInstanceFleetByName", operation: "-"},
	{service: "elasticmapreduce", action: "modifyInstanceGroupByName", operation: "-"},
	{service: "emr-containers", action: "createVirtualCluster", operation: "emrcontainers:createVirtualCluster", shows: "Arn Id Name"},
	{service: "emr-containers", action: "deleteVirtualCluster", patterns: job, operation: "emrcontainers:deleteVirtualCluster", polls: "emrcontainers:describeVirtualCluster", shows: "Id"},
	{service: "emr-containers", action: "startJobRun", patterns: job, operation: "emrcontainers:startJobRun", polls: "emrcontainers:describeJobRun", shows: "Arn Id Name VirtualClusterId"},
	{service: "emr-serverless", action: "createApplication", patterns: job, operation: "emrserverless:createApplication", polls: "emrserverless:getApplication"},
	{service: "emr-serverless", action: "startApplication", patterns: job, operation: "emrserverless:startApplication", polls: "emrserverless:getApplication"},
	{service: "emr-serverless", action: "stopApplication", patterns: job, operation: "emrserverless:stopApplication", polls: "emrserverless:getApplication"},
	{service: "emr-serverless", action: "deleteApplication", patterns: job, operation: "emrserverless:deleteApplication", polls: "emrserverless:getApplication"},
	{service: "emr-serverless", action: "startJobRun", patterns: job, operation: "emrserverless:startJobRun", polls: "emrserverless:getJobRun"},
	{service: "emr-serverless", action: "cancelJobRun", patterns: job, operation: "emrserverless:cancelJobRun", polls: "emrserverless:getJobRun"},
	{service: "eks", action: "createCluster", patterns: jobOrCall, disputed: true, polls: "eks:describeCluster", top: ".", shows: "Cluster.Name Cluster.Status", ended: "Cluster.Name Cluster.Endpoint Cluster.CertificateAuthority.Data Cluster.Status=ACTIVE"},
	{service: "eks", action: "deleteCluster", patterns: jobOrCall, disputed: true, polls: "eks:describeCluster"},
	{service: "eks", action: "createNodegroup", patterns: jobOrCall, disputed: true, polls: "eks:describeNodegroup", top: "."},
	{service: "eks", action: "deleteNodegroup", patterns: jobOrCall, disputed: true, polls: "eks:describeNodegroup"},
	{service: "eks", action: "createFargateProfile", patterns: jobOrCall, disputed: true, polls: "eks:describeFargateProfile", top: "."},
	{service: "eks", action: "deleteFargateProfile", patterns: jobOrCall, disputed: true, polls: "eks:describeFargateProfile"},
	{service: "eks", action: "runJob", patterns: jobOrCall, disputed: true, operation: "-", own: kubernetesJob, top: "="},
	{service: "eks", action: "call", operation: "-", own: kubernetesAnswer, shows: "ResponseBody StatusCode=200"},
}

// unsupported has the actions of the AWS SDK with which Step Functions refuses a definition, by their services: measured ones, and
// those that the developer guide lists ("Supported AWS SDK service integrations", and the release history for services that were
// removed). A service without actions is refused as a whole.
var unsupported = map[string][]string{
	"bedrockruntime": {"converseStream"}, "cloudsearchdomain": nil, "cloudwatchlogs": {"startLiveTail"},
	"comprehendmedical": {"detectEntities"}, "efs": {"createTags"}, "elastictranscoder": nil, "emr": {"describeJobFlows"},
	"iotdeviceadvisor": {"listTestCases"}, "iotjobsdata": nil, "kinesis": {"subscribeToShard"},
	"lambda": {"invokeAsync", "invokeWithResponseStream"}, "lexmodelbuilding": nil, "lexruntime": nil, "lexruntimev2": {"startConversation"},
	"mediapackage": {"rotateChannelCredentials"}, "mediastoredata": nil, "qldb": nil, "qldbsession": nil, "rdsdata": {"executeSql"},
	"robomaker": nil, "s3": {"selectObjectContent"}, "shield": {"deleteSubscription"}, "sts": {"assumeRole"}, "worklink": nil,
}

// sdkDocuments has the members of the results of SDK integrations that hold JSON as text, by SERVICE:ACTION.
var sdkDocuments = map[string][]string{
	"lambda:invoke": {"Payload"}, "bedrockruntime:invokeModel": {"Body"},
	"sfn:describeExecution": {"Input", "Output"}, "sfn:startSyncExecution": {"Input", "Output"}, "sfn:getActivityTask": {"Input"},
	"sfn:describeStateMachine": {"Definition"},
}

// sdkShows has the members of examples of the results of SDK integrations, by SERVICE:ACTION.
var sdkShows = map[string]string{
	"lambda:invoke": "ExecutedVersion=$LATEST Payload={} StatusCode=200", "dynamodb:getItem": "Item.id.S",
	"dynamodb:query": "Count Items ScannedCount", "dynamodb:scan": "Count Items ScannedCount",
	"s3:getObject": "Body ContentLength ContentType=application/json ETag", "s3:putObject": "ETag", "s3:listObjectsV2": "Contents IsTruncated=false KeyCount",
}

// integrationOf returns the row of an optimized integration, nil where there is none.
func integrationOf(service, action string) *integration {
	for i := range integrations {
		if row := &integrations[i]; row.service == service && row.action == action {
			return row
		}
	}
	return nil
}

// OptimizedServices returns the services that have optimized integrations, sorted.
func OptimizedServices() []string {
	var list []string
	for i := range integrations {
		list = append(list, integrations[i].service)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// OptimizedActions returns the actions of a service's optimized integration, sorted; empty where it has none.
func OptimizedActions(service string) []string {
	var list []string
	for i := range integrations {
		if integrations[i].service == service {
			list = append(list, integrations[i].action)
		}
	}
	slices.Sort(list)
	return list
}

// The results that no operation has. Their names are as they are written.

func structureOf(members ...Member) *Shape { return &Shape{Kind: Structure, Members: members} }

func has(name string, shape *Shape) Member { return Member{Name: name, Model: name, Shape: shape} }

func listOf(item *Shape) *Shape { return &Shape{Kind: List, Item: item} }

func mapOf(item *Shape) *Shape { return &Shape{Kind: Map, Key: &Shape{Kind: String}, Item: item} }

func of(kind Kind) *Shape { return &Shape{Kind: kind} }

// webAnswer is that to a request by HTTP. A header is a list of texts, but some that were recorded are a text.
func webAnswer() *Shape {
	return structureOf(has("Headers", mapOf(of(Any))), has("ResponseBody", of(Any)), has("StatusCode", of(Integer)), has("StatusText", of(String)))
}

// restAnswer is the answer of API Gateway.
func restAnswer() *Shape {
	s := webAnswer()
	s.Members = append(s.Members, has("ApiEndpoint", of(String)))
	return s
}

func harnessAnswer() *Shape {
	content := listOf(structureOf(has("Text", of(String))))
	return structureOf(
		has("Output", structureOf(has("Message", structureOf(has("Content", content), has("Role", of(String)))))),
		has("Usage", structureOf(has("InputTokens", of(Integer)), has("OutputTokens", of(Integer)), has("TotalTokens", of(Integer)))),
		has("StopReason", of(String)),
	)
}

// clusterAnswer is the answer of elasticmapreduce:createCluster; Cluster is there when it has waited.
func clusterAnswer() *Shape {
	return structureOf(has("ClusterId", of(String)), has("ClusterArn", of(String)), has("Cluster", described("emr", "describeCluster", "Cluster")))
}

// stepAnswer is the answer of elasticmapreduce:addStep; Step is there when it has waited.
func stepAnswer() *Shape {
	return structureOf(has("StepId", of(String)), has("Step", described("emr", "describeStep", "Step")))
}

func cancelAnswer() *Shape {
	return structureOf(has("CancelStepsInfo", structureOf(has("StepId", of(String)), has("Status", of(String)), has("Reason", of(String)))))
}

// kubernetesJob is the answer of eks:runJob.sync, with the logs where LogOptions asks for them.
func kubernetesJob() *Shape {
	containers := mapOf(structureOf(has("log", of(Any))))
	return structureOf(has("status", of(Any)), has("logs", structureOf(has("pods", mapOf(structureOf(has("containers", containers)))))))
}

func kubernetesAnswer() *Shape {
	return structureOf(has("ResponseBody", of(Any)), has("StatusCode", of(Integer)), has("Headers", of(Any)))
}

// described returns the shape of a member of an operation's answer.
func described(service, action, member string) *Shape {
	if s, found := Find(service); found {
		if o, found := s.Operation(action); found && o.Output != nil {
			if m, found := o.Output.Member(member); found {
				return m.Shape
			}
		}
	}
	return of(Any)
}
