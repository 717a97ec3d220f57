package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/sfn"
	"github.com/aws/aws-sdk-go-v2/service/sfn/types"
)

// served is a program that serves, with a client of the SDK.
type served struct {
	*sfn.Client
	cmd    *exec.Cmd
	stderr strings.Builder
}

// serveProgram starts "asldb serve" in a folder on a free port, and waits until it is ready.
func serveProgram(t *testing.T, dir string, args ...string) *served {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := &served{cmd: exec.Command(program)}
	s.cmd.Args, s.cmd.Dir = append([]string{"asldb", "serve", "--port", "0"}, args...), dir
	s.cmd.Stderr = &s.stderr
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	watchdog := time.AfterFunc(time.Minute, func() { _ = s.cmd.Process.Kill() })
	t.Cleanup(func() { watchdog.Stop(); _ = s.cmd.Process.Kill() })
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if url, ready := strings.CutPrefix(lines.Text(), "ready: "); ready {
			s.Client = sfn.New(sfn.Options{Region: "us-east-1", BaseEndpoint: &url, RetryMaxAttempts: 1,
				Credentials: credentials.NewStaticCredentialsProvider("k", "s", "")})
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return s
		}
	}
	t.Fatalf("it is not ready: %s", s.stderr.String())
	return nil
}

const (
	servedArn = "arn:aws:states:us-east-1:123456789012:stateMachine:"
	approval  = `{"StartAt":"Ask","States":{"Ask":{"Type":"Task",
		"Resource":"arn:aws:states:::sqs:sendMessage.waitForTaskToken",
		"Parameters":{"QueueUrl":"q","MessageBody":{"Token.$":"$$.Task.Token"}},"End":true}}}`
	lookUp = `{"StartAt":"Get","States":{"Get":{"Type":"Task","Resource":"arn:aws:states:::dynamodb:getItem",
		"Parameters":{"TableName":"orders","Key":{"id":{"S":"7"}}},"OutputPath":"$.Item.paid.BOOL","End":true}}}`
)

func writeServed(t *testing.T) (dir string) {
	dir = t.TempDir()
	for name, text := range map[string]string{"approval.asl.json": approval, "get.asl.json": lookUp} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestSignalEndsAServer: SIGTERM answers the polls that are open, completes the traces, writes the log and ends with
// status 0.
func TestSignalEndsAServer(t *testing.T) {
	dir := writeServed(t)
	s := serveProgram(t, dir, "approval.asl.json", "--trace-dir", "traces", "--coverage-out", "cover.json")
	started, err := s.StartExecution(t.Context(), &sfn.StartExecutionInput{
		StateMachineArn: aws.String(servedArn + "approval"), Name: aws.String("one"), Input: aws.String("{}")})
	if err != nil {
		t.Fatal(err)
	}
	activity, err := s.CreateActivity(t.Context(), &sfn.CreateActivityInput{Name: aws.String("work")})
	if err != nil {
		t.Fatal(err)
	}
	polled, sent := make(chan error, 1), make(chan struct{}, 1)
	poll := httptrace.WithClientTrace(context.Background(), &httptrace.ClientTrace{
		WroteRequest: func(httptrace.WroteRequestInfo) { sent <- struct{}{} },
	})
	go func() {
		_, err := s.GetActivityTask(poll, &sfn.GetActivityTaskInput{ActivityArn: activity.ActivityArn})
		polled <- err
	}()
	<-sent
	d, err := s.DescribeExecution(t.Context(), &sfn.DescribeExecutionInput{ExecutionArn: started.ExecutionArn})
	if err != nil || d.Status != types.ExecutionStatusRunning {
		t.Fatalf("%+v %v", d, err)
	}
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := <-polled; err != nil {
		t.Errorf("the open poll: %v", err)
	}
	var exit *exec.ExitError
	if err := s.cmd.Wait(); errors.As(err, &exit) {
		t.Errorf("%v\n%s", exit, s.stderr.String())
	}
	for _, name := range []string{"traces/approval-one.trace", "cover.json"} {
		if info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	trace := filepath.Join(dir, "traces", "approval-one.trace")
	var printed bytes.Buffer
	if status := Main([]string{"trace", "info", trace}, strings.NewReader(""), &printed, &printed); status != 0 {
		t.Errorf("the trace: %d %s", status, printed.String())
	}
}

// TestServiceAtAnEndpoint: --endpoint, and the variables of Step Functions Local, send the tasks of a service to a URL.
func TestServiceAtAnEndpoint(t *testing.T) {
	table := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Amz-Target") != "DynamoDB_20120810.GetItem" {
			t.Errorf("%v", r.Header)
		}
		_, _ = io.WriteString(w, `{"Item":{"id":{"S":"7"},"paid":{"BOOL":true}}}`)
	}))
	defer table.Close()
	for name, args := range map[string][]string{"flag": {"--endpoint", "dynamodb=" + table.URL}, "variable": nil} {
		if args == nil {
			t.Setenv("DYNAMODB_ENDPOINT", table.URL)
		}
		s := serveProgram(t, writeServed(t), append([]string{"get.asl.json"}, args...)...)
		started, err := s.StartExecution(t.Context(), &sfn.StartExecutionInput{
			StateMachineArn: aws.String(servedArn + "get"), Input: aws.String("{}")})
		if err != nil {
			t.Fatal(err)
		}
		for {
			d, err := s.DescribeExecution(t.Context(), &sfn.DescribeExecutionInput{ExecutionArn: started.ExecutionArn})
			if err != nil {
				t.Fatal(err)
			}
			if d.Status != types.ExecutionStatusRunning {
				if aws.ToString(d.Output) != "true" {
					t.Errorf("%s: %s %s %s", name, d.Status, aws.ToString(d.Output), aws.ToString(d.Cause))
				}
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// TestEndpointsRefused: an endpoint that is wrong is said before the server is ready.
func TestEndpointsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"dynamodb":                     "http://HOST:PORT",
		"dynamodb=ftp://host":          "http://HOST:PORT",
		"sns=http://127.0.0.1:4566":    "its protocol is not AWS JSON",
		"dynamod=http://127.0.0.1:800": `perhaps "dynamodb"`,
	} {
		var printed bytes.Buffer
		args := []string{"serve", "--port", "0", "--endpoint", text}
		status := Main(args, strings.NewReader(""), &printed, &printed)
		if status != 2 || !strings.Contains(printed.String(), want) {
			t.Errorf("%s: %d %s", text, status, printed.String())
		}
	}
}
