package versions_test

import (
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/value"
)

// The place of data that differ is the place of the field that made them: of several, the one that has changed.
func TestPlacesOfData(t *testing.T) {
	const paths = `{"StartAt":"A","States":{
"A":{"Type":"Pass","Parameters":{
 "id.$":"$.id",
 "n":1},
 "ResultPath":"$.made","Next":"T"},
"T":{"Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage",
 "Parameters":{"Body":{"n.$":"$.made.n"},
  "Url":"q"},
 "ResultSelector":{
  "k.$":"$.k"},
 "ResultPath":"$.sent",
 "OutputPath":"$","Next":"M"},
"M":{"Type":"Map","ItemsPath":"$.list",
 "ItemSelector":{"v.$":"$$.Map.Item.Value",
  "c":1},
 "ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Wait","Seconds":1,"End":true}}},
 "ResultPath":"$.out","Next":"F"},
"F":{"Type":"Fail",
 "Error":"E",
 "Cause":"C"}}}`
	const query = `{"QueryLanguage":"JSONata","StartAt":"A","States":{
"A":{"Type":"Pass","Assign":{
  "n":1,
  "m":{"k":1}},
 "Output":{
  "x":1,
  "y":2},"Next":"C"},
"C":{"Type":"Choice","Choices":[{"Condition":"{% true %}",
  "Assign":{
   "r":1},
  "Next":"E"}]},
"E":{"Type":"Succeed","Output":{
  "z":"{% $states.input.x %}",
  "n":"{% $n %}"}}}}`
	for _, c := range []struct{ definition, from, to, want string }{
		{paths, `"n":1}`, `"n":2}`, "A: output $.made.n @ new:4"},
		{paths, `"$.made","Next"`, `"$.made2","Next"`, "A: output $.made @ new:5"},
		{paths, `"$.made.n"`, `"$.made.id"`, "T: payload $.Body.n @ new:7"},
		{paths, `"Url":"q"`, `"Url":"r"`, "T: payload $.Url @ new:8"},
		{paths, `"k.$":"$.k"`, `"k.$":"$.other"`, "T: output $.sent.k @ new:10"},
		{paths, `"ResultPath":"$.sent"`, `"ResultPath":"$.id"`, "T: output $.id @ new:11"},
		{paths, `"OutputPath":"$"`, `"OutputPath":"$.made"`, "T: output $.list @ new:12"},
		{paths, `"ItemsPath":"$.list"`, `"ItemsPath":"$.other"`, "M: items $[*] @ new:13"},
		{paths, `"c":1}`, `"c":2}`, "M/Iterations[*]/I: input $.c @ new:15"},
		{paths, `"Error":"E"`, `"Error":"X"`, "F: error $ @ new:19"},
		{paths, `"Cause":"C"`, `"Cause":"X"`, "F: cause $ @ new:20"},
		{query, `"n":1,`, `"n":2,`, "A: variables $.n @ new:3"},
		{query, `"k":1`, `"k":2`, "A: variables $.m.k @ new:4"},
		{query, `"y":2`, `"y":3`, "A: output $.y @ new:7"},
		{query, `"r":1`, `"r":2`, "C: variables $.r @ new:10"},
		{query, `$states.input.x`, `$states.input.y`, "E: output $.z @ new:13"},
	} {
		if strings.Count(c.definition, c.from) != 1 {
			t.Fatal(c.from)
		}
		r := one(t, c.definition, strings.Replace(c.definition, c.from, c.to, 1), `{"id":7,"list":[1],"other":[2]}`,
			func(*engine.TaskRequest) engine.Outcome {
				return engine.Outcome{Output: value.Must(`{"k":1,"other":2}`), After: time.Second}
			})
		_, got, _ := strings.Cut(titles(r), ": ")
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.to, got, c.want)
		}
	}
}
