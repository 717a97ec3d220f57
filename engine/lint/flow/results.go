package flow

import (
	"strings"

	"asldb/engine/lint/shape"
	"asldb/engine/services"
)

// answer returns the shape of a task's result.
func (v *visit) answer() *shape.Shape {
	s := v.state
	if given := v.options.Results[s.Name]; len(given) > 0 {
		var list []*shape.Shape
		for _, one := range given {
			list = append(list, v.space.Of(one))
		}
		return v.space.Because(v.space.Either(list...), s, s.NameSpan, "the result of "+s.Name+" is given")
	}
	if strings.Contains(s.Resource, "${") {
		return nil
	}
	made, known := v.answers[s.Resource]
	if !known {
		made = v.resultOf(s.Resource)
		v.answers[s.Resource] = made
	}
	if made == nil {
		return nil
	}
	return v.space.Because(made, s, s.NameSpan, "the result of "+s.Name+" is that of "+shortResource(s.Resource)+", which "+made.Has())
}

func shortResource(arn string) string {
	if _, action, ok := strings.Cut(arn, ":states:::"); ok {
		return action
	}
	return arn
}

// resultOf returns the shape of the result of a Resource; nil where it is unknown.
func (p *pass) resultOf(resource string) *shape.Shape {
	call, ok := services.CallOf(resource)
	if !ok || call.Pattern == ".waitForTaskToken" {
		return nil
	}
	if !call.SDK {
		if made, known := p.ownResult(&call); known {
			return made
		}
	}
	if call.Operation == nil || call.Operation.Output == nil || call.Pattern != "" {
		return nil
	}
	r := results{pass: p, call: &call, text: map[string]bool{}}
	return r.structure(call.Operation.Output, 0)
}

// ownResult returns the result of an optimized integration that is not that of the operation.
func (p *pass) ownResult(call *services.Call) (*shape.Shape, bool) {
	text, number := shape.Scalar(shape.String, nil), shape.Scalar(shape.Number, nil)
	metadata := []shape.Member{{Name: "SdkHttpMetadata", Maybe: true}, {Name: "SdkResponseMetadata", Maybe: true}}
	of := func(list ...shape.Member) *shape.Shape { return p.space.Object(append(list, metadata...), false) }
	one := func(name string, s *shape.Shape) shape.Member { return shape.Member{Name: name, Shape: s} }
	maybe := func(name string, s *shape.Shape) shape.Member { return shape.Member{Name: name, Shape: s, Maybe: true} }
	switch call.ServiceName + ":" + call.Action + call.Pattern {
	case "lambda:invoke":
		return of(one("ExecutedVersion", text), one("Payload", nil), one("StatusCode", number), maybe("LogResult", text), maybe("FunctionError", text)), true
	case "states:startExecution":
		return of(one("ExecutionArn", text), one("StartDate", nil)), true
	case "states:startExecution.sync", "states:startExecution.sync:2":
		input := text
		if strings.HasSuffix(call.Pattern, ":2") {
			input = nil
		}
		return of(one("ExecutionArn", text), one("Input", input), one("InputDetails", nil), one("Name", text), one("Output", input),
			one("OutputDetails", nil), one("StartDate", nil), one("StateMachineArn", text), one("Status", text), one("StopDate", nil),
			maybe("MapRunArn", text), maybe("TraceHeader", text), maybe("StateMachineVersionArn", text), maybe("StateMachineAliasArn", text),
			maybe("RedriveCount", nil), maybe("RedriveDate", nil), maybe("RedriveStatus", nil), maybe("RedriveStatusReason", nil),
			maybe("Error", text), maybe("Cause", text)), true
	case "apigateway:invoke", "http:invoke":
		return of(one("Headers", nil), one("ResponseBody", nil), one("StatusCode", number), one("StatusText", text)), true
	case "bedrock:invokeModel":
		return of(one("Body", nil), one("ContentType", text), maybe("PerformanceConfigLatency", nil)), true
	case "sns:publish", "sqs:sendMessage", "events:putEvents", "dynamodb:getItem", "dynamodb:putItem", "dynamodb:updateItem", "dynamodb:deleteItem":
		return nil, false
	}
	return nil, true
}

// results makes shapes of the shapes of a call's answer.
type results struct {
	*pass
	call *services.Call
	text map[string]bool
}

// maxResultDepth bounds how deep results are followed: those of some services contain themselves.
const maxResultDepth = 6

func (r *results) of(s *services.Shape, depth int) *shape.Shape {
	if s == nil || depth > maxResultDepth {
		return nil
	}
	switch s.Kind {
	case services.String:
		return shape.Scalar(shape.String, nil)
	case services.Integer, services.Float:
		return shape.Scalar(shape.Number, nil)
	case services.Boolean:
		return shape.Scalar(shape.Bool, nil)
	case services.Structure:
		return r.structure(s, depth)
	case services.List:
		return r.space.ArrayOf(r.of(s.Item, depth+1))
	case services.Map:
		return r.space.ObjectOf(r.of(s.Item, depth+1))
	case services.Timestamp, services.Blob:
	}
	return nil
}

func (r *results) structure(s *services.Shape, depth int) *shape.Shape {
	if depth > 0 && len(s.Members) == 0 { // a document
		return nil
	}
	list := make([]shape.Member, 0, len(s.Members)+2)
	for i := range s.Members {
		m := &s.Members[i]
		list = append(list, shape.Member{Name: r.call.Name(m), Shape: r.of(m.Shape, depth+1), Maybe: !m.Required})
	}
	if depth == 0 {
		list = append(list, shape.Member{Name: "SdkHttpMetadata", Maybe: true}, shape.Member{Name: "SdkResponseMetadata", Maybe: true})
	}
	return r.space.Object(list, false)
}
