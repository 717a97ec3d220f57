package engine

import (
	"strings"
	"time"

	"asldb/engine/asl"
	"asldb/engine/value"
)

// writeResults runs ResultWriter: it turns the results of a Map Run into the result of the state. The engine
// writes nothing; Before of the event has the data that the service would have written. ok is false when it failed.
func (d distributed) writeResults(results *value.Array) (result value.Value, ok bool) {
	writer := d.state.def.ResultWriter
	shaped := d.shapeResults(results)
	if writer.Resource == "" {
		d.e.emit(d.thread, &Event{Type: StageCompleted, Stage: StageResultWriter, Before: results, After: shaped})
		return shaped, true
	}
	filled, failure := d.e.fillPart(d.thread, StageResultWriter, "ResultWriter/Parameters", writer.Parameters)
	if failure != nil {
		d.fail(StageResultWriter, d.effective, failure)
		return nil, false
	}
	parameters, ok := filled.(*value.Object)
	if !ok {
		d.fail(StageResultWriter, filled, notAnObject(d.thread, "ResultWriter/Arguments", filled))
		return nil, false
	}
	bucket, hasBucket := parameters.Get("Bucket").(value.String)
	if !hasBucket || bucket == "" {
		d.fail(StageResultWriter, filled, &Failure{
			Name: ErrorResultWriterFailed, Cause: "The ResultWriter's Parameters have no Bucket", Origin: d.visit, Field: "ResultWriter/Parameters",
		})
		return nil, false
	}
	prefix, _ := parameters.Get("Prefix").(value.String)
	folder := strings.TrimSuffix(string(prefix), "/")
	if folder != "" {
		folder += "/"
	}
	run := d.work.run
	result = value.ObjectOf(
		value.Member{Key: "MapRunArn", Value: value.String(run.arn)},
		value.Member{Key: "ResultWriterDetails", Value: value.ObjectOf(
			value.Member{Key: "Bucket", Value: bucket},
			value.Member{Key: "Key", Value: value.String(folder + run.id + "/manifest.json")},
		)},
	)
	d.e.emit(d.thread, &Event{Type: StageCompleted, Stage: StageResultWriter, Before: shaped, After: result})
	return result, true
}

// shapeResults applies the Transformation of a WriterConfig. Without one, exported results have the data of
// the executions too (NONE), and results in the state are their outputs. A failed execution is always
// described as NONE does. JSON Lines differ from JSON only in files, so an array is both.
func (d distributed) shapeResults(results *value.Array) *value.Array {
	config := d.state.def.ResultWriter.Config
	transformation := asl.TransformNone
	if config != nil {
		if transformation = config.Transformation; transformation == 0 {
			transformation = asl.TransformCompact
		}
	}
	shaped := make([]value.Value, 0, results.Len())
	for i := range d.work.ended {
		end := &d.work.ended[i]
		array, isArray := end.output.(*value.Array)
		switch {
		case end.output == nil || transformation == asl.TransformNone:
			shaped = append(shaped, end.describe())
		case transformation == asl.TransformFlatten && isArray:
			for _, item := range array.All() {
				shaped = append(shaped, item)
			}
		default:
			shaped = append(shaped, end.output)
		}
	}
	return value.NewArray(shaped)
}

// describe writes an execution as the service exports it: its data besides its output.
func (end *childEnd) describe() value.Value {
	text := func(key, s string) value.Member { return value.Member{Key: key, Value: value.String(s)} }
	included := value.ObjectOf(value.Member{Key: "Included", Value: value.Bool(true)})
	child := end.child
	members := []value.Member{text("ExecutionArn", child.arn())}
	status := "SUCCEEDED"
	if failure := end.failure; failure != nil {
		status = "FAILED"
		members = append(members, text("Error", failure.Name), text("Cause", failure.Cause))
	}
	members = append(members, text("Input", value.Compact(child.input)), value.Member{Key: "InputDetails", Value: included}, text("Name", child.name))
	if end.output != nil {
		members = append(members, text("Output", value.Compact(end.output)), value.Member{Key: "OutputDetails", Value: included})
	}
	return value.NewObject(append(members,
		value.Member{Key: "RedriveCount", Value: value.Int(0)},
		text("StartDate", FormatInstant(time.Unix(0, child.started))),
		text("StateMachineArn", child.machineARN()),
		text("Status", status),
		text("StopDate", FormatInstant(time.Unix(0, end.stopped))),
	))
}
