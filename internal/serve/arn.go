package serve

import (
	"slices"
	"strings"
)

// arn is the name of a resource, in its parts.
type arn struct {
	text string
	// kind is stateMachine, execution, express, activity or mapRun.
	kind string
	// name is the machine's or the activity's, label the name of a distributed Map in it.
	name, label string
	// rest is the qualifier of a machine, the name of an execution, or the id of a Map Run.
	rest string
	// mock is the case behind #, which only starts have.
	mock string
}

// Home is the account and the region of all ARNs.
type Home struct{ Account, Region string }

// partition returns the partition of the region.
func (h Home) partition() string {
	switch {
	case strings.HasPrefix(h.Region, "cn-"):
		return "aws-cn"
	case strings.HasPrefix(h.Region, "us-gov-"):
		return "aws-us-gov"
	}
	return "aws"
}

// arn returns the ARN of a resource.
func (h Home) arn(kind string, parts ...string) string {
	return "arn:" + h.partition() + ":states:" + h.Region + ":" + h.Account + ":" + kind + ":" +
		strings.Join(parts, ":")
}

// parse reads an ARN of one of the kinds.
func parse(text string, kinds ...string) (arn, error) {
	bare, mock, _ := strings.Cut(text, "#")
	parts := strings.SplitN(bare, ":", 8)
	if parts[0] != "arn" || len(parts) < 7 {
		return arn{}, faultf(invalidArn, "Invalid Arn: 'Invalid ARN prefix: %s'", text)
	}
	if parts[2] != "states" {
		return arn{}, faultf(invalidArn, "Invalid Arn: 'Invalid ARN service: %s'", text)
	}
	a := arn{text: bare, kind: parts[5], mock: mock}
	a.name, a.label, _ = strings.Cut(parts[6], "/")
	if len(parts) > 7 {
		a.rest = parts[7]
	}
	if slices.Contains(kinds, a.kind) {
		return a, nil
	}
	return arn{}, faultf(invalidArn, "Invalid Arn: 'Resource type not valid in this context: %s'", a.kind)
}

// machine returns the ARN of the machine that a qualified one is about.
func (a arn) machine() string { return strings.TrimSuffix(a.text, ":"+a.rest) }
