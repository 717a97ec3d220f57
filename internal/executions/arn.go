package executions

import (
	"fmt"
	"net/url"
	"strings"

	"asldb/internal/wording"
)

// Resource is the kind of resource that an ARN of Step Functions names.
type Resource uint8

// The kinds of resources.
const (
	// StandardExecution has a history.
	StandardExecution Resource = iota + 1
	// ExpressExecution has none: its events are in CloudWatch Logs, if anywhere.
	ExpressExecution
	StateMachine
	MapRun
)

// resources are the kinds by their names in an ARN.
var resources = map[string]Resource{
	"execution": StandardExecution, "express": ExpressExecution, "stateMachine": StateMachine, "mapRun": MapRun,
}

// ARN is the name of a resource of Step Functions.
type ARN struct {
	Text     string
	Region   string
	Resource Resource
	// Machine is the name of the state machine; for an execution that a Map Run started it has the label of the Map
	// state after a slash.
	Machine string
	// Name is the name of the execution or the Map Run; empty of a state machine.
	Name string
}

// arnPattern finds an ARN in a URL: partition, region, account, kind, and the rest. The region is a part of the host that is called.
var arnPattern = wording.Pattern(`arn:aws[a-z-]*:states:[a-z0-9-]{1,40}:[0-9]*:[a-zA-Z]+:[^\s?&#"']+`)

// ParseARN reads an ARN, or finds it in the URL of a page of the AWS console.
func ParseARN(text string) (ARN, error) {
	found := text
	if strings.Contains(text, "://") {
		if decoded, err := url.PathUnescape(text); err == nil {
			found = decoded
		}
		if found = arnPattern().FindString(found); found == "" {
			return ARN{}, fmt.Errorf("the URL %q has no ARN of Step Functions; open the execution in the console and copy the URL, or its ARN", text)
		}
	}
	parts := strings.SplitN(found, ":", 7)
	if len(parts) < 7 || arnPattern().FindString(found) != found {
		return ARN{}, fmt.Errorf("%q is not an ARN of Step Functions, such as arn:aws:states:eu-west-1:123456789012:execution:Order:4f1a", text)
	}
	a := ARN{Text: found, Region: parts[3], Resource: resources[parts[5]]}
	if a.Resource == 0 {
		return ARN{}, fmt.Errorf("%q names a resource of the kind %q; asldb fetches executions and searches state machines", text, parts[5])
	}
	a.Machine, a.Name, _ = strings.Cut(parts[6], ":")
	switch {
	case a.Resource == StateMachine:
		a.Name = "" // of a version or an alias
	case a.Name == "":
		return ARN{}, fmt.Errorf("%q does not have the name of an execution after the state machine's", text)
	}
	return a, nil
}
