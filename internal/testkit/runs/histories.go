package runs

import (
	"slices"
	"strings"
	"time"

	"asldb/engine"
	"asldb/engine/value"
	"asldb/recorder/history"
)

// HistoryCase is a definition and one run of it.
type HistoryCase struct {
	Name, Definition, Input string
	// Status is how the run ends.
	Status engine.Status
	// Outcomes are the outcomes of the tasks, by the last part of their Resource, attempt by attempt; the last one
	// stays. A task without any gets its payload.
	Outcomes map[string][]engine.Outcome
}

// Tasks returns the source of the outcomes of one run's tasks.
func (c *HistoryCase) Tasks() Outcomes {
	given := make(map[string]int)
	return func(r *engine.TaskRequest) engine.Outcome {
		name := r.Resource[strings.LastIndexAny(r.Resource, ":/")+1:]
		outcomes := c.Outcomes[name]
		if len(outcomes) == 0 {
			return engine.Outcome{Output: r.Parameters, After: time.Second}
		}
		n := given[name]
		given[name]++
		return outcomes[min(n, len(outcomes)-1)]
	}
}

// Run runs the case and returns its history.
func (c *HistoryCase) Run() []history.Event {
	return history.Of(Run(Machine(c.Definition), c.Input, c.Tasks()).All())
}

// Document returns the history of the case as get-execution-history prints it.
func (c *HistoryCase) Document() []byte {
	return value.Append(nil, history.Document(c.Run()))
}

func gives(output string, after time.Duration) engine.Outcome {
	return engine.Outcome{Output: value.Must(output), After: after}
}

func fails(name, cause string) engine.Outcome {
	return engine.Outcome{Error: name, Cause: cause, After: 2 * time.Second}
}

const (
	lambda = `"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:`
	queue  = `"Type":"Task","Resource":"arn:aws:states:::sqs:`
)

// Cases returns the cases, in a fixed order.
func Cases() []HistoryCase {
	return slices.Concat(tasks(), containers(), mapRuns(), queries())
}

func tasks() []HistoryCase {
	return []HistoryCase{
		{
			Name: "fields of the data flow", Input: `{"order":{"id":7,"lines":[{"price":2},{"price":3}]}}`, Status: engine.Succeeded,
			Definition: `{"StartAt":"Read","States":{
			 "Read":{` + lambda + `read","InputPath":"$.order","Parameters":{"id.$":"$.id","prices.$":"$.lines[*].price"},
			  "ResultSelector":{"n.$":"$.prices[0]"},"ResultPath":"$.read","Next":"Check"},
			 "Check":{"Type":"Choice","Choices":[{"Variable":"$.read.n","NumericGreaterThan":1,"Next":"Pause"}],"Default":"Lost"},
			 "Pause":{"Type":"Wait","SecondsPath":"$.read.n","Next":"Last"},
			 "Last":{"Type":"Pass","Result":"done","ResultPath":"$.state","OutputPath":"$.state","End":true},
			 "Lost":{"Type":"Fail","Error":"Lost"}}}`,
		}, {
			Name: "a retrier, then a catcher", Input: `{"id":1}`, Status: engine.Succeeded,
			Outcomes: map[string][]engine.Outcome{"charge": {fails("Busy", "try again"), fails("Busy", "try again"), fails("Card.Declined", "no funds")}},
			Definition: `{"StartAt":"Charge","States":{
			 "Charge":{` + lambda + `charge","Retry":[{"ErrorEquals":["Busy"],"IntervalSeconds":3,"BackoffRate":2,"MaxAttempts":4}],
			  "Catch":[{"ErrorEquals":["Card.Declined"],"ResultPath":"$.problem","Next":"Tell"}],"End":true},
			 "Tell":{` + queue + `sendMessage","Parameters":{"QueueUrl":"q","MessageBody.$":"$.problem"},"End":true}}}`,
		}, {
			Name: "callbacks, jobs, activities", Input: `{"n":1}`, Status: engine.Succeeded,
			Outcomes: map[string][]engine.Outcome{
				"sendMessage.waitForTaskToken": {gives(`{"approved":true}`, time.Minute)},
				"startExecution.sync:2":        {gives(`{"Output":{}}`, time.Hour)},
			},
			Definition: `{"StartAt":"Ask","States":{
			 "Ask":{` + queue + `sendMessage.waitForTaskToken","HeartbeatSeconds":300,"Parameters":{"QueueUrl":"q","MessageBody":{"token.$":"$$.Task.Token"}},"ResultPath":"$.answer","Next":"Job"},
			 "Job":{"Type":"Task","Resource":"arn:aws:states:::states:startExecution.sync:2","TimeoutSeconds":7200,
			  "Parameters":{"StateMachineArn":"arn:aws:states:us-east-1:123456789012:stateMachine:Child","Input":{"n.$":"$.n"}},"ResultPath":"$.job","Next":"Work"},
			 "Work":{"Type":"Task","Resource":"arn:aws:states:us-east-1:123456789012:activity:work","TimeoutSeconds":60,"HeartbeatSeconds":20,"End":true}}}`,
		}, {
			Name: "a task that times out", Input: `{}`, Status: engine.Failed,
			Outcomes:   map[string][]engine.Outcome{"slow": {gives(`1`, time.Hour)}},
			Definition: `{"StartAt":"Slow","States":{"Slow":{` + lambda + `slow","TimeoutSeconds":30,"Retry":[{"ErrorEquals":["States.Timeout"],"MaxAttempts":1}],"End":true}}}`,
		}, {
			Name: "an activity that fails", Input: `{}`, Status: engine.Failed,
			Outcomes:   map[string][]engine.Outcome{"work": {fails("Work.Failed", "")}},
			Definition: `{"StartAt":"Work","States":{"Work":{"Type":"Task","Resource":"arn:aws:states:us-east-1:123456789012:activity:work","End":true}}}`,
		}, {
			Name: "a token's holder fails without saying why", Input: `{}`, Status: engine.Failed,
			Outcomes: map[string][]engine.Outcome{"sendMessage.waitForTaskToken": {{Submitted: value.Must(`{"MessageId":"1"}`), After: time.Minute}}},
			Definition: `{"StartAt":"Ask","States":{
			 "Ask":{` + queue + `sendMessage.waitForTaskToken","Parameters":{"QueueUrl":"q","MessageBody":{"token.$":"$$.Task.Token"}},
			  "Catch":[{"ErrorEquals":["States.ALL"],"ResultPath":"$.problem","Next":"Again"}],"End":true},
			 "Again":{` + queue + `sendMessage.waitForTaskToken","Parameters":{"QueueUrl":"q","MessageBody":{"problem.$":"$.problem"}},"End":true}}}`,
		}, {
			Name: "a loop", Input: `{"n":3}`, Status: engine.Failed,
			Definition: `{"StartAt":"Again","States":{
			 "Again":{"Type":"Choice","Choices":[{"Variable":"$.n","NumericGreaterThan":0,"Next":"Less"}],"Default":"End"},
			 "Less":{"Type":"Pass","Parameters":{"n.$":"States.MathAdd($.n, -1)"},"Next":"Pause"},
			 "Pause":{"Type":"Wait","Seconds":5,"Next":"Again"},
			 "End":{"Type":"Fail","ErrorPath":"$.lost","Cause":"c"}}}`,
		}, {
			Name: "a state that fails", Input: `{"why":"late"}`, Status: engine.Failed,
			Definition: `{"StartAt":"Pause","States":{"Pause":{"Type":"Wait","Timestamp":"2020-01-01T00:00:00Z","Next":"End"},"End":{"Type":"Fail","Error":"Order.Late","CausePath":"$.why"}}}`,
		}, {
			Name: "no rule holds", Input: `{"n":1}`, Status: engine.Failed,
			Definition: `{"StartAt":"Which","States":{"Which":{"Type":"Choice","Choices":[{"Variable":"$.n","NumericEquals":2,"Next":"End"}]},"End":{"Type":"Succeed"}}}`,
		},
	}
}

const numbers = `[1,2,3]`

func containers() []HistoryCase {
	return []HistoryCase{
		{
			Name: "branches", Input: `{"n":1}`, Status: engine.Succeeded,
			Definition: `{"StartAt":"Both","States":{"Both":{"Type":"Parallel","ResultSelector":{"first.$":"$[0]"},"ResultPath":"$.both","Next":"End","Branches":[
			 {"StartAt":"Read","States":{"Read":{` + lambda + `read","Next":"Keep"},"Keep":{"Type":"Pass","End":true}}},
			 {"StartAt":"Pause","States":{"Pause":{"Type":"Wait","Seconds":2,"Next":"Send"},"Send":{` + queue + `sendMessage","End":true}}}]},
			 "End":{"Type":"Succeed"}}}`,
		}, {
			Name: "a branch that fails is caught", Input: `{"n":1}`, Status: engine.Succeeded,
			Outcomes: map[string][]engine.Outcome{"charge": {fails("E", "c")}},
			Definition: `{"StartAt":"Both","States":{"Both":{"Type":"Parallel","Catch":[{"ErrorEquals":["States.ALL"],"Next":"End"}],"End":true,"Branches":[
			 {"StartAt":"Charge","States":{"Charge":{` + lambda + `charge","End":true}}},
			 {"StartAt":"Pause","States":{"Pause":{"Type":"Wait","Seconds":600,"End":true}}},
			 {"StartAt":"Work","States":{"Work":{` + lambda + `slow","End":true}}}]},
			 "End":{"Type":"Pass","Parameters":{"error.$":"$.Error"},"End":true}}}`,
		}, {
			Name: "branches that are tried again", Input: `{}`, Status: engine.Succeeded,
			Outcomes: map[string][]engine.Outcome{"charge": {fails("E", "c"), gives(`5`, time.Second)}},
			Definition: `{"StartAt":"Both","States":{"Both":{"Type":"Parallel","Retry":[{"ErrorEquals":["E"],"IntervalSeconds":1}],"End":true,"Branches":[
			 {"StartAt":"Charge","States":{"Charge":{` + lambda + `charge","End":true}}},{"StartAt":"Keep","States":{"Keep":{"Type":"Pass","End":true}}}]}}}`,
		}, {
			Name: "iterations", Input: `{"rows":[{"id":1},{"id":2},{"id":3}],"rate":2}`, Status: engine.Succeeded,
			Definition: `{"StartAt":"Each","States":{"Each":{"Type":"Map","ItemsPath":"$.rows","MaxConcurrency":2,"ResultPath":"$.done","End":true,
			 "ItemSelector":{"row.$":"$$.Map.Item.Value","at.$":"$$.Map.Item.Index","rate.$":"$.rate"},
			 "ItemProcessor":{"StartAt":"Price","States":{"Price":{` + lambda + `price","ResultPath":"$.price","Next":"Keep"},"Keep":{"Type":"Pass","OutputPath":"$.row.id","End":true}}}}}}`,
		}, {
			Name: "an iteration that fails", Input: numbers, Status: engine.Failed,
			Outcomes: map[string][]engine.Outcome{"price": {gives(`1`, time.Second), fails("Bad", "no price")}},
			Definition: `{"StartAt":"Each","States":{"Each":{"Type":"Map","MaxConcurrency":1,"End":true,
			 "ItemProcessor":{"StartAt":"Price","States":{"Price":{` + lambda + `price","End":true}}}}}}`,
		}, {
			Name: "iterations that are tried again and caught", Input: numbers, Status: engine.Succeeded,
			Outcomes: map[string][]engine.Outcome{"price": {gives(`1`, time.Second), fails("Bad", ""), gives(`1`, time.Second), fails("Worse", "")}},
			Definition: `{"StartAt":"Each","States":{"Each":{"Type":"Map","MaxConcurrency":1,"Retry":[{"ErrorEquals":["Bad"]}],"Catch":[{"ErrorEquals":["Worse"],"Next":"End"}],"End":true,
			 "ItemProcessor":{"StartAt":"Price","States":{"Price":{` + lambda + `price","End":true}}}},"End":{"Type":"Succeed"}}}`,
		}, {
			Name: "branches in iterations in branches", Input: `[[1],[]]`, Status: engine.Succeeded,
			Definition: `{"StartAt":"Both","States":{"Both":{"Type":"Parallel","End":true,"Branches":[{"StartAt":"Each","States":{"Each":{"Type":"Map","End":true,
			 "ItemProcessor":{"StartAt":"Inner","States":{"Inner":{"Type":"Parallel","End":true,"Branches":[
			  {"StartAt":"Deep","States":{"Deep":{"Type":"Map","End":true,"ItemProcessor":{"StartAt":"Keep","States":{"Keep":{"Type":"Pass","End":true}}}}}},
			  {"StartAt":"Count","States":{"Count":{"Type":"Pass","Parameters":{"n.$":"States.ArrayLength($)"},"End":true}}}]}}}}}}]}}}`,
		}, {
			Name: "an error of an iteration in a branch, which the Parallel catches", Input: numbers, Status: engine.Failed,
			Outcomes: map[string][]engine.Outcome{"a": {gives(`1`, time.Second), fails("E", "why")}},
			Definition: `{"StartAt":"Both","States":{"Both":{"Type":"Parallel","Catch":[{"ErrorEquals":["States.ALL"],"Next":"Sorry"}],"End":true,"Branches":[{"StartAt":"Each","States":{"Each":{"Type":"Map","End":true,
			 "MaxConcurrency":1,"ItemProcessor":{"StartAt":"Inner","States":{"Inner":{` + lambda + `a","End":true}}}}}},
			 {"StartAt":"W","States":{"W":{"Type":"Wait","Seconds":9,"End":true}}}]},"Sorry":{"Type":"Fail","Error":"Gone"}}}`,
		}, {
			Name: "an error of a branch in a branch", Input: `{}`, Status: engine.Failed,
			Outcomes: map[string][]engine.Outcome{"a": {fails("E", "why")}},
			Definition: `{"StartAt":"Outer","States":{"Outer":{"Type":"Parallel","End":true,"Branches":[{"StartAt":"Inner","States":{"Inner":{"Type":"Parallel","End":true,"Branches":[
			 {"StartAt":"A","States":{"A":{` + lambda + `a","End":true}}},{"StartAt":"B","States":{"B":{"Type":"Wait","Seconds":9,"End":true}}}]}}}]}}}`,
		},
	}
}

func mapRuns() []HistoryCase {
	distributed := func(fields, states string) string {
		return `{"StartAt":"Each","States":{"Each":{"Type":"Map","Label":"each",` + fields + `"ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},` +
			states + `},"End":true}}}`
	}
	return []HistoryCase{
		{
			Name: "a Map Run", Input: numbers, Status: engine.Succeeded,
			Definition: distributed(`"ToleratedFailurePercentage":50,"ResultPath":null,`, `"StartAt":"Keep","States":{"Keep":{"Type":"Pass","End":true}}`),
		}, {
			Name: "a Map Run that fails", Input: numbers, Status: engine.Failed,
			Definition: distributed(``, `"StartAt":"Bad","States":{"Bad":{"Type":"Fail","Error":"Bad"}}`),
		}, {
			Name: "a Map Run with tasks", Input: numbers, Status: engine.Succeeded,
			Definition: distributed(`"ItemBatcher":{"MaxItemsPerBatch":2},`, `"StartAt":"Price","States":{"Price":{`+lambda+`price","End":true}}`),
		}, {
			Name: "a Map Run whose tasks fail", Input: numbers, Status: engine.Succeeded,
			Outcomes: map[string][]engine.Outcome{"price": {fails("Bad", "")}},
			Definition: strings.Replace(distributed(`"Catch":[{"ErrorEquals":["States.ExceedToleratedFailureThreshold"],"Next":"End"}],`, `"StartAt":"Price","States":{"Price":{`+lambda+`price","End":true}}`),
				`"States":{"Each"`, `"States":{"End":{"Type":"Succeed"},"Each"`, 1),
		},
	}
}

func queries() []HistoryCase {
	return []HistoryCase{
		{
			Name: "variables and expressions", Input: `{"items":[{"n":1},{"n":2}]}`, Status: engine.Succeeded,
			Definition: `{"QueryLanguage":"JSONata","StartAt":"Set","States":{
			 "Set":{"Type":"Pass","Assign":{"sum":"{% $sum($states.input.items.n) %}","list":"{% $states.input.items %}"},"Next":"Call"},
			 "Call":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","Arguments":{"FunctionName":"f","Payload":{"sum":"{% $sum %}"}},
			  "Assign":{"sum":"{% $sum + 1 %}"},"Output":"{% $states.result.Payload %}","Next":"Each"},
			 "Each":{"Type":"Map","Items":"{% $list %}","ItemSelector":{"n":"{% $states.context.Map.Item.Value.n %}"},"Next":"Which",
			  "ItemProcessor":{"StartAt":"Twice","States":{"Twice":{"Type":"Pass","Output":"{% $states.input.n * 2 %}","End":true}}}},
			 "Which":{"Type":"Choice","Choices":[{"Condition":"{% $sum > 3 %}","Assign":{"high":true},"Output":{"sum":"{% $sum %}"},"Next":"Pause"}],"Default":"End"},
			 "Pause":{"Type":"Wait","Seconds":"{% $sum %}","Next":"End"},
			 "End":{"Type":"Succeed","Output":"{% {'sum': $sum, 'high': $high} %}"}}}`,
		}, {
			Name: "an expression that fails", Input: `{}`, Status: engine.Failed,
			Definition: `{"QueryLanguage":"JSONata","StartAt":"A","States":{"A":{"Type":"Pass","Next":"B"},"B":{"Type":"Pass","Output":{"a":["{% $states.input.lost %}"]},"End":true}}}`,
		}, {
			Name: "Arguments that fail are caught", Input: `{}`, Status: engine.Succeeded,
			Definition: `{"QueryLanguage":"JSONata","StartAt":"A","States":{"A":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","Arguments":{"FunctionName":"f","Payload":"{% $lost %}"},
			 "Catch":[{"ErrorEquals":["States.QueryEvaluationError"],"Output":"{% $states.errorOutput.Error %}","Next":"B"}],"End":true},"B":{"Type":"Pass","End":true}}}`,
		}, {
			Name: "Items that fail", Input: `{}`, Status: engine.Failed,
			Definition: `{"QueryLanguage":"JSONata","StartAt":"A","States":{"A":{"Type":"Map","Items":"{% $states.input %}","ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}},"End":true}}}`,
		}, {
			Name: "an expression in an iteration fails", Input: `[1,0]`, Status: engine.Failed,
			Definition: `{"QueryLanguage":"JSONata","StartAt":"A","States":{"A":{"Type":"Map","MaxConcurrency":1,"ItemProcessor":{"StartAt":"I","States":{
			 "I":{"Type":"Pass","Output":"{% $states.input = 0 ? $error('zero') : $states.input %}","End":true}}},"End":true}}}`,
		},
	}
}
