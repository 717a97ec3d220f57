package rules

import "asldb/engine/source"

// The rules that need the table of services.
const (
	UnknownAction       = "unknown-sdk-action"
	NotInTable          = "not-in-service-table"
	UnknownParameter    = "unknown-parameter"
	MissingParameter    = "missing-parameter"
	ParameterType       = "parameter-type"
	UnknownServiceError = "unknown-service-error"
)

func serviceRules() []Rule {
	const section = "Developer guide: AWS SDK service integrations"
	call := func(action, more string) string {
		return one(`"Type": "Task", "Resource": "arn:aws:states:::aws-sdk:` + action + `", "End": true` + more)
	}
	return []Rule{
		{
			Name: UnknownAction, Severity: source.Warning, Section: section,
			Summary:     "The AWS SDK has no such service or action, but a similar one.",
			Explanation: "Services are named as the AWS SDK for Java 2 names its clients, in small letters (sfn, cloudwatchlogs, cognitoidentityprovider); actions begin with a small letter. asldb's table of services has the date of each one's models (asldb services): a newer name may be right.",
			Wrong:       call("s3:getObjet", ""),
			Right:       call("s3:getObject", ""),
		}, {
			Name: NotInTable, Severity: source.Hint, Section: section,
			Summary:     "The service, action or parameter is not in asldb's table, and not checked.",
			Explanation: "Services get new actions every week, so the name may be right.",
			Wrong:       call("s3:frobnicateBucket", ""),
			Right:       call("s3:listBuckets", ""),
		}, {
			Name: UnknownParameter, Severity: source.Warning, Section: section,
			Summary:     "The operation has no such parameter: it has a similar one, or is an optimized integration.",
			Explanation: "Parameters of the AWS SDK begin with a capital letter, whatever the service's own spelling, and an abbreviation before another word has only one: DbInstanceIdentifier, not DBInstanceIdentifier. Step Functions rejects unknown parameters.",
			Wrong:       call("rds:stopDBInstance", `, "Parameters": {"DBInstanceIdentifier": "orders"}`),
			Right:       call("rds:stopDBInstance", `, "Parameters": {"DbInstanceIdentifier": "orders"}`),
		}, {
			Name: MissingParameter, Severity: source.Warning, Section: section,
			Summary:     "A required parameter of the operation is missing.",
			Explanation: "The service rejects the call, and the state fails. A state without Parameters or Arguments sends its input, which is not checked.",
			Wrong:       call("s3:getObject", `, "Parameters": {"Bucket": "orders"}`),
			Right:       call("s3:getObject", `, "Parameters": {"Bucket": "orders", "Key.$": "$.key"}`),
		}, {
			Name: ParameterType, Severity: source.Warning, Section: section,
			Summary:     "A parameter has the wrong type.",
			Explanation: "Step Functions rejects it at run time: \"The value for the field 'N' must be a STRING\". Only constants are checked. DynamoDB's numbers are strings: {\"N\": \"5\"}.",
			Wrong:       call("dynamodb:getItem", `, "Parameters": {"TableName": "orders", "Key": {"id": {"N": 5}}}`),
			Right:       call("dynamodb:getItem", `, "Parameters": {"TableName": "orders", "Key": {"id": {"N": "5"}}}`),
		}, {
			Name: UnknownServiceError, Severity: source.Warning, Section: "Developer guide: Error names",
			Summary:     "A retrier or catcher names an error that the service does not have.",
			Explanation: "It matches nothing. Errors of the AWS SDK are SERVICE.NAME, where NAME ends in Exception (S3.NoSuchKeyException) and SERVICE is written as the client of the AWS SDK for Java 2 (DynamoDb, Sfn). Errors that no model names come as SERVICE.SERVICEException (S3.S3Exception).",
			Wrong:       call("s3:headObject", `, "Retry": [{"ErrorEquals": ["S3.NoSuchKey"]}]`),
			Right:       call("s3:headObject", `, "Retry": [{"ErrorEquals": ["S3.NoSuchKeyException"]}]`),
		},
	}
}
