package serve

import (
	"fmt"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"

	"asldb/engine/value"
	"asldb/internal/wording"
)

// constraint is the model's for a member, whichever operation has it.
type constraint struct {
	least, most int // of the length of a text, or of a number
	words       []string
	pattern     string
	secret      bool // messages do not show the value
	bytes       int  // of a payload, in UTF-8
}

const maxPayload = 262_144

// constraints has the constraints by the names of members.
var constraints = map[string]constraint{
	"stateMachineArn": {least: 1, most: 256}, "executionArn": {least: 1, most: 256},
	"activityArn": {least: 1, most: 256},
	"resourceArn": {least: 1, most: 256}, "roleArn": {least: 1, most: 256},
	"stateMachineAliasArn":   {least: 1, most: 256},
	"stateMachineVersionArn": {least: 1, most: 2000}, "mapRunArn": {least: 1, most: 2000},
	"name": {least: 1, most: 80}, "workerName": {least: 1, most: 80}, "stateName": {least: 1, most: 80},
	"definition": {least: 1, most: 1_048_576, secret: true}, "versionDescription": {most: 256, secret: true},
	"description": {most: 256, secret: true}, "error": {most: 256, secret: true}, "cause": {most: 32_768, secret: true},
	"input": {bytes: maxPayload, secret: true}, "output": {bytes: maxPayload, secret: true},
	"variables": {bytes: maxPayload, secret: true}, "context": {bytes: maxPayload, secret: true},
	"traceHeader": {most: 256}, "clientToken": {least: 1, most: 64, pattern: `[!-~]+`},
	"taskToken": {least: 1, most: 2048},
	"nextToken": {least: 1, most: 3096}, "maxResults": {most: 1000}, "weight": {most: 100},
	"toleratedFailurePercentage": {most: 100}, "key": {least: 1, most: 128}, "value": {most: 256},
	"type": {words: []string{"STANDARD", "EXPRESS"}}, "level": {words: []string{"ALL", "ERROR", "FATAL", "OFF"}},
	"statusFilter":    {words: []string{"SUCCEEDED", "TIMED_OUT", "PENDING_REDRIVE", "ABORTED", "FAILED", "RUNNING"}},
	"redriveFilter":   {words: []string{"REDRIVEN", "NOT_REDRIVEN"}},
	"includedData":    {words: []string{"ALL_DATA", "METADATA_ONLY"}},
	"inspectionLevel": {words: []string{"INFO", "DEBUG", "TRACE"}}, "severity": {words: []string{"ERROR", "WARNING"}},
}

// aliasName is the pattern of aliases' names.
var aliasName = wording.Pattern(`^[a-zA-Z0-9_\-.]*[a-zA-Z_\-.][a-zA-Z0-9_\-.]*$`)

const aliasPattern = `^(?=.*[a-zA-Z_\-\.])[a-zA-Z0-9_\-\.]+$`

// constrain returns the error of a request whose members do not keep to the constraints; must are the required ones.
func constrain(in reflect.Value, must []string) error {
	k := &keeper{must: must}
	k.members(in, "")
	switch len(k.found) {
	case 0:
		return nil
	case 1:
		return faultf(validation, "1 validation error detected: %s", k.found[0])
	}
	return faultf(validation, "%d validation errors detected: %s", len(k.found), strings.Join(k.found, "; "))
}

// keeper collects the violations of a request.
type keeper struct {
	must  []string
	found []string
}

func (k *keeper) wrong(v any, at, format string, args ...any) {
	subject := "Value '" + fmt.Sprint(v) + "'"
	switch {
	case v == nil:
		subject = "Value null"
	case k.rule(at).secret:
		subject = "Value"
	}
	k.found = append(k.found, subject+" at '"+at+"' failed to satisfy constraint: Member must "+fmt.Sprintf(format,
		args...))
}

func (*keeper) rule(at string) constraint { return constraints[at[strings.LastIndex(at, ".")+1:]] }

func (k *keeper) members(of reflect.Value, within string) {
	for i := range of.NumField() {
		field := of.Type().Field(i)
		if !field.IsExported() {
			continue
		}
		first, size := utf8.DecodeRuneInString(field.Name)
		at := within + string(unicode.ToLower(first)) + field.Name[size:]
		k.member(of.Field(i), at)
	}
}

func (k *keeper) member(v reflect.Value, at string) {
	absent := v.IsZero()
	if v.Kind() == reflect.Pointer && !absent {
		v = v.Elem()
	}
	if absent {
		for _, name := range k.must {
			if name == at && k.rule(at).secret {
				k.found = append(k.found, "Value at '"+at+"' failed to satisfy constraint: Member must not be null")
			} else if name == at {
				k.wrong(nil, at, "not be null")
			}
		}
		return
	}
	rule := k.rule(at)
	switch v.Kind() {
	case reflect.String:
		k.text(v.String(), at, rule)
	case reflect.Int32, reflect.Int64:
		k.number(float64(v.Int()), v.Interface(), at, rule)
	case reflect.Float32:
		k.number(v.Float(), v.Interface(), at, rule)
	case reflect.Struct:
		k.members(v, at+".")
	case reflect.Slice:
		for i := range v.Len() {
			if item := v.Index(i); item.Kind() == reflect.Struct {
				k.members(item, fmt.Sprintf("%s.%d.member.", at, i+1))
			}
		}
	default:
	}
}

func (k *keeper) number(n float64, v any, at string, rule constraint) {
	switch {
	case n < float64(rule.least):
		k.wrong(v, at, "have value greater than or equal to %d", rule.least)
	case rule.most > 0 && n > float64(rule.most):
		k.wrong(v, at, "have value less than or equal to %d", rule.most)
	}
}

func (k *keeper) text(text, at string, rule constraint) {
	length := utf8.RuneCountInString(text)
	switch {
	case rule.words != nil:
		for _, word := range rule.words {
			if text == word {
				return
			}
		}
		k.wrong(text, at, "satisfy enum value set: [%s]", strings.Join(rule.words, ", "))
	case rule.bytes > 0 && len(text) > rule.bytes:
		k.wrong(text, at, "have size less than or equal to %d bytes in UTF-8 encoding", rule.bytes)
	case length < rule.least:
		k.wrong(text, at, "have length greater than or equal to %d", rule.least)
	case rule.most > 0 && length > rule.most:
		k.wrong(text, at, "have length less than or equal to %d", rule.most)
	case rule.pattern != "" && strings.ContainsFunc(text, func(r rune) bool { return r < '!' || r > '~' }):
		k.wrong(text, at, "satisfy regular expression pattern: %s", rule.pattern)
	}
}

// checkName refuses names of machines, executions and activities.
func checkName(name string) error {
	if strings.ContainsFunc(name, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune("<>{}[]?*\"#%\\^|~`$&,;:/", r) ||
			r == utf8.RuneError
	}) {
		return faultf(invalidName, "Invalid Name: '%s'", name)
	}
	return nil
}

// answer is the output of an operation that is being made. Members without a value are left out.
type answer []value.Member

func (a *answer) set(key string, v value.Value) {
	if v != nil {
		*a = append(*a, value.M(key, v))
	}
}

func (a *answer) text(key, text string) {
	if text != "" {
		*a = append(*a, value.Text(key, text))
	}
}

func (a *answer) number(key string, n int) { *a = append(*a, value.M(key, value.Int(int64(n)))) }

func (a answer) object() *value.Object { return value.NewObject(a) }
