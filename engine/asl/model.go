package asl

import (
	"strings"
	"sync/atomic"

	"asldb/engine/path"
	"asldb/engine/rules"
	"asldb/engine/template"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// StateMachine is a whole definition.
type StateMachine struct {
	// Origin is nil of a definition in the language.
	Origin *Origin
	// Name is the name of the resource that the definition belongs to in a template, or of the waiter; else empty.
	Name string
	// Express: the machine is of the type EXPRESS, which the template tells and not the language.
	Express bool
	// Deployment is the rest of what the template says of the machine.
	Deployment Deployment
	// Source is the text that the definition was read from.
	Source *Source
	// Root is the text as a tree with positions: every field that the text has, known or not.
	Root *Node

	Comment       string
	Version       string
	QueryLanguage QueryLanguage
	// TimeoutSeconds bounds the whole run; 0 means no bound.
	TimeoutSeconds int64
	// Top is the machine's own StartAt and States.
	Top *Scope
	// Differences are the problems that the text has in some dialects only, in the order in which they were found.
	Differences []Difference

	byName map[string]*State // of the whole machine
}

// Deployment is what a template says of a machine besides its definition and type; empty: it does not tell.
type Deployment struct {
	Name, Role string
	// Logging is the level of the logs: ALL, ERROR, FATAL or OFF.
	Logging         string
	Region, Account string
}

// Difference is a problem that is an error in the dialects that do what the matter says. In others it is a warning,
// where the problem is one, or none at all.
type Difference struct {
	Matter  rules.Matter
	Problem Diagnostic
}

// Refused returns the differences that are problems in a dialect.
func (m *StateMachine) Refused(dialect rules.Dialect) (problems []Diagnostic) {
	for _, one := range m.Differences {
		d := one.Problem
		switch {
		case one.Matter == rules.RefusesNamesOver80 && dialect.Does(one.Matter):
		case dialect.Does(one.Matter):
			d.Severity = Error
			d.Message, _, _ = strings.Cut(d.Message, "; ")
			d.Message += ", in the dialect " + dialect.String()
		case d.Severity == Error:
			continue
		}
		problems = append(problems, d)
	}
	return problems
}

// Unusable reports whether problems, which [Examine] found in a dialect, have an error that the machine has in all
// dialects.
func (m *StateMachine) Unusable(problems []Diagnostic, dialect rules.Dialect) bool {
	return countErrors(problems) > countErrors(m.Refused(dialect))
}

func countErrors(problems []Diagnostic) (n int) {
	for i := range problems {
		if problems[i].Severity == Error {
			n++
		}
	}
	return n
}

// ScopeKind tells where a Scope is.
type ScopeKind uint8

// The places that have a StartAt and a States field.
const (
	TopScope ScopeKind = iota
	BranchScope
	ProcessorScope
)

// Scope is one StartAt with its States: the top of a machine, one branch of a Parallel state, or the
// ItemProcessor (formerly Iterator) of a Map state. Transitions stay inside it, and it is the
// scope of variables, too.
type Scope struct {
	Kind ScopeKind
	// Container is the Parallel or Map state that the scope belongs to; nil for the top.
	Container *State
	// Branch is the number of the branch, from 0; 0 for other kinds.
	Branch  int
	Comment string
	StartAt string
	// States are in the order of the text.
	States []*State
	Span   Span

	byName map[string]*State
	node   *Node
}

// State returns the state called name, or nil.
func (s *Scope) State(name string) *State { return s.byName[name] }

// Meant returns the state called name, or else the one whose name is like it, or nil.
func (s *Scope) Meant(name string) *State {
	if found := s.byName[name]; found != nil {
		return found
	}
	return s.byName[wording.Nearest(name, stateNames(s))]
}

// State is one state of a definition. Which fields can be set depends on Type; a nil pointer or an
// empty string is an absent field.
type State struct {
	Name  string
	Type  StateType
	Scope *Scope
	// Index is the state's place in Scope.States.
	Index int
	// Pointer is the JSON Pointer (RFC 6901) of the state in the definition.
	Pointer string
	// Span is the place of the state's object, NameSpan of its name.
	Span, NameSpan Span
	// Node is the state's object in the text.
	Node *Node

	path   string // definition path
	edges  []edge
	lost   []LostEdge
	source *Source
	flows  [2]atomic.Pointer[Flow] // see FlowOf

	Comment string
	// QueryLanguage is the state's own or else the machine's.
	QueryLanguage QueryLanguage
	// Next is empty where End is true and in types that have no Next.
	Next string
	End  bool

	InputPath, OutputPath, ResultPath *PathField
	// Parameters is nil in a Map state, whose older Parameters are in ItemSelector. It may be any JSON.
	Parameters, ResultSelector, Assign *TemplateField
	// Arguments and Output are the JSONata forms; they are kept as written.
	Arguments, Output *TemplateField

	Retry []*Retrier
	Catch []*Catcher

	// Pass
	Result *TemplateField // taken verbatim: its Template is nil

	// Task
	Resource                         string
	TimeoutSeconds, HeartbeatSeconds *Quantity
	Credentials                      *TemplateField

	// Choice
	Choices []*ChoiceRule
	Default string

	// Wait: Seconds has SecondsPath too, Timestamp has TimestampPath too.
	Seconds, Timestamp *Quantity

	// Fail
	Error, Cause *TextField

	// Parallel
	Branches []*Scope

	// Map
	Processor                  *Scope // ItemProcessor or Iterator
	ProcessorConfig            *ProcessorConfig
	ItemsPath                  *PathField
	Items                      *TemplateField // JSONata
	ItemSelector               *TemplateField // ItemSelector, or Parameters of a Map state
	MaxConcurrency             *Quantity
	ToleratedFailureCount      *Quantity
	ToleratedFailurePercentage *Quantity
	// ItemReader, ItemBatcher, ResultWriter and Label belong to a distributed Map.
	ItemReader   *ItemReader
	ItemBatcher  *ItemBatcher
	ResultWriter *ResultWriter
	Label        string
}

// Terminal reports whether the state ends its scope: it has "End": true, or is a Succeed or a Fail.
func (s *State) Terminal() bool { return s.End || s.Type == Succeed || s.Type == Fail }

// PathField is a field that holds a Path or null.
type PathField struct {
	// Null is set when the field is there and null, which is not the same as an absent field.
	Null bool
	Path *path.Path // nil when Null
	Span Span
}

// TemplateField is a field that holds JSON.
type TemplateField struct {
	Value value.Value
	// Template is the compiled payload template; nil where the field is not one (a Pass state's
	// Result, and every field of a JSONata state).
	Template *template.Template
	// Query is the compiled value of a JSONata state's field; nil elsewhere.
	Query *template.Query
	Span  Span
}

// Quantity is a number or a timestamp, given as a literal, by a Reference Path (the field's …Path
// form), or by a JSONata expression.
type Quantity struct {
	// Field is the name that the text uses, "SecondsPath" for example.
	Field   string
	Literal value.Value // a Number, or a String for a timestamp
	Path    *path.Path
	Query   *template.Query // of a JSONata expression
	// Calculation gives the value in place of them where it is not of the language; else nil.
	Calculation Calculation
	Span        Span
}

// TextField is a Fail state's Error or Cause: a literal, a Path, or an intrinsic function (the
// …Path forms), or a JSONata expression.
type TextField struct {
	Field     string
	Literal   string
	Path      *path.Path
	Intrinsic *template.Template // of the one member "value.$"
	Query     *template.Query    // of a JSONata expression
	// Calculation gives the text in place of them where it is not of the language; else nil.
	Calculation Calculation
	Span        Span
}

// ChoiceRule is one member of Choices.
type ChoiceRule struct {
	// Test is the JSONPath rule, Condition the JSONata one (a boolean, or a String with {% %}), which
	// Query has compiled.
	Test      *Test
	Condition value.Value
	Query     *template.Query
	// Predicate decides in place of them where the rule is not of the language; else nil.
	Predicate Predicate
	Next      string
	Assign    *TemplateField
	Output    *TemplateField
	Comment   string
	Span      Span
}

// Test is one Data-Test Expression or a combination of others.
type Test struct {
	// Operator is And, Or, Not, or a comparison operator as the text has it, without its Path suffix.
	Operator string
	// Tests are the operands of And, Or and Not.
	Tests []*Test
	// Variable is the left operand of a comparison.
	Variable *path.Path
	// Value is the right operand; Path takes its place in the …Path forms.
	Value value.Value
	Path  *path.Path
	Span  Span
}

// Retrier is one member of Retry, with the language's defaults filled in.
type Retrier struct {
	ErrorEquals     []string
	IntervalSeconds int64   // default 1
	MaxAttempts     int64   // default 3; 0 means never
	BackoffRate     float64 // default 2.0
	MaxDelaySeconds int64   // 0 means no bound
	JitterStrategy  JitterStrategy
	Comment         string
	Span            Span
}

// Catcher is one member of Catch.
type Catcher struct {
	ErrorEquals []string
	Next        string
	ResultPath  *PathField
	Assign      *TemplateField
	Output      *TemplateField
	Comment     string
	Span        Span
}

// Handing is an ItemSelector of a Map state with parts of an item, or with the whole one, and a member of the input.
func (s *State) Handing(member string, parts []string, whole bool) string {
	suffix, from, item := ".$", "$.", "$$.Map.Item.Value"
	wrap := func(text string) string { return value.Quote(text) }
	if s.QueryLanguage == JSONata {
		suffix, from, item = "", "$states.input.", "$states.context.Map.Item.Value"
		wrap = func(text string) string { return value.Quote("{% " + text + " %}") }
	}
	var list []string
	for _, part := range parts {
		text := item
		if !whole {
			text += "." + part
		}
		list = append(list, value.Quote(part+suffix)+": "+wrap(text))
	}
	list = append(list, value.Quote(member+suffix)+": "+wrap(from+member))
	return "{" + strings.Join(list, ", ") + "}"
}

// ProcessorConfig is how a Map state runs its iterations.
type ProcessorConfig struct {
	Mode          ProcessorMode
	ExecutionType ExecutionType // of ModeDistributed
	Span          Span
}

// Distributed reports whether the state is a Map whose iterations run as separate executions.
func (s *State) Distributed() bool {
	return s.ProcessorConfig != nil && s.ProcessorConfig.Mode == ModeDistributed
}

// ItemReader says where a distributed Map reads its items from.
type ItemReader struct {
	// Resource is the action: "arn:aws:states:::s3:getObject" or "…:s3:listObjectsV2".
	Resource string
	// Parameters are the action's; Arguments in a JSONata state. Nil where they are absent.
	Parameters *TemplateField
	// Config is never nil; without a ReaderConfig it has the defaults.
	Config *ReaderConfig
	Span   Span
}

// ReaderConfig says how a dataset is written. The zero value of a field is an absent one.
type ReaderConfig struct {
	InputType         InputType
	CSVHeaderLocation HeaderLocation
	CSVHeaders        []string // of HeaderGiven
	CSVDelimiter      Delimiter
	// MaxItems has MaxItemsPath too; nil and 0 mean no bound.
	MaxItems *Quantity
	// ItemsPointer is a JSON Pointer (RFC 6901) to the array inside a JSON dataset.
	ItemsPointer   string
	Transformation Loading
	ManifestType   ManifestType
	Span           Span
}

// ItemBatcher says how many items one iteration gets.
type ItemBatcher struct {
	// BatchInput is given to every batch besides its items; nil where it is absent.
	BatchInput *TemplateField
	// MaxItemsPerBatch and MaxInputBytesPerBatch have a …Path form too; nil where absent.
	MaxItemsPerBatch, MaxInputBytesPerBatch *Quantity
	Span                                    Span
}

// ResultWriter says where a distributed Map writes its results, and their shape.
type ResultWriter struct {
	// Resource and Parameters (Arguments in a JSONata state) are the writing action's; empty
	// and nil where the results stay in the state.
	Resource   string
	Parameters *TemplateField
	// Config is nil where the field has no WriterConfig.
	Config *WriterConfig
	Span   Span
}

// WriterConfig is the shape of the results.
type WriterConfig struct {
	OutputType     OutputType
	Transformation Transformation
	Span           Span
}
