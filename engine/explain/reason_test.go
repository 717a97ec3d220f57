package explain_test

import (
	"testing"

	"asldb/engine"
	"asldb/engine/explain"
)

// TestReasonOfALambdaFunction has Causes as the runtimes of Lambda write them.
func TestReasonOfALambdaFunction(t *testing.T) {
	for _, test := range []struct{ name, cause, want string }{
		{"KeyError", `{"errorMessage":"'items'","errorType":"KeyError","requestId":"r","stackTrace":["  File \"/var/task/app.py\", line 12, in handler\n    price(event)\n",` +
			`"  File \"/var/task/price.py\", line 3, in price\n    order['items']\n"]}`, `'items', File "/var/task/price.py", line 3, in price`},
		{"TypeError", `{"errorType":"TypeError","errorMessage":"x is undefined","trace":["TypeError: x is undefined","    at price (/var/task/price.js:3:9)",` +
			`"    at Runtime.handler (/var/task/index.js:12:3)"]}`, "x is undefined, at price (/var/task/price.js:3:9)"},
		{"States.TaskFailed", `{"errorMessage":"no","errorType":"java.lang.IllegalStateException","stackTrace":["shop.Price.of(Price.java:3)","shop.App.handle(App.java:12)"]}`,
			"java.lang.IllegalStateException: no, at shop.Price.of(Price.java:3)"},
		{"Sandbox.Timedout", `{"errorType":"Sandbox.Timedout","errorMessage":"Task timed out after 3.00 seconds"}`, "Task timed out after 3.00 seconds"},
		{"E", `{"errorMessage":"m","stackTrace":[["app.py",3,"f"],null],"trace":7}`, "m"},
		{"E", `{"errorMessage":{"a":1}}`, `{"errorMessage":{"a":1}}`},
		{"E", `{"errorMessage":"cut`, `{"errorMessage":"cut`},
		{"E", "plain", "plain"},
		{"E", "", ""},
	} {
		if got := explain.Reason(&engine.Failure{Name: test.name, Cause: test.cause}); got != test.want {
			t.Errorf("%s\ngot  %s\nwant %s", test.cause, got, test.want)
		}
	}
}
