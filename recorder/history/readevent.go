package history

import (
	"math/big"
	"strconv"
	"strings"
	"time"

	"asldb/engine/value"
)

// head reads the members that every event has: its type, id and time, and the id of the event before it. previous and timestamp
// are their keys.
func (r *reader) head(o *value.Object, previous, timestamp, pointer string) (event Event, err error) {
	if event.Type, err = r.typeOf(o, pointer); err != nil {
		return event, err
	}
	if event.ID, err = r.number(o, "id", pointer); err != nil {
		return event, err
	}
	if o.Get(previous) != nil {
		if event.Previous, err = r.number(o, previous, pointer); err != nil {
			return event, err
		}
	}
	event.Time, err = r.time(o, timestamp, pointer)
	return event, err
}

// historyEvent reads an event as GetExecutionHistory has it.
func (r *reader) historyEvent(to *Execution, o *value.Object, pointer string) error {
	event, err := r.head(o, "previousEventId", "timestamp", pointer)
	if err != nil {
		return err
	}
	kind := KindOf(event.Type)
	for key, held := range o.All() {
		if !strings.HasSuffix(key, keySuffix) || (kind.Family != OfUnknown && key != kind.Key) {
			continue
		}
		details, ok := held.(*value.Object)
		if !ok {
			return r.fault(pointer+"/"+key, "the details of an event are an object, not %s", article(held))
		}
		event.Key, event.Details = key, details
	}
	return r.add(to, event, pointer+"/"+event.Key)
}

// logEvent reads an event as the log of an Express execution has it.
func (r *reader) logEvent(o *value.Object, pointer string) error {
	event, err := r.head(o, "previous_event_id", "event_timestamp", pointer)
	if err != nil {
		return err
	}
	arn := ""
	switch held := o.Get("execution_arn").(type) {
	case nil:
	case value.String:
		arn = string(held)
	default:
		return r.fault(pointer+"/execution_arn", "execution_arn is a text, not %s", article(held))
	}
	kind := KindOf(event.Type)
	event.Key = kind.Key
	switch held := o.Get("details").(type) {
	case nil:
		event.Key = ""
	case *value.Object:
		event.Details = held
		if kind.Family == OfUnknown {
			event.Key = strings.ToLower(event.Type[:1]) + event.Type[1:] + keySuffix
		}
	default:
		return r.fault(pointer+"/details", "the details of an event are an object, not %s", article(held))
	}
	to := r.group(arn)
	to.FromLog = true
	return r.add(to, event, pointer+"/details")
}

func (r *reader) add(to *Execution, event Event, pointer string) error {
	if event.Key == "" {
		event.Details = nil // {} says nothing more
	}
	if event.Details != nil {
		for key, held := range event.Details.All() {
			if want, known := detailKinds[key]; known && !want(held) {
				return r.fault(pointer+"/"+key, "%s of %s is not %s", key, event.Type, article(held))
			}
		}
	}
	to.Events = append(to.Events, event)
	return nil
}

func isText(v value.Value) bool { _, ok := v.(value.String); return ok }

func isObject(v value.Value) bool { _, ok := v.(*value.Object); return ok }

// isNumeric accepts numbers written as texts, too, as in logs.
func isNumeric(v value.Value) bool {
	switch v := v.(type) {
	case value.Number:
		return true
	case value.String:
		_, err := value.ParseNumber(string(v))
		return err == nil
	}
	return false
}

// detailKinds say which kind the members of details are of. Payloads are missing: a tool may have parsed
// their texts.
var detailKinds = map[string]func(value.Value) bool{
	"name": isText, "error": isText, "cause": isText, "resource": isText, "resourceType": isText, "region": isText,
	"roleArn": isText, "stateMachineAliasArn": isText, "stateMachineVersionArn": isText, "workerName": isText,
	"mapRunArn": isText, "location": isText, "state": isText,
	"timeoutInSeconds": isNumeric, "heartbeatInSeconds": isNumeric, "length": isNumeric, "index": isNumeric,
	"redriveCount": isNumeric,
	"inputDetails": isObject, "outputDetails": isObject, "assignedVariables": isObject,
	"assignedVariablesDetails": isObject, "taskCredentials": isObject,
}

func (r *reader) typeOf(o *value.Object, pointer string) (string, error) {
	text, ok := o.Get("type").(value.String)
	switch {
	case o.Get("type") == nil:
		return "", r.fault(pointer, "the event has no type")
	case !ok || text == "":
		return "", r.fault(pointer+"/type", "type is the name of an event type, not %s", article(o.Get("type")))
	}
	return string(text), nil
}

// number reads a whole number from 0, also one that is written as a text.
func (r *reader) number(o *value.Object, key, pointer string) (int64, error) {
	held := o.Get(key)
	var n int64
	ok := false
	switch v := held.(type) {
	case nil:
		return 0, r.fault(pointer, "the event has no %s", key)
	case value.Number:
		n, ok = v.Int64()
	case value.String:
		parsed, err := strconv.ParseInt(string(v), 10, 64)
		n, ok = parsed, err == nil
	}
	if !ok || n < 0 {
		return 0, r.fault(pointer+"/"+key, "%s is a whole number, not %s", key, article(held))
	}
	return n, nil
}

// timeForms are how times are written besides as numbers. Tools differ in the form of the zone.
var timeForms = []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700", "2006-01-02 15:04:05.999999999Z07:00",
	"2006-01-02 15:04:05.999999999"}

// Times are within these bounds, in seconds since the Unix epoch: years 1970 to 2262, which nanoseconds
// can count.
const (
	latestSecond = 9_000_000_000
	// Numbers above this are milliseconds: as seconds they would be later than the year 5138.
	leastMillisecond = 100_000_000_000
)

// time reads a time: a number of seconds (or milliseconds) since the Unix epoch, or ISO 8601.
func (r *reader) time(o *value.Object, key, pointer string) (int64, error) {
	held := o.Get(key)
	if held == nil {
		return 0, r.fault(pointer, "the event has no %s", key)
	}
	text := ""
	switch v := held.(type) {
	case value.Number:
		text = v.Text()
	case value.String:
		text = string(v)
	}
	if n, err := value.ParseNumber(text); err == nil {
		if at, ok := sinceEpoch(n); ok {
			return at, nil
		}
	}
	for _, form := range timeForms {
		if at, err := time.Parse(form, text); err == nil && at.Unix() >= 0 && at.Unix() < latestSecond {
			return at.UnixNano(), nil
		}
	}
	return 0, r.fault(pointer+"/"+key, "%s is a time (seconds since 1970, or like 2026-01-01T00:00:00Z), not %s", key,
		article(held))
}

func sinceEpoch(n value.Number) (nanoseconds int64, ok bool) {
	seconds := n.Float64()
	unit := int64(time.Second)
	if seconds >= leastMillisecond {
		unit, seconds = int64(time.Millisecond), seconds/1000
	}
	if seconds < 0 || seconds >= latestSecond || (seconds > 0 && seconds < 1e-9) {
		return 0, false
	}
	exact, ok := new(big.Rat).SetString(n.Text())
	if !ok {
		return 0, false
	}
	exact.Mul(exact, big.NewRat(unit, 1))
	return new(big.Int).Quo(exact.Num(), exact.Denom()).Int64(), true
}
