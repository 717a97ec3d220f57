package serve_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sfn"
	"github.com/aws/aws-sdk-go-v2/service/sfn/types"

	"asldb/fixtures"
	"asldb/internal/definitions"
	"asldb/internal/serve"
	"asldb/internal/testkit"
)

// TestHosts: names of other machines are refused, unless they were allowed.
func TestHosts(t *testing.T) {
	usual, remote := serve.New(options()), options()
	remote.Remote, remote.Hosts = true, []string{"sfn.example.org"}
	open := serve.New(remote)
	t.Cleanup(func() {
		usual.Close()
		open.Close()
	})
	for host, want := range map[string][2]int{
		"localhost:8083": {200, 200}, "sync-localhost": {200, 200}, "127.0.0.1:1": {200, 200}, "[::1]:1": {200, 200},
		"x.localhost": {200, 200}, "192.0.2.1": {403, 200}, "sfn": {403, 200}, "sync-sfn:8083": {403, 200},
		"host.docker.internal": {403, 200}, "evil.example": {403, 403}, "SFN.example.org": {403, 200},
	} {
		for i, s := range []*serve.Server{usual, open} {
			request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+host+"/health", nil)
			reply := httptest.NewRecorder()
			if s.ServeHTTP(reply, request); reply.Code != want[i] {
				t.Errorf("%s, remote %t: %d", host, i == 1, reply.Code)
			}
		}
	}
	request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost/health", nil)
	request.Header.Set("Sec-Fetch-Site", "cross-site")
	reply := httptest.NewRecorder()
	if usual.ServeHTTP(reply, request); reply.Code != http.StatusForbidden {
		t.Errorf("a request of another site: %d", reply.Code)
	}
}

// TestOwnRefusals: a debugger's requests that are wrong are refused and say why.
func TestOwnRefusals(t *testing.T) {
	o := options()
	o.Breakpoints = []string{"P"}
	c := newClient(t, o)
	at := "/_asldb/executions/" + url.PathEscape(c.start(c.create("pass", pass), `{}`))
	for _, test := range []struct {
		method, path, body string
		want               int
	}{
		{"GET", "/_asldb/breakpoints", "", 200}, {"POST", "/_asldb/breakpoints", `{"specs":["Q"]}`, 200},
		{"GET", "/_asldb/nothing", "", 404}, {"GET", at + "/nothing", "", 404}, {"GET", at + "/why", "", 200},
		{"POST", "/_asldb/reset", "{", 400}, {"GET", "/_asldb/executions/arn:none", "", 400},
		{"POST", at + "/step", `{"kind":"jump"}`, 400}, {"POST", at + "/step", `{"kind":"to","target":"None"}`, 400},
		{"POST", at + "/input", `{"input":{"answer":"outcome","request":9,"output":1}}`, 400},
		{"POST", at + "/input", `{"input":{"answer":"none"}}`, 400}, {"POST", at + "/input", `{}`, 400},
		{"POST", at + "/answer", `{}`, 400}, {"GET", at, "", 200}, {"GET", at + "/trace?from=10", "", 200},
		{"POST", at + "/input", `{"input":{"answer":"edit","editThread":0,"edit":{"b":2}}}`, 200},
		{"POST", at + "/step", `{"kind":"wait"}`, 200}, {"POST", at + "/continue", "", 200},
		{"POST", at + "/continue", "", 200}, {"POST", at + "/input", `{"input":{"answer":"abort"}}`, 400},
	} {
		if got := c.own(test.method, test.path, test.body, nil); got != test.want {
			t.Errorf("%s %s %s: %d, not %d", test.method, test.path, test.body, got, test.want)
		}
	}
}

// TestConfigurations: tags and the configuration of logs keep to the bounds of the service.
func TestConfigurations(t *testing.T) {
	c := newClient(t, options())
	var many []types.Tag
	for i := range 51 {
		many = append(many, types.Tag{Key: aws.String(strings.Repeat("k", i+1)), Value: aws.String("v")})
	}
	in := sfn.CreateStateMachineInput{Name: aws.String("m"), Definition: aws.String(pass), RoleArn: aws.String(role)}
	tagged := in
	tagged.Tags = many
	_, err := c.CreateStateMachine(t.Context(), &tagged)
	c.fails(err, "TooManyTags", "")
	arn := must[*sfn.CreateStateMachineOutput](c)(c.CreateStateMachine(t.Context(), &in)).StateMachineArn
	_, err = c.TagResource(t.Context(), &sfn.TagResourceInput{ResourceArn: arn, Tags: many})
	c.fails(err, "TooManyTags", "")
	described := in
	described.VersionDescription = aws.String("first")
	_, err = c.CreateStateMachine(t.Context(), &described)
	c.fails(err, "ValidationException", "Version description can only be set when publish is true")
	logged := in
	logged.LoggingConfiguration = &types.LoggingConfiguration{Level: types.LogLevelAll}
	_, err = c.CreateStateMachine(t.Context(), &logged)
	c.fails(err, "InvalidLoggingConfiguration",
		"Invalid Logging Configuration: Must specify exactly one Log Destination.")
	act := must[*sfn.CreateActivityOutput](c)(c.CreateActivity(t.Context(),
		&sfn.CreateActivityInput{Name: aws.String("act"), Tags: many[:1]})).ActivityArn
	tags := must[*sfn.ListTagsForResourceOutput](c)(c.ListTagsForResource(t.Context(),
		&sfn.ListTagsForResourceInput{ResourceArn: act})).Tags
	if len(tags) != 1 || *tags[0].Key != "k" {
		t.Errorf("%+v", tags)
	}
	_, err = c.CreateStateMachineAlias(t.Context(), &sfn.CreateStateMachineAliasInput{Name: aws.String("1"),
		RoutingConfiguration: []types.RoutingConfigurationListItem{{StateMachineVersionArn: arn, Weight: 100}}})
	c.fails(err, "ValidationException", "1 validation error detected: Value '1' at 'name' failed to satisfy "+
		`constraint: Member must satisfy regular expression pattern: ^(?=.*[a-zA-Z_\-\.])[a-zA-Z0-9_\-\.]+$`)
}

// TestLiveFixtures: the calls of fixtures are made where they are allowed, and a result that cannot be had fails the
// task.
func TestLiveFixtures(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"paid":true}`)
	}))
	defer web.Close()
	dir := testkit.New(t, map[string]string{
		"pay.asl.json": `{"StartAt":"Pay","States":{"Pay":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke",
			"Parameters":{"FunctionName":"f"},"Next":"Check"},"Check":{"Type":"Task",
			"Resource":"arn:aws:states:::lambda:invoke","Parameters":{"FunctionName":"g"},"End":true}}}`,
		"pay.fixtures.yaml": "version: 1\ntasks:\n  Pay: [{http: \"" + web.URL + "\"}]\n" +
			"  Check: [{jsonata: \"$error('no stock')\"}]\n",
	})
	o := options()
	o.Spec.Permit = func(*fixtures.File, *fixtures.Source) (fixtures.Permission, error) {
		return fixtures.AnyCall(), nil
	}
	c := newClient(t, o)
	arn, err := c.server.Add(definitions.Definition{File: filepath.Join(dir, "pay.asl.json")})
	if err != nil {
		t.Fatal(err)
	}
	run := c.start(arn, `{}`)
	d := c.end(run)
	if d.Status != types.ExecutionStatusFailed || !strings.Contains(aws.ToString(d.Cause), "no stock") {
		t.Errorf("%s: %s %s", d.Status, aws.ToString(d.Error), aws.ToString(d.Cause))
	}
	for _, e := range c.history(run) {
		if e.TaskSucceededEventDetails != nil && !strings.Contains(*e.TaskSucceededEventDetails.Output, `"paid":true`) {
			t.Errorf("the call gives %s", *e.TaskSucceededEventDetails.Output)
		}
	}
}
