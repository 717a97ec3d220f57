package dap

import (
	"net/http/httptest"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/internal/attach"
	"asldb/internal/definitions"
	"asldb/internal/launch"
	server "asldb/internal/serve"
)

// An editor attaches to an execution of asldb serve that is held, steps it, answers its task, and lets it run.
func TestAttachToAServer(t *testing.T) {
	e := newEditor(t)
	file := e.file("charge.asl.json", `{"StartAt":"Charge","States":{
		"Charge":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","Parameters":{"FunctionName":"f"},
			"Next":"Ship"},
		"Ship":{"Type":"Pass","End":true}}}`)
	s := server.New(
		server.Options{Home: server.Home{Account: "123456789012", Region: "us-east-1"}, Missing: server.MissingHolds,
			Spec: launch.Spec{Limits: engine.ServiceLimits()}, Breakpoints: []string{"Charge"}},
	)
	web := httptest.NewServer(s)
	t.Cleanup(func() {
		s.Close()
		web.Close()
	})
	arn, err := s.Add(definitions.Definition{File: file})
	if err != nil {
		t.Fatal(err)
	}
	e.must("initialize", map[string]any{})
	e.refused("attach", map[string]any{"url": web.URL}, "is held")
	e.refused("attach", map[string]any{"url": web.URL, "trace": "x.trace"}, "without history and trace")
	e.refused("launch", map[string]any{"url": web.URL}, "url is for attach")
	start := `{"stateMachineArn":"` + arn + `","name":"one"}`
	request := httptest.NewRequestWithContext(t.Context(), "POST", web.URL, strings.NewReader(start))
	request.Header.Set("Content-Type", "application/x-amz-json-1.0")
	request.Header.Set("X-Amz-Target", "AWSStepFunctions.StartExecution")
	reply := httptest.NewRecorder()
	if s.ServeHTTP(reply, request); reply.Code != 200 {
		t.Fatal(reply.Body.String())
	}
	e.must("attach", map[string]any{"url": web.URL})
	e.event("initialized")
	e.must("configurationDone", nil)
	e.stopped("entry")
	if name := e.top(1)["name"]; !strings.HasPrefix(name.(string), "Charge") {
		t.Errorf("it is in %v", name)
	}
	e.must("continue", map[string]any{"threadId": 1})
	e.stopped("pause")
	e.must("evaluate", map[string]any{"expression": ":answer {\"paid\":true}", "context": "repl"})
	e.stopped("end")
	e.must("disconnect", map[string]any{})
	connection, err := attach.Connect(t.Context(), web.URL)
	if err != nil {
		t.Fatal(err)
	}
	list, _, err := attach.List{Server: connection}.Next(t.Context())
	if err != nil || len(list) != 1 || list[0].Status != "SUCCEEDED" {
		t.Errorf("%+v: %v", list, err)
	}
}
