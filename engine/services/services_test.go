package services

import (
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestTable reads every service of the embedded table.
func TestTable(t *testing.T) {
	if len(file) > 2_000_000 {
		t.Errorf("the table has %d bytes, more than two million", len(file))
	}
	all, err := Read(file)
	if err != nil {
		t.Fatal(err)
	}
	list, operations := 0, 0
	for name := range all.Names() {
		s, found := all.Find(name)
		if !found {
			t.Fatalf("%s cannot be read", name)
		}
		list++
		operations += len(s.Operations)
		seen := make(map[*Shape]bool)
		for i := range s.Operations {
			o := &s.Operations[i]
			if o.Name == "" || strings.ToLower(o.Name[:1]) != o.Name[:1] {
				t.Errorf("%s: action %q", name, o.Name)
			}
			whole(t, name+":"+o.Name, o.Input, seen)
			whole(t, name+":"+o.Name, o.Output, seen)
			for _, e := range o.Errors {
				if !strings.HasSuffix(e.Name, "Exception") || e.Model == "" {
					t.Errorf("%s:%s: error %q", name, o.Name, e.Name)
				}
			}
		}
	}
	if list != 387 || operations != 16695 {
		t.Errorf("%d services with %d operations, there are 387 with 16695 in the models and modules", list, operations)
	}
}

// whole checks that no part of a shape is missing.
func whole(t *testing.T, where string, s *Shape, seen map[*Shape]bool) {
	if s == nil || seen[s] {
		return
	}
	seen[s] = true
	if (s.Item == nil) != (s.Kind != List && s.Kind != Map) || (s.Key == nil) != (s.Kind != Map) {
		t.Errorf("%s: a %s without its parts", where, s.Kind)
	}
	whole(t, where, s.Key, seen)
	whole(t, where, s.Item, seen)
	for i := range s.Members {
		m := &s.Members[i]
		if m.Name == "" || m.Shape == nil {
			t.Errorf("%s: member %q has no shape", where, m.Model)
		}
		whole(t, where, m.Shape, seen)
	}
}

// TestNames compares names with the names of the clients and classes of the AWS SDK for Java 2.
func TestNames(t *testing.T) {
	for id, want := range map[string]string{
		"DynamoDB": "DynamoDb", "S3": "S3", "SFN": "Sfn", "EC2": "Ec2",
		"Cognito Identity Provider": "CognitoIdentityProvider",
		"CloudWatch Logs":           "CloudWatchLogs", "Config Service": "Config",
		"Database Migration Service": "DatabaseMigration",
		"Elasticsearch Service":      "Elasticsearch", "SESv2": "SesV2", "WAFV2": "Wafv2", "Route 53": "Route53",
		"XRay": "XRay",
		"FSx":  "FSx", "MTurk": "MTurk", "IoT": "Iot", "IoTSiteWise": "IoTSiteWise", "IoT Data Plane": "IotDataPlane",
		"IoT 1Click Devices Service": "Iot1ClickDevices", "DocDB": "DocDb", "EMR containers": "EmrContainers",
		"ACM PCA":    "AcmPca",
		"OpsWorksCM": "OpsWorksCm", "ApiGatewayV2": "ApiGatewayV2", "b2bi": "B2Bi",
		"codestar notifications": "CodestarNotifications",
	} {
		if got := prefixOf(id); got != want {
			t.Errorf("prefix of %q: %q, want %q", id, got, want)
		}
	}
	for name, want := range map[string]string{
		"DBInstanceIdentifier": "DbInstanceIdentifier", "SSEKMSKeyId": "SsekmsKeyId", "ETag": "ETag",
		"launchType": "LaunchType",
		"TableName":  "TableName", "ACL": "Acl", "MD5OfMessageBody": "Md5OfMessageBody", "S": "S", "NULL": "Null",
	} {
		if got := memberOf(name); got != want {
			t.Errorf("member %q: %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]string{
		"NoSuchKey": "NoSuchKeyException", "DBInstanceNotFoundFault": "DbInstanceNotFoundException",
		"ConditionalCheckFailedException": "ConditionalCheckFailedException",
		"InternalServerError":             "InternalServerErrorException",
		"EC2ThrottledException":           "Ec2ThrottledException",
	} {
		if got := errorOf(name); got != want {
			t.Errorf("error %q: %q, want %q", name, got, want)
		}
	}
	if got := actionOf("StopDBInstance"); got != "stopDBInstance" {
		t.Error(got)
	}
	if Capitalized("") != "" {
		t.Error("an empty name")
	}
}

func TestOperation(t *testing.T) {
	s, found := Find("dynamodb")
	if !found || s.ID != "DynamoDB" || s.Prefix != "DynamoDb" || s.BaseError() != "DynamoDb.DynamoDbException" {
		t.Fatalf("dynamodb: %v %+v", found, s)
	}
	o, found := s.Operation("getItem")
	if !found {
		t.Fatal("no getItem")
	}
	if m, found := o.Input.Member("TableName"); !found || !m.Required || m.Shape.Kind != String || m.Shape.Min == nil ||
		*m.Shape.Min != 1 || *m.Shape.Max != 1024 {
		t.Errorf("TableName: %v %+v", found, m)
	}
	if m, found := o.Input.Member("ReturnConsumedCapacity"); !found || m.Required ||
		!slices.Equal(m.Shape.Enum, []string{"INDEXES", "TOTAL", "NONE"}) {
		t.Errorf("ReturnConsumedCapacity: %v %+v", found, m)
	}
	item, _ := o.Output.Member("Item")
	if item == nil || item.Shape.Kind != Map || item.Shape.Item.Kind != Structure {
		t.Fatalf("Item: %+v", item)
	}
	list, _ := item.Shape.Item.Member("L") // attribute values contain themselves
	if list == nil || list.Shape.Kind != List || list.Shape.Item != item.Shape.Item {
		t.Errorf("L: %+v", list)
	}
	if _, found := o.Input.Member("Tablename"); found {
		t.Error("member names have a letter case")
	}
	if !slices.ContainsFunc(o.Errors, func(e Error) bool { return e.Name == "ResourceNotFoundException" }) {
		t.Errorf("errors of getItem: %v", o.Errors)
	}
	if !slices.Contains(s.Errors(), Error{"ConditionalCheckFailedException", "ConditionalCheckFailedException"}) {
		t.Error("errors of the service")
	}
	if _, found := s.Operation("getitem"); found {
		t.Error("actions have a letter case")
	}
	// The SDK makes up idempotency tokens.
	sfn, _ := Find("fis")
	start, _ := sfn.Operation("startExperiment")
	if m, found := start.Input.Member("ClientToken"); !found || m.Required {
		t.Errorf("ClientToken: %v %+v", found, m)
	}
	if _, found := Find("nosuchservice"); found {
		t.Error("a service that there is not")
	}
}

// TestNewer has facts of modules that are newer than the old models, beside facts that the old models alone have. What
// follows is in the models that AWS publishes, or in the developer guide.
func TestNewer(t *testing.T) {
	for name, want := range map[string]string{"lambda": "November 2026", "sfn": "May 2026", "batch": "July 2024"} {
		if s, found := Find(name); !found || s.Date != want || Dated(name) != "models of "+want {
			t.Errorf("%s is of %v, want %s; %s", name, s, want, Dated(name))
		}
	}
	if got := Dated("nosuchservice"); got != "models of July 2024 to November 2026" {
		t.Errorf("a service that there is not: %s", got)
	}
	required, text := true, of(String)
	for place, want := range map[string]Member{
		"bedrockagentcore:invokeHarness HarnessArn": {Model: "harnessArn", Required: required,
			Shape: text}, // a new service
		"sfn:testState Mock": {Model: "mock",
			Shape: of(Structure)}, // no schemas
		"s3:putObject IfNoneMatch":   {Model: "IfNoneMatch", Shape: text},
		"ecs:runTask ClientToken":    {Model: "clientToken", Shape: text}, // the SDK makes it up
		"ecs:runTask TaskDefinition": {Model: "taskDefinition", Required: required, Shape: text},
		"ecs:runTask Overrides":      {Model: "overrides", Shape: of(Structure)},
		"kms:encrypt Plaintext": {
			Model: "Plaintext", Required: required, Shape: &Shape{Kind: Blob, Min: number(1), Max: number(4096)},
		},
		"bedrockruntime:converse AdditionalModelRequestFields": {Model: "additionalModelRequestFields", Shape: of(Any)},
	} {
		operation, name, _ := strings.Cut(place, " ")
		call, _ := CallOf("arn:aws:states:::aws-sdk:" + operation)
		if call.Operation == nil {
			t.Errorf("there is no %s", operation)
			continue
		}
		m, found := call.Operation.Input.Member(name)
		if !found || m.Model != want.Model || m.Required != want.Required || m.Shape.Kind != want.Shape.Kind ||
			!same(m.Shape.Min, want.Shape.Min) || !same(m.Shape.Max, want.Shape.Max) {
			t.Errorf("%s: %v %+v", place, found, m)
		}
	}
	// An error that a module names, and no operation.
	s3, _ := Find("s3")
	if !slices.ContainsFunc(s3.Errors(), func(e Error) bool { return e.Name == "AccessDeniedException" }) {
		t.Error("s3 raises no AccessDenied")
	}
}

func number(f float64) *float64 { return &f }

func same(a, b *float64) bool { return (a == nil) == (b == nil) && (a == nil || *a == *b) }

func TestNearest(t *testing.T) {
	for name, want := range map[string]string{
		"dynamdb": "dynamodb", "DynamoDB": "dynamodb", "cognito-idp": "cognitoidentityprovider",
		"logs":   "cloudwatchlogs",
		"states": "sfn", "stepfunctions": "sfn", "events": "eventbridge",
		"cognitoidentityprovidr": "cognitoidentityprovider", "s3": "",
		// There are such services, newer than the table.
		"evs": "", "pcs": "", "dsql": "", "s3tables": "", "connectcampaignsv2": "", "bedrockagentcore": "",
		"networkflowmonitor": "", "signin": "",
	} {
		if got := Nearest(name); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", name, got, want)
		}
	}
	s, _ := Find("s3")
	for action, want := range map[string]string{
		"getObjet": "getObject", "listObjectV2": "listObjectsV2", "GetObject": "getObject", "listObjectsV3": "",
		"frobnicate": "",
	} {
		if got := s.Nearest(action); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", action, got, want)
		}
	}
}

// TestConcurrent reads services from several goroutines: all see the same one.
func TestConcurrent(t *testing.T) {
	all, err := Read(file)
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	got := make([]*Service, 8)
	for i := range got {
		wait.Go(func() { got[i], _ = all.Find([]string{"sqs", "sns"}[i%2]) })
	}
	wait.Wait()
	for i, s := range got {
		if s == nil || s != got[i%2] {
			t.Errorf("number %d: %v", i, s)
		}
	}
}

// TestDamaged changes and cuts a file everywhere: it is refused, or a service of it is not found, and nothing panics.
func TestDamaged(t *testing.T) {
	small, err := os.ReadFile("testdata/small.bin") // the test of the writer in scripts/services makes it
	if err != nil {
		t.Fatal(err)
	}
	file := string(small)
	for i := range file {
		if _, err := Read(file[:i]); !errors.Is(err, errDamaged) {
			t.Errorf("cut at %d: %v", i, err)
		}
		for _, bit := range []byte{1, 0x80} {
			changed := []byte(file)
			changed[i] ^= bit
			if table, err := Read(string(changed)); err == nil {
				for name := range table.Names() {
					table.Find(name)
				}
			}
		}
	}
	data, err := unpack(blockText(t, file))
	if err != nil {
		t.Fatal(err)
	}
	for i := range len(data) {
		for _, c := range []byte{0, 0x7f, 0xff} {
			changed := []byte(data)
			changed[i] = c
			readBlock("My", string(changed))
		}
		if _, err := readBlock("My", data[:i]); err == nil {
			t.Errorf("a service cut at %d is read", i)
		}
	}
}

func blockText(t *testing.T, file string) string {
	t.Helper()
	table, err := Read(file)
	if err != nil {
		t.Fatal(err)
	}
	return table.byName["my"].block
}
