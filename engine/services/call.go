package services

import (
	"slices"
	"strings"
)

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

	own *integration // of an optimized integration that the table has
}

const sdkPrefix = "aws-sdk:"

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
	name, action = c.ServiceName, c.Action
	if !sdk {
		c.own = integrationOf(c.ServiceName, c.Action)
		if c.own != nil {
			name, action, _ = strings.Cut(c.own.called(), ":")
		}
	}
	if c.Service, found = Find(name); found {
		c.Operation, _ = c.Service.Operation(action)
	}
	return c, true
}

// Unsupported reports whether Step Functions refuses the call: of an action of the AWS SDK, or of its whole service.
func (c *Call) Unsupported() (action, service bool) {
	actions, found := unsupported[c.ServiceName]
	service = c.SDK && found && actions == nil
	return service || c.SDK && slices.Contains(actions, c.Action), service
}

// Patterned reports whether an action of the call's optimized integration has the pattern.
func (c *Call) Patterned(pattern string) bool {
	return slices.ContainsFunc(integrations, func(i integration) bool { return i.service == c.ServiceName && slices.Contains(i.patterns, pattern) })
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
		if m := &s.Members[i]; strings.EqualFold(m.Model, name) {
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
