package flow

import (
	"strings"

	"asldb/engine/services"
)

// answer returns the shape of a task's result.
func (v *visit) answer() *Shape {
	s := v.state
	if given := v.options.Results[s.Name]; len(given) > 0 {
		var list []*Shape
		for _, one := range given {
			list = append(list, v.space.Of(one))
		}
		return v.space.Because(v.space.Either(list...), s, s.NameSpan, "the result of "+s.Name+" is given")
	}
	if strings.Contains(s.Resource, "${") {
		return nil
	}
	shape, known := v.answers[s.Resource]
	if !known {
		shape = v.resultOf(s.Resource)
		v.answers[s.Resource] = shape
	}
	if shape == nil {
		return nil
	}
	return v.space.Because(shape, s, s.NameSpan, "the result of "+s.Name+" comes from "+shortResource(s.Resource)+", which "+shape.Has()+tableDate(s.Resource))
}

// tableDate names the date of the table, for results that may have got other members since.
func tableDate(resource string) string {
	if call, ok := services.CallOf(resource); ok {
		if result, known := call.Result(); known && !result.Complete {
			return " in the table (" + call.Dated() + ")"
		}
	}
	return ""
}

func shortResource(arn string) string {
	if _, action, ok := strings.Cut(arn, ":states:::"); ok {
		return action
	}
	return arn
}

// resultOf returns the shape of the result of a Resource; nil where it is unknown.
func (p *pass) resultOf(resource string) *Shape {
	call, ok := services.CallOf(resource)
	if !ok {
		return nil
	}
	result, known := call.Result()
	if !known || result.Shape == nil {
		return nil
	}
	r := results{pass: p, ended: strings.HasPrefix(call.Pattern, ".sync")}
	return r.of(result.Shape, 0)
}

// results makes shapes of the shapes of a task's result.
type results struct {
	*pass
	ended bool // they describe a job that has ended: its times may be numbers
}

// maxResultDepth bounds how deep results are followed: the results of some services contain themselves.
const maxResultDepth = 6

func (r *results) of(s *services.Shape, depth int) *Shape {
	if s == nil || depth > maxResultDepth {
		return nil
	}
	switch s.Kind {
	case services.String:
		if len(s.Enum) > 0 {
			return oneOf(s.Enum)
		}
		return Scalar(String, nil)
	case services.Blob:
		return Scalar(String, nil)
	case services.Timestamp:
		if r.ended {
			return r.space.Either(Scalar(String, nil), Scalar(Number, nil))
		}
		return Scalar(String, nil)
	case services.Integer, services.Float:
		return Scalar(Number, nil)
	case services.Boolean:
		return Scalar(Bool, nil)
	case services.Structure:
		return r.structure(s, depth)
	case services.List:
		return r.space.ArrayOf(r.of(s.Item, depth+1))
	case services.Map:
		return r.space.ObjectOf(r.of(s.Item, depth+1))
	case services.Any:
	}
	return nil
}

// structure returns the shape of an object. The table is of one date, which the reasons of a fault name where it may
// matter.
func (r *results) structure(s *services.Shape, depth int) *Shape {
	if len(s.Members) == 0 { // a document, or nothing is known
		return nil
	}
	list := make([]Member, 0, len(s.Members))
	for i := range s.Members {
		m := &s.Members[i]
		list = append(list, Member{Name: m.Name, Shape: r.of(m.Shape, depth+1), Maybe: !m.Required})
	}
	return r.space.Object(list, false)
}
