package explain

import (
	"strconv"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// choice adds the operands of the rules of a Choice state, and which of them holds.
func (r *valueReader) choice(index int) {
	if r.state.QueryLanguage == asl.JSONata {
		r.conditions(index)
	} else {
		results, _ := r.session.Explainer().Choice(index)
		for k := range results {
			pointer := "Choices/" + strconv.Itoa(k)
			_, node := r.state.Node.Find("/" + pointer)
			if node == nil || !results[k].Reached {
				continue
			}
			r.test(pointer, node, &results[k].TestResult, index)
			if results[k].Err == nil && results[k].Holds && r.rule < 0 {
				r.rule = k
			}
		}
	}
	switch {
	case r.rule >= 0:
		if pointer := "Choices/" + strconv.Itoa(r.rule) + "/Next"; r.has(pointer) {
			r.note(r.state.Place(pointer), ToneGood, SignHolds, words("goes here"))
		}
	case r.has("Default"):
		r.note(r.state.Place("Default"), ToneCaution, SignHolds, words("goes here: no rule holds"))
	}
}

func (r *valueReader) has(pointer string) bool {
	_, node := r.state.Node.Find("/" + pointer)
	return node != nil
}

// conditions adds the values of conditions in JSONata.
func (r *valueReader) conditions(index int) {
	explained, _ := r.session.Explainer().Stage(index)
	for _, e := range explained {
		place := r.state.Place(e.Location)
		switch {
		case e.Err != nil:
			r.note(place, ToneBad, SignError, causeSpan(wording.Clip(e.Err.Error(), maxBrief)))
		case e.Trace != nil && e.Trace.Value != nil:
			sign, tone := SignFails, TonePlain
			if e.Trace.Value == value.Bool(true) {
				sign, tone = SignHolds, ToneGood
			}
			r.list = append(r.list, FieldValue{Place: place, Tone: tone, Sign: sign, Spans: []Span{val(e.Trace.Value)}, Value: e.Trace.Value, Event: index})
		}
	}
	for k, rule := range r.state.Choices {
		pointer := "Choices/" + strconv.Itoa(k) + "/Condition"
		holds := rule.Condition == value.Bool(true)
		for i := range r.list {
			holds = holds || r.list[i].Sign == SignHolds && r.list[i].Place.Pointer == r.state.Place(pointer).Pointer
		}
		if holds {
			r.rule = k
			return
		}
	}
}

// test adds the operands of a test, and whether it holds.
func (r *valueReader) test(pointer string, node *source.Node, result *engine.TestResult, index int) {
	if result.Test == nil {
		return
	}
	if len(result.Operands) > 0 {
		below := pointer + "/" + result.Test.Operator
		_, operands := r.state.Node.Find("/" + below)
		for k := range result.Operands {
			if operands == nil || !result.Operands[k].Evaluated {
				continue
			}
			switch operands.Kind {
			case value.KindArray:
				if k < len(operands.Items) {
					r.test(below+"/"+strconv.Itoa(k), operands.Items[k], &result.Operands[k], index)
				}
			case value.KindObject: // Not
				r.test(below, operands, &result.Operands[k], index)
			default:
			}
		}
		return
	}
	if result.Test.Variable != nil && node.Get("Variable") != nil {
		place := r.state.Place(pointer + "/Variable")
		switch {
		case result.Left != nil:
			r.add(place, result.Left, index, result.Test.Variable.String())
		case result.Err == nil:
			r.note(place, ToneCaution, SignLeads, words("not there"))
		default:
			r.note(place, ToneBad, SignError, words("missing"))
			r.list[len(r.list)-1].Path = result.Test.Variable.String()
		}
	}
	operator := result.Test.Operator
	if result.Test.Path != nil {
		operator += "Path"
	}
	if node.Get(operator) == nil || result.Err != nil {
		return
	}
	sign, tone, note := SignFails, TonePlain, []Span(nil)
	if result.Holds {
		sign, tone = SignHolds, ToneGood
	}
	if result.Test.Path != nil && result.Right != nil {
		note = []Span{val(result.Right)}
	} else if l, right := result.Left, result.Right; l != nil && right != nil && l.Kind() != right.Kind() && right.Kind() != value.KindBool {
		note = []Span{words("a " + value.KindOf(l) + ", not a " + value.KindOf(right))}
	}
	r.note(r.state.Place(pointer+"/"+operator), tone, sign, note...)
}
