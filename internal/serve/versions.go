package serve

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sfn"
	"github.com/aws/aws-sdk-go-v2/service/sfn/types"

	"asldb/engine/value"
)

// alias routes starts to one or two versions.
type alias struct {
	serial      int64
	arn, name   string
	description string
	created     time.Time
	updated     time.Time
	routes      []route
}

type route struct {
	arn    string
	weight int32
}

// target is the machine that a start or a description names, with the revision behind its qualifier.
type target struct {
	machine  *machine
	revision *revision
	version  *version // nil: none is named
	alias    *alias   // nil: none is named
}

const conflict = "ConflictException"

// target finds a machine by its ARN, which may have the number of a version or the name of an alias; the server is
// locked.
// A start by an alias is routed.
func (s *Server) target(text string, starts bool) (target, error) {
	a, err := parse(text, "stateMachine")
	if err != nil {
		return target{}, err
	}
	m, missing := s.machines[a.machine()], faultf("StateMachineDoesNotExist", "State Machine Does Not Exist: '%s'",
		text)
	if m == nil {
		return target{}, missing
	}
	s.reread(m)
	if a.rest == "" {
		return target{machine: m, revision: m.revision}, nil
	}
	t := target{machine: m}
	for _, v := range m.versions {
		if v.number == a.rest {
			t.version, t.revision = v, v.of
			return t, nil
		}
	}
	for _, one := range m.aliases {
		if one.name == a.rest {
			t.alias, t.version = one, m.version(one.routes[0].arn)
			if starts {
				t.version = m.version(s.routed(one))
			}
			if t.version == nil {
				break
			}
			t.revision = t.version.of
			return t, nil
		}
	}
	return target{}, missing
}

// routed draws the version that a start by an alias goes to, from the seed and the count of starts.
func (s *Server) routed(a *alias) string {
	s.starts++
	sum := fnv.New32a()
	_, _ = fmt.Fprint(sum, s.seed(), s.starts) // it never fails
	if draw := int32(sum.Sum32() % 100); draw >= a.routes[0].weight && len(a.routes) > 1 {
		return a.routes[1].arn
	}
	return a.routes[0].arn
}

func (s *Server) seed() int64 {
	if s.options.Spec.Seed != nil {
		return *s.options.Spec.Seed
	}
	return 1
}

func (m *machine) version(arn string) *version {
	for _, v := range m.versions {
		if v.arn == arn {
			return v
		}
	}
	return nil
}

// publish returns the version of the newest revision, which is published where it was not; the server is locked.
func (s *Server) publish(m *machine, description string) *version {
	for _, v := range m.versions {
		if v.of == m.revision {
			return v
		}
	}
	m.published++
	number := strconv.Itoa(m.published)
	v := &version{serial: s.next(), number: number, arn: m.arn + ":" + number, description: description, at: s.now(),
		of: m.revision}
	m.versions = append(m.versions, v)
	return v
}

func (s *Server) publishStateMachineVersion(_ *call, in *sfn.PublishStateMachineVersionInput) (*value.Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, err := s.machineOf(*in.StateMachineArn)
	if err != nil {
		return nil, err
	}
	current := "INITIAL"
	if m.updated {
		current = m.revision.id
	}
	if in.RevisionId != nil && *in.RevisionId != current {
		return nil,
			faultf(conflict,
				"Failed to publish the State Machine version for revision %s. The current State Machine revision is "+
					"%s.", *in.RevisionId, current)
	}
	v := s.publish(m, deref(in.Description))
	return value.ObjectOf(value.Text("stateMachineVersionArn", v.arn), value.M("creationDate", date(v.at))), nil
}

func (s *Server) listStateMachineVersions(_ *call, in *sfn.ListStateMachineVersionsInput) (*value.Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, err := s.machineOf(*in.StateMachineArn)
	if err != nil {
		return nil, err
	}
	list := slices.Clone(m.versions)
	slices.Reverse(list)
	part, token, err := page(s, paging{in.MaxResults, in.NextToken, []any{"versions", m.arn}}, list,
		func(v *version) int64 { return v.serial }, true)
	if err != nil {
		return nil, err
	}
	return listing("stateMachineVersions", part, token, func(v *version) value.Value {
		return value.ObjectOf(value.Text("stateMachineVersionArn", v.arn), value.M("creationDate", date(v.at)))
	}), nil
}

func (s *Server) deleteStateMachineVersion(_ *call, in *sfn.DeleteStateMachineVersionInput) (*value.Object, error) {
	a, err := parse(*in.StateMachineVersionArn, "stateMachine")
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.machines[a.machine()]
	if m == nil {
		return value.ObjectOf(), nil
	}
	var used []string
	for _, one := range m.aliases {
		if slices.ContainsFunc(one.routes, func(r route) bool { return r.arn == a.text }) {
			used = append(used, one.name)
		}
	}
	if used != nil {
		return nil,
			faultf(conflict,
				"Version to be deleted must not be referenced by an alias. Current list of aliases referencing this "+
					"version: [%s]", strings.Join(used, ", "))
	}
	m.versions = slices.DeleteFunc(m.versions, func(v *version) bool { return v.arn == a.text })
	return value.ObjectOf(), nil
}

// routes reads a routing configuration, and returns the machine that it is about; the server is locked.
func (s *Server) routes(list []types.RoutingConfigurationListItem) (m *machine, routes []route, err error) {
	var sum int32
	var weights, arns []string
	for _, item := range list {
		sum += item.Weight
		weights, arns = append(weights, strconv.Itoa(int(item.Weight))),
			append(arns, deref(item.StateMachineVersionArn))
		routes = append(routes, route{deref(item.StateMachineVersionArn), item.Weight})
	}
	switch {
	case len(list) == 0 || len(list) > 2:
		return nil, nil,
			faultf(validation,
				"1 validation error detected: Value at 'routingConfiguration' failed to satisfy constraint: "+
					"Member must have length between 1 and 2")
	case sum != 100:
		return nil, nil, faultf(validation, "Sum of routing configuration weights must equal 100. Received: [%s]",
			strings.Join(weights, ", ")).because("INVALID_ROUTING_CONFIGURATION")
	case len(arns) == 2 && arns[0] == arns[1]:
		return nil, nil,
			faultf(validation,
				"Routing configuration must contain distinct state machine version ARNs. Received: [%s]",
				strings.Join(arns, ", ")).because("INVALID_ROUTING_CONFIGURATION")
	}
	for _, text := range arns {
		a, err := parse(text, "stateMachine")
		if err != nil {
			return nil, nil, err
		}
		of := s.machines[a.machine()]
		if of == nil || of.version(text) == nil || m != nil && m != of {
			return nil, nil,
				faultf(validation,
					"Routing configuration must contain (distinct) state machine version ARNs. Received: [%s]",
					strings.Join(arns, ", ")).because("INVALID_ROUTING_CONFIGURATION")
		}
		m = of
	}
	return m, routes, nil
}

func (s *Server) createStateMachineAlias(_ *call, in *sfn.CreateStateMachineAliasInput) (*value.Object, error) {
	if !aliasName().MatchString(*in.Name) {
		return nil,
			faultf(validation,
				"1 validation error detected: Value '%s' at 'name' failed to satisfy constraint: Member must satisfy "+
					"regular expression pattern: %s", *in.Name, aliasPattern)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	m, routes, err := s.routes(in.RoutingConfiguration)
	if err != nil {
		return nil, err
	}
	a := m.alias(*in.Name)
	switch {
	case a == nil:
		a = &alias{serial: s.next(), arn: m.arn + ":" + *in.Name, name: *in.Name, description: deref(in.Description),
			created: s.now(), routes: routes}
		a.updated = a.created
		m.aliases = append(m.aliases, a)
	case !slices.Equal(a.routes, routes) || a.description != deref(in.Description):
		return nil,
			faultf(conflict,
				"Failed to create alias because an alias with the same name and a different routing configuration "+
					"already exists.")
	}
	return value.ObjectOf(value.Text("stateMachineAliasArn", a.arn), value.M("creationDate", date(a.created))), nil
}

func (m *machine) alias(name string) *alias {
	for _, a := range m.aliases {
		if a.name == name {
			return a
		}
	}
	return nil
}

// aliasOf returns an alias and its machine by an ARN; the server is locked.
func (s *Server) aliasOf(text string) (*machine, *alias, error) {
	a, err := parse(text, "stateMachine")
	if err != nil {
		return nil, nil, err
	}
	if m := s.machines[a.machine()]; m != nil {
		if found := m.alias(a.rest); found != nil {
			return m, found, nil
		}
	}
	return nil, nil, faultf("ResourceNotFound", "Request references a resource that does not exist.")
}

func (s *Server) updateStateMachineAlias(_ *call, in *sfn.UpdateStateMachineAliasInput) (*value.Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, a, err := s.aliasOf(*in.StateMachineAliasArn)
	if err != nil {
		return nil, err
	}
	if in.RoutingConfiguration != nil {
		of, routes, err := s.routes(in.RoutingConfiguration)
		if err != nil {
			return nil, err
		}
		if of == m {
			a.routes = routes
		}
	}
	if in.Description != nil {
		a.description = *in.Description
	}
	a.updated = s.now()
	return value.ObjectOf(value.M("updateDate", date(a.updated))), nil
}

func (s *Server) describeStateMachineAlias(_ *call, in *sfn.DescribeStateMachineAliasInput) (*value.Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, found, err := s.aliasOf(*in.StateMachineAliasArn)
	if err != nil {
		return nil, err
	}
	a := answer{value.Text("stateMachineAliasArn", found.arn), value.Text("name", found.name)}
	a.text("description", found.description)
	a.set("routingConfiguration", value.NewArray(value.Each(found.routes, func(r route) value.Value {
		return value.ObjectOf(value.Text("stateMachineVersionArn", r.arn),
			value.M("weight", value.Int(int64(r.weight))))
	})))
	a.set("creationDate", date(found.created))
	a.set("updateDate", date(found.updated))
	return a.object(), nil
}

func (s *Server) listStateMachineAliases(_ *call, in *sfn.ListStateMachineAliasesInput) (*value.Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, err := s.target(*in.StateMachineArn, false)
	if err != nil {
		return nil, err
	}
	list := slices.Clone(t.machine.aliases)
	if t.version != nil && t.alias == nil {
		list = slices.DeleteFunc(list, func(a *alias) bool {
			return !slices.ContainsFunc(a.routes, func(r route) bool { return r.arn == t.version.arn })
		})
	}
	part, token, err := page(s, paging{in.MaxResults, in.NextToken, []any{"aliases", *in.StateMachineArn}}, list,
		func(a *alias) int64 { return a.serial }, false)
	if err != nil {
		return nil, err
	}
	return listing("stateMachineAliases", part, token, func(a *alias) value.Value {
		return value.ObjectOf(value.Text("stateMachineAliasArn", a.arn), value.M("creationDate", date(a.created)))
	}), nil
}

func (s *Server) deleteStateMachineAlias(_ *call, in *sfn.DeleteStateMachineAliasInput) (*value.Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m, a, err := s.aliasOf(*in.StateMachineAliasArn); err == nil {
		m.aliases = slices.DeleteFunc(m.aliases, func(other *alias) bool { return other == a })
	}
	return value.ObjectOf(), nil
}

// tagOf is a tag as a member.
func tagOf(key, text *string) value.Member { return value.Text(deref(key), deref(text)) }

func (*Server) tooManyTags(arn string) error {
	fault := faultf("TooManyTags", "A resource has at most 50 tags: '%s'", arn)
	fault.Members = []value.Member{value.Text("resourceName", arn)}
	return fault
}

// tagsOf returns the tags of a machine or an activity; the server is locked.
func (s *Server) tagsOf(text string) (*[]value.Member, error) {
	a, err := parse(text, "stateMachine", "activity")
	if err != nil {
		return nil, err
	}
	if m := s.machines[a.text]; m != nil {
		return &m.tags, nil
	}
	if w := s.activities[a.text]; w != nil {
		return &w.tags, nil
	}
	fault := faultf("ResourceNotFound", "Resource not found: '%s'", text)
	fault.Members = []value.Member{value.Text("resourceName", text)}
	return nil, fault
}

func (s *Server) tagResource(_ *call, in *sfn.TagResourceInput) (*value.Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	tags, err := s.tagsOf(*in.ResourceArn)
	if err != nil {
		return nil, err
	}
	now := value.NewObject(slices.Clone(*tags))
	for _, tag := range in.Tags {
		now = now.With(deref(tag.Key), value.String(deref(tag.Value)))
	}
	if now.Len() > 50 {
		return nil, s.tooManyTags(*in.ResourceArn)
	}
	*tags = nil
	for key, v := range now.All() {
		*tags = append(*tags, value.M(key, v))
	}
	return value.ObjectOf(), nil
}

func (s *Server) untagResource(_ *call, in *sfn.UntagResourceInput) (*value.Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	tags, err := s.tagsOf(*in.ResourceArn)
	if err != nil {
		return nil, err
	}
	*tags = slices.DeleteFunc(*tags, func(m value.Member) bool { return slices.Contains(in.TagKeys, m.Key) })
	return value.ObjectOf(), nil
}

func (s *Server) listTagsForResource(_ *call, in *sfn.ListTagsForResourceInput) (*value.Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	tags, err := s.tagsOf(*in.ResourceArn)
	if err != nil {
		return nil, err
	}
	return value.ObjectOf(value.M("tags", value.NewArray(value.Each(*tags, func(m value.Member) value.Value {
		return value.ObjectOf(value.Text("key", m.Key), value.M("value", m.Value))
	})))), nil
}
