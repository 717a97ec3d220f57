package asl

// typeSet is a set of state types.
type typeSet uint16

const (
	onPass typeSet = 1 << iota
	onTask
	onChoice
	onWait
	onSucceed
	onFail
	onParallel
	onMap

	onAll  = onPass | onTask | onChoice | onWait | onSucceed | onFail | onParallel | onMap
	onWork = onTask | onParallel | onMap // states that do work which can fail
)

var typeSets = map[StateType]typeSet{
	Pass: onPass, Task: onTask, Choice: onChoice, Wait: onWait,
	Succeed: onSucceed, Fail: onFail, Parallel: onParallel, Map: onMap,
}

var stateTypes = []string{
	string(Pass), string(Task), string(Choice), string(Wait), string(Succeed), string(Fail), string(Parallel), string(Map),
}

// permission says where a field may stand: in states of which types, and with which query language ("" for both).
type permission struct {
	types    typeSet
	language QueryLanguage
}

// permissions has every field of a state. The table is never changed.
var permissions = map[string]permission{
	"Type":          {onAll, ""},
	"Comment":       {onAll, ""},
	"QueryLanguage": {onAll, ""},
	"Next":          {onPass | onWait | onWork, ""},
	"End":           {onPass | onWait | onWork, ""},
	"InputPath":     {onAll &^ onFail, JSONPath},
	"OutputPath":    {onAll &^ onFail, JSONPath},
	"Parameters":    {onPass | onWork, JSONPath},
	"ResultPath":    {onPass | onWork, JSONPath},

	"ResultSelector": {onWork, JSONPath},
	"Arguments":      {onTask | onParallel, JSONata},
	"Output":         {onAll &^ onFail, JSONata},
	"Assign":         {onAll &^ (onSucceed | onFail), ""},
	"Retry":          {onWork, ""},
	"Catch":          {onWork, ""},

	"Result": {onPass, JSONPath},

	"Resource":             {onTask, ""},
	"TimeoutSeconds":       {onTask, ""},
	"TimeoutSecondsPath":   {onTask, JSONPath},
	"HeartbeatSeconds":     {onTask, ""},
	"HeartbeatSecondsPath": {onTask, JSONPath},
	"Credentials":          {onTask, ""},

	"Choices": {onChoice, ""},
	"Default": {onChoice, ""},

	"Seconds":       {onWait, ""},
	"SecondsPath":   {onWait, JSONPath},
	"Timestamp":     {onWait, ""},
	"TimestampPath": {onWait, JSONPath},

	"Error":     {onFail, ""},
	"ErrorPath": {onFail, JSONPath},
	"Cause":     {onFail, ""},
	"CausePath": {onFail, JSONPath},

	"Branches": {onParallel, ""},

	"ItemProcessor":                  {onMap, ""},
	"Iterator":                       {onMap, ""},
	"ItemsPath":                      {onMap, JSONPath},
	"Items":                          {onMap, JSONata},
	"ItemSelector":                   {onMap, ""},
	"MaxConcurrency":                 {onMap, ""},
	"MaxConcurrencyPath":             {onMap, JSONPath},
	"ToleratedFailureCount":          {onMap, ""},
	"ToleratedFailureCountPath":      {onMap, JSONPath},
	"ToleratedFailurePercentage":     {onMap, ""},
	"ToleratedFailurePercentagePath": {onMap, JSONPath},
	"ItemReader":                     {onMap, ""},
	"ItemBatcher":                    {onMap, ""},
	"ResultWriter":                   {onMap, ""},
	"Label":                          {onMap, ""},
}

// exclusiveFields are the fields of which a state may have one only.
var exclusiveFields = []struct {
	types  typeSet
	fields []string
}{
	{onTask, []string{"TimeoutSeconds", "TimeoutSecondsPath"}},
	{onTask, []string{"HeartbeatSeconds", "HeartbeatSecondsPath"}},
	{onWait, []string{"Seconds", "SecondsPath", "Timestamp", "TimestampPath"}},
	{onFail, []string{"Error", "ErrorPath"}},
	{onFail, []string{"Cause", "CausePath"}},
	{onMap, []string{"ItemProcessor", "Iterator"}},
	{onMap, []string{"ItemSelector", "Parameters"}},
	{onMap, []string{"MaxConcurrency", "MaxConcurrencyPath"}},
	{onMap, []string{"ToleratedFailureCount", "ToleratedFailureCountPath"}},
	{onMap, []string{"ToleratedFailurePercentage", "ToleratedFailurePercentagePath"}},
}

// requiredFields are the fields that a state must have; of several alternatives one is enough.
var requiredFields = []struct {
	types  typeSet
	fields []string
}{
	{onTask, []string{"Resource"}},
	{onChoice, []string{"Choices"}},
	{onWait, []string{"Seconds", "Timestamp", "SecondsPath", "TimestampPath"}},
	{onParallel, []string{"Branches"}},
	{onMap, []string{"ItemProcessor", "Iterator"}},
}
