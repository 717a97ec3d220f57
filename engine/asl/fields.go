package asl

import (
	"iter"
	"maps"
	"slices"

	"asldb/engine/value"
)

// typeSet is a set of state types.
type typeSet uint16

const (
	onPass     typeSet = 1 << Pass
	onTask     typeSet = 1 << Task
	onChoice   typeSet = 1 << Choice
	onWait     typeSet = 1 << Wait
	onSucceed  typeSet = 1 << Succeed
	onFail     typeSet = 1 << Fail
	onParallel typeSet = 1 << Parallel
	onMap      typeSet = 1 << Map

	onAll  = onPass | onTask | onChoice | onWait | onSucceed | onFail | onParallel | onMap
	onWork = onTask | onParallel | onMap // states that do work which can fail
)

func (t StateType) in(set typeSet) bool { return set>>t&1 != 0 }

// Works reports whether states of the type do work, which can fail: tasks, branches or iterations.
func (t StateType) Works() bool { return t.in(onWork) }

// Document is the data that $ means in a field.
type Document uint8

// The documents. In JSONata a field reads the raw input, whatever its document, as $states.input.
const (
	NoDocument     Document = iota // nothing in the field is evaluated
	RawInput                       // the state's input
	EffectiveInput                 // after InputPath
	RawResult                      // the result of the work
	AssignInput                    // the result of a state that works, the effective input of others
	StateOutput                    // after ResultPath
	ErrorOutput                    // the error that a catcher took
)

// Content is the kind of text that a field holds.
type Content uint8

// The kinds of text. All from ContentPath to ContentTextPath may read the context object and variables.
const (
	ContentComment      Content = iota + 1
	ContentWord                 // one of a few words
	ContentFlag                 // true or false
	ContentName                 // of a state in the same States
	ContentURI                  // of an action
	ContentLabel                // a part of names
	ContentLiteral              // any JSON, taken as it is
	ContentResultPath           // a Reference Path into the raw input, or null
	ContentPath                 // a Path, or null
	ContentItemsPath            // a Reference Path
	ContentTemplate             // any JSON, with paths, intrinsic functions or expressions in it
	ContentPayload              // such an object, or one expression in JSONata
	ContentAssign               // an object whose members become variables
	ContentItems                // an array, an object, or an expression in JSONata
	ContentCondition            // true, false, or an expression in JSONata
	ContentRole                 // a payload that names a role
	ContentCount                // a whole number, or an expression in JSONata
	ContentPercentage           // a number from 0 to 100, or an expression in JSONata
	ContentQuantityPath         // a Reference Path to a number or a timestamp
	ContentTimestamp            // a timestamp of RFC 3339, or an expression in JSONata
	ContentText                 // a text, or an expression in JSONata
	ContentTextPath             // a Reference Path or an intrinsic function that gives a text
	// The contents below have their own fields.
	ContentRules
	ContentRetriers
	ContentCatchers
	ContentBranches
	ContentProcessor
	ContentReader
	ContentBatcher
	ContentWriter
	ContentConfig // of a reader or writer
	// The contents below are parts of others.
	ContentErrorNames
	ContentNumber
	ContentHeaders
	ContentPointer // a JSON Pointer
)

// Kinds is a set of kinds of JSON values.
type Kinds uint8

const (
	ofNull   Kinds = 1 << value.KindNull
	ofBool   Kinds = 1 << value.KindBool
	ofNumber Kinds = 1 << value.KindNumber
	ofString Kinds = 1 << value.KindString
	ofArray  Kinds = 1 << value.KindArray
	ofObject Kinds = 1 << value.KindObject
	ofAny          = ofNull | ofBool | ofNumber | ofString | ofArray | ofObject
)

// Has reports whether a kind is in the set.
func (k Kinds) Has(kind value.Kind) bool { return k>>kind&1 != 0 }

// jsonKinds has the kinds of values that each kind of text may be; queryKinds those that JSONata adds as expressions.
var jsonKinds = [...]Kinds{
	ContentComment: ofString, ContentWord: ofString, ContentFlag: ofBool, ContentName: ofString, ContentURI: ofString, ContentLabel: ofString,
	ContentLiteral: ofAny, ContentPath: ofString | ofNull, ContentItemsPath: ofString, ContentResultPath: ofString | ofNull,
	ContentTemplate: ofAny, ContentPayload: ofObject, ContentRole: ofObject, ContentAssign: ofObject, ContentItems: ofArray | ofObject,
	ContentCondition: ofBool, ContentCount: ofNumber, ContentPercentage: ofNumber, ContentQuantityPath: ofString,
	ContentTimestamp: ofString, ContentText: ofString, ContentTextPath: ofString,
	ContentRules: ofArray, ContentRetriers: ofArray, ContentCatchers: ofArray, ContentBranches: ofArray, ContentProcessor: ofObject,
	ContentReader: ofObject, ContentBatcher: ofObject, ContentWriter: ofObject, ContentConfig: ofObject,
	ContentErrorNames: ofArray, ContentNumber: ofNumber, ContentHeaders: ofArray, ContentPointer: ofString,
}

// Evaluated reports whether paths, intrinsic functions or expressions are in the text.
func (c Content) Evaluated() bool { return ContentPath <= c && c <= ContentTextPath }

// Templated reports whether the text is JSON in which some strings are evaluated and others are not.
func (c Content) Templated() bool { return ContentTemplate <= c && c <= ContentCondition }

// Field is a row of the table of fields: a field of some types of states, or one of the parts of such a field.
type Field struct {
	Name string
	// Language is the query language to which the field belongs; 0 where both have it.
	Language QueryLanguage
	Content  Content
	// Stage is the stage that the field works in, NoStage where it processes no data.
	Stage Stage
	// Reads is the document that $ means; Result reports whether $states.result is there in JSONata.
	Reads  Document
	Result bool
	// Inspection is TestState's key for the result of the stage where it is not the stage's own.
	Inspection string
	// Distributed reports whether only the Map states with the mode DISTRIBUTED use the field.
	Distributed bool
	// Parts are the fields of the field's object, or of the objects in its array.
	Parts []Field

	types     typeSet
	low, high int64 // the bounds of a ContentCount
	slot      slot
}

// slot leads to the value of a field in a State: one of them is set, by the kind of text, or none where the fields of the
// State are more than one.
type slot struct {
	path     func(*State) **PathField
	template func(*State) **TemplateField
	quantity func(*State) **Quantity
	text     func(*State) **TextField
	word     func(*State) *string
}

// On reports whether states of the type have the field.
func (f *Field) On(t StateType) bool { return t.in(f.types) }

// In reports whether the field belongs to the query language.
func (f *Field) In(language QueryLanguage) bool { return f.Language == 0 || f.Language == language }

// Takes reports whether the field may hold a value of the kind in a state of the query language.
func (f *Field) Takes(kind value.Kind, language QueryLanguage) bool {
	set := jsonKinds[f.Content]
	if language == JSONata && f.Content.Evaluated() && f.Content != ContentAssign {
		set |= ofString
	}
	return set.Has(kind)
}

// PathIn returns the field's value in a state; nil where it is absent or no path.
func (f *Field) PathIn(s *State) *PathField {
	if f.slot.path == nil {
		return nil
	}
	return *f.slot.path(s)
}

// TemplateIn returns the field's value in a state; nil where it is absent, or neither a literal nor a template.
func (f *Field) TemplateIn(s *State) *TemplateField {
	if f.slot.template == nil {
		return nil
	}
	return *f.slot.template(s)
}

// QuantityIn returns the field's value in a state; nil where it is absent or no quantity. A field and its …Path form give
// the same.
func (f *Field) QuantityIn(s *State) *Quantity {
	if f.slot.quantity == nil {
		return nil
	}
	return *f.slot.quantity(s)
}

// TextIn returns the field's value in a state; nil where it is absent or no text that can be evaluated. A field and its
// …Path form give the same.
func (f *Field) TextIn(s *State) *TextField {
	if f.slot.text == nil {
		return nil
	}
	return *f.slot.text(s)
}

// Fields iterates over the table. Where a name has another meaning in another type of state, it has two rows.
func Fields() iter.Seq[*Field] {
	return func(yield func(*Field) bool) {
		for i := range stateFields {
			if !yield(&stateFields[i]) {
				return
			}
		}
	}
}

// FieldOf returns the field of that name of a type of state, or nil.
func FieldOf(t StateType, name string) *Field {
	if rows := fieldIndex.byName[name]; rows != nil {
		return rows[t]
	}
	return nil
}

// FieldsAt returns the fields that work in a stage of a type of state. The first of them names the stage where one does the
// work alone.
func FieldsAt(t StateType, language QueryLanguage, stage Stage) []*Field {
	return fieldIndex.atStage[fieldPlace{t, language, stage}]
}

// FieldNamed returns the first field of that name, of whichever type of state, or nil.
func FieldNamed(name string) *Field {
	if rows := fieldIndex.byName[name]; rows != nil {
		for _, f := range rows {
			if f != nil {
				return f
			}
		}
	}
	return nil
}

// Part returns the part of that name, or nil.
func (f *Field) Part(name string) *Field { return partOf(f.Parts, name) }

func partOf(parts []Field, name string) *Field {
	for i := range parts {
		if parts[i].Name == name {
			return &parts[i]
		}
	}
	return nil
}

// fieldPlace is where the fields of a stage are found.
type fieldPlace struct {
	of       StateType
	language QueryLanguage
	stage    Stage
}

// fieldRows are the fields of one name, by the type of state.
type fieldRows [Map + 1]*Field

// index finds the rows of the table.
type index struct {
	byName  map[string]*fieldRows
	atStage map[fieldPlace][]*Field
}

var fieldIndex = indexOf(stateFields)

func indexOf(rows []Field) index {
	x := index{make(map[string]*fieldRows), make(map[fieldPlace][]*Field)}
	for i := range rows {
		f := &rows[i]
		if x.byName[f.Name] == nil {
			x.byName[f.Name] = new(fieldRows)
		}
		for t := Pass; t <= Map; t++ {
			if !f.On(t) {
				continue
			}
			x.byName[f.Name][t] = f
			for _, language := range []QueryLanguage{JSONPath, JSONata} {
				if f.Stage != NoStage && f.In(language) {
					at := fieldPlace{t, language, f.Stage}
					x.atStage[at] = append(x.atStage[at], f)
				}
			}
		}
	}
	return x
}

// fieldNames lists the names of the fields of the types, sorted.
func fieldNames(types typeSet) []string {
	names := make(map[string]bool)
	for f := range Fields() {
		if f.types&types != 0 {
			names[f.Name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// namesOf lists the names of fields, in their order.
func namesOf(fields []Field) []string {
	return value.Each(fields, func(each Field) string { return each.Name })
}

// exclusiveFields are the fields that exclude each other: a state may have only one, in the order in which the service
// lists them.
var exclusiveFields = []struct {
	types  typeSet
	fields []string
}{
	{onTask, []string{"TimeoutSeconds", "TimeoutSecondsPath"}},
	{onTask, []string{"HeartbeatSeconds", "HeartbeatSecondsPath"}},
	{onWait, []string{"SecondsPath", "Seconds", "TimestampPath", "Timestamp"}},
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
	{onWait, []string{"SecondsPath", "Seconds", "TimestampPath", "Timestamp"}},
	{onParallel, []string{"Branches"}},
	{onMap, []string{"ItemProcessor", "Iterator"}},
}
