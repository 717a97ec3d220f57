package serve

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sfn"
	"github.com/google/uuid"

	"asldb/engine/value"
	"asldb/internal/definitions"
	"asldb/internal/serve/verdict"
)

const (
	express  = "EXPRESS"
	standard = "STANDARD"
)

// machine is a state machine.
type machine struct {
	serial              int64
	arn, name, kind     string
	created             time.Time
	revision            *revision // the newest
	updated             bool
	tags                []value.Member
	versions            []*version
	published           int // the greatest number of a version so far
	aliases             []*alias
	file                *served // where the definition is from; nil: the API
	tracing, encryption value.Value
	logging             value.Value
}

// revision is a definition with its role.
type revision struct {
	id, text, role string
	at             time.Time
	definition     definitions.Definition
	variables      value.Value
}

// version is a revision that was published.
type version struct {
	serial      int64
	number      string
	arn         string
	description string
	at          time.Time
	of          *revision
}

// compile makes a revision of the text of a definition, or refuses it in the words of the service.
func (s *Server) compile(name, text, kind, role string) (*revision, error) {
	found, err := verdict.Take(name, text, kind == express, s.options.Spec.Dialect)
	if err != nil {
		return nil, err
	}
	return s.ready(definitions.Definition{Text: found, Type: strings.ToLower(kind)}, text, role)
}

// ready makes a revision of a definition that was read.
func (s *Server) ready(d definitions.Definition, text, role string) (*revision, error) {
	err := d.Parse()
	if err == nil {
		err = d.Compile(s.options.Spec.Dialect)
	}
	if err != nil {
		return nil, faultf("InvalidDefinition", "Invalid State Machine Definition: '%s'", err.Error())
	}
	return &revision{id: uuid.NewString(), text: text, role: role, definition: d, at: s.now(),
		variables: verdict.Variables(&d)}, nil
}

// configured returns one of the configurations in a request as it was given, nil where there is none.
func (c *call) configured(names ...string) (*value.Object, []value.Value) {
	raw, _ := value.Parse(c.body, value.Limits{})
	object, _ := raw.(*value.Object)
	if object == nil {
		object = value.ObjectOf()
	}
	list := make([]value.Value, len(names))
	for i, name := range names {
		if given, ok := object.Get(name).(*value.Object); ok {
			list[i] = given
		}
	}
	return object, list
}

// configure sets the configurations of a machine that a request gives.
func (m *machine) configure(c *call) error {
	_, given := c.configured("loggingConfiguration", "tracingConfiguration", "encryptionConfiguration")
	if logging, _ := given[0].(*value.Object); logging != nil {
		to, _ := logging.Get("destinations").(*value.Array)
		if level := logging.Text("level"); level != "" && level != "OFF" && (to == nil || to.Len() != 1) ||
			to != nil && to.Len() > 1 {
			return faultf("InvalidLoggingConfiguration",
				"Invalid Logging Configuration: Must specify exactly one Log Destination.")
		}
	}
	for i, place := range []*value.Value{&m.logging, &m.tracing, &m.encryption} {
		if given[i] != nil {
			*place = given[i]
		}
	}
	return nil
}

// usual are the configurations of a machine that were not given.
var (
	noLogging    = value.Must(`{"level":"OFF","includeExecutionData":false}`)
	noTracing    = value.Must(`{"enabled":false}`)
	noEncryption = value.Must(`{"type":"AWS_OWNED_KEY"}`)
)

func (s *Server) createStateMachine(c *call, in *sfn.CreateStateMachineInput) (*value.Object, error) {
	if err := checkName(*in.Name); err != nil {
		return nil, err
	}
	if in.VersionDescription != nil && !in.Publish {
		return nil, faultf(validation, "Version description can only be set when publish is true")
	}
	m := &machine{arn: s.options.arn("stateMachine", *in.Name), name: *in.Name, kind: string(in.Type), created: s.now(),
		logging: noLogging, tracing: noTracing, encryption: noEncryption}
	m.kind = cmp.Or(m.kind, standard)
	if err := m.configure(c); err != nil {
		return nil, err
	}
	if len(in.Tags) > 50 {
		return nil, s.tooManyTags(m.arn)
	}
	for _, tag := range in.Tags {
		m.tags = append(m.tags, tagOf(tag.Key, tag.Value))
	}
	var err error
	if m.revision, err = s.compile(m.name, *in.Definition, m.kind, *in.RoleArn); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.machines[m.arn]; known != nil {
		if known.revision.text != m.revision.text || known.kind != m.kind || !value.Equal(known.logging, m.logging) ||
			!value.Equal(known.tracing, m.tracing) || !value.Equal(known.encryption, m.encryption) {
			return nil, faultf("StateMachineAlreadyExists", "State Machine Already Exists: '%s'", m.arn)
		}
		m = known
	} else {
		m.serial = s.next()
		s.machines[m.arn] = m
	}
	a := answer{value.Text("stateMachineArn", m.arn), value.M("creationDate", date(m.created))}
	if in.Publish {
		a.text("stateMachineVersionArn", s.publish(m, deref(in.VersionDescription)).arn)
	}
	return a.object(), nil
}

func deref(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// machineOf returns the machine of an ARN without a qualifier; the server is locked.
func (s *Server) machineOf(text string) (*machine, error) {
	a, err := parse(text, "stateMachine")
	if err != nil {
		return nil, err
	}
	m := s.machines[a.text]
	if m == nil {
		return nil, faultf("StateMachineDoesNotExist", "State Machine Does Not Exist: '%s'", text)
	}
	s.reread(m)
	return m, nil
}

func (s *Server) updateStateMachine(c *call, in *sfn.UpdateStateMachineInput) (*value.Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, err := s.machineOf(*in.StateMachineArn)
	switch {
	case err != nil:
		return nil, err
	case in.VersionDescription != nil && !in.Publish:
		return nil, faultf(validation, "Version description can only be set when publish is true")
	case in.Definition == nil && in.RoleArn == nil && in.LoggingConfiguration == nil &&
		in.TracingConfiguration == nil &&
		in.EncryptionConfiguration == nil && !in.Publish:
		return nil, faultf("MissingRequiredParameter",
			"Either the definition, the role ARN, the LoggingConfiguration, or the TracingConfiguration must be "+
				"specified")
	}
	text, role := m.revision.text, m.revision.role
	if in.Definition != nil {
		text = *in.Definition
	}
	if in.RoleArn != nil {
		role = *in.RoleArn
	}
	changed := *m
	if err := changed.configure(c); err != nil {
		return nil, err
	}
	if text != m.revision.text || role != m.revision.role {
		if changed.revision, err = s.compile(m.name, text, m.kind, role); err != nil {
			return nil, err
		}
		changed.updated, changed.file = true, nil
	}
	*m = changed
	a := answer{value.M("updateDate", date(s.now()))}
	if m.updated {
		a.text("revisionId", m.revision.id)
	}
	if in.Publish {
		a.text("stateMachineVersionArn", s.publish(m, deref(in.VersionDescription)).arn)
	}
	return a.object(), nil
}

func (s *Server) describeStateMachine(_ *call, in *sfn.DescribeStateMachineInput) (*value.Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, err := s.target(*in.StateMachineArn, false)
	if err != nil {
		return nil, err
	}
	m, r := t.machine, t.revision
	described, created := m.arn, m.created
	if t.version != nil {
		described, created = t.version.arn, t.version.at
	}
	a := answer{value.Text("stateMachineArn", described), value.Text("name", m.name), value.Text("status", "ACTIVE")}
	if in.IncludedData != "METADATA_ONLY" {
		a.text("definition", r.text)
	}
	a.text("roleArn", r.role)
	a.text("type", m.kind)
	a.set("creationDate", date(created))
	a.set("loggingConfiguration", m.logging)
	a.set("tracingConfiguration", m.tracing)
	a.set("encryptionConfiguration", m.encryption)
	a.set("variableReferences", r.variables)
	if m.updated {
		a.text("revisionId", r.id)
	}
	if t.version != nil {
		a.text("description", t.version.description)
	}
	return a.object(), nil
}

func (s *Server) deleteStateMachine(_ *call, in *sfn.DeleteStateMachineInput) (*value.Object, error) {
	a, err := parse(*in.StateMachineArn, "stateMachine")
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	delete(s.machines, a.text)
	var running []*execution
	for _, x := range s.order {
		if x.machine.arn == a.text {
			running = append(running, x)
		}
	}
	s.mu.Unlock()
	for _, x := range running {
		x.abort("", "")
	}
	return value.ObjectOf(), nil
}

func (s *Server) listStateMachines(_ *call, in *sfn.ListStateMachinesInput) (*value.Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]*machine, 0, len(s.machines))
	for _, m := range s.machines {
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b *machine) int { return int(a.serial - b.serial) })
	part, token, err := page(s, paging{in.MaxResults, in.NextToken, []any{"machines"}}, all,
		func(m *machine) int64 { return m.serial }, false)
	if err != nil {
		return nil, err
	}
	return listing("stateMachines", part, token, func(m *machine) value.Value {
		return value.ObjectOf(value.Text("stateMachineArn", m.arn), value.Text("name", m.name),
			value.Text("type", m.kind),
			value.M("creationDate", date(m.created)))
	}), nil
}
