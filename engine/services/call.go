package services

import "strings"

// A Call is the operation of a service that the Resource of a Task state names.
type Call struct {
	// Service and Operation are nil where the table does not have them.
	Service   *Service
	Operation *Operation
	// ServiceName and Action are the names in the Resource.
	ServiceName, Action string
	// SDK tells an integration of the AWS SDK from an optimized one.
	SDK bool
	// Pattern is the suffix of the action: "", ".sync", ".sync:2", ".waitForTaskToken".
	Pattern string
}

const sdkPrefix = "aws-sdk:"

// optimized has the services whose optimized integration has another name.
var optimized = map[string]string{
	"states": "sfn", "events": "eventbridge", "emr-containers": "emrcontainers", "emr-serverless": "emrserverless",
	"elasticmapreduce": "", "apigateway": "", "http": "", // these have actions of their own
}

// CallOf reads a Resource, arn:aws:states:::SERVICE:ACTION or arn:aws:states:::aws-sdk:SERVICE:ACTION. It is false for
// any other, such as a function or an activity.
func CallOf(resource string) (Call, bool) {
	_, text, found := strings.Cut(resource, ":states:::")
	if !found || !strings.HasPrefix(resource, "arn:") {
		return Call{}, false
	}
	name, sdk := strings.CutPrefix(text, sdkPrefix)
	service, action, found := strings.Cut(name, ":")
	if !found {
		return Call{}, false
	}
	c := Call{ServiceName: service, Action: action, SDK: sdk}
	if at := strings.IndexByte(action, '.'); at >= 0 {
		c.Action, c.Pattern = action[:at], action[at:]
	}
	if c.Service, found = Find(c.tableName()); found {
		c.Operation, _ = c.Service.Operation(c.Action)
	}
	return c, true
}

// tableName is the name of the service in the table.
func (c *Call) tableName() string {
	if c.SDK {
		return c.ServiceName
	}
	if c.ServiceName == "bedrock" && c.Action == "invokeModel" {
		return "bedrockruntime"
	}
	if name, other := optimized[c.ServiceName]; other {
		return name
	}
	return c.ServiceName
}

// Name returns the name of a member in the call's parameters and result.
func (c *Call) Name(m *Member) string {
	if c.SDK {
		return m.Name
	}
	return Capitalized(m.Model)
}

// Member returns the member of a structure by its name in the call's parameters. A name that the model writes in capital
// letters alone ("BOOL", "ACL") is taken as it is too.
func (c *Call) Member(s *Shape, name string) (*Member, bool) {
	for i := range s.Members {
		m := &s.Members[i]
		if c.Name(m) == name || m.Model == name && strings.ToUpper(name) == name {
			return m, true
		}
	}
	return nil, false
}

// NearestMember returns the name of the member that was probably meant by one that the structure does not have, or "".
func (c *Call) NearestMember(s *Shape, name string) string {
	for i := range s.Members {
		m := &s.Members[i]
		if strings.EqualFold(m.Model, name) {
			return c.Name(m)
		}
	}
	return nearest(name, func(yield func(string) bool) {
		for i := range s.Members {
			if !yield(c.Name(&s.Members[i])) {
				return
			}
		}
	})
}

// NearestError returns the error that was probably meant by a name that the service does not raise, both without the
// service's prefix, or "". The word Exception at the end counts for nothing.
func (c *Call) NearestError(name string) string {
	const suffix = "Exception"
	stem := strings.TrimSuffix(name, suffix)
	own := make(map[string]string) // by stem
	var stems []string
	for _, e := range c.Service.Errors() {
		full := e.Name
		if !c.SDK {
			full = e.Model
		}
		s := strings.TrimSuffix(full, suffix)
		if strings.EqualFold(s, stem) {
			return full
		}
		own[s] = full
		stems = append(stems, s)
	}
	return own[nearest(stem, func(yield func(string) bool) {
		for _, s := range stems {
			if !yield(s) {
				return
			}
		}
	})]
}

// Raises reports whether the call may fail with an error of that name, without the service's prefix. Any operation of
// the service counts: one raises errors of another one's model.
func (c *Call) Raises(name string) bool {
	if c.Service == nil || name == "SdkClientException" || name == c.Service.Prefix+"Exception" {
		return true
	}
	for _, e := range c.Service.Errors() {
		if e.Name == name || !c.SDK && (e.Model == name || e.Model+"Exception" == name) {
			return true
		}
	}
	return false
}

// ErrorPrefix is the service's name in the Error Names of the call.
func (c *Call) ErrorPrefix() string {
	switch {
	case c.SDK:
		return c.Service.Prefix
	case c.ServiceName == "states":
		return "StepFunctions"
	case c.ServiceName == "dynamodb":
		return "DynamoDB"
	}
	return c.Service.Prefix
}
