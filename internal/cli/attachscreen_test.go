//go:build unix

package cli

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/sfn"
	"github.com/aws/aws-sdk-go-v2/service/sfn/types"

	"asldb/internal/cli/command"
)

const charged = `{"StartAt":"Charge","States":{
	"Charge":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke.waitForTaskToken",
		"Parameters":{"FunctionName":"f","Payload":{"token.$":"$$.Task.Token"}},"Next":"Ship"},
	"Ship":{"Type":"Pass","End":true}}}`

// server starts asldb serve on a free port, and returns its address and a client.
func server(t *testing.T, args ...string) (url string, client *sfn.Client) {
	t.Helper()
	program, err := build()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, append([]string{"serve", "--port", "0", "--on-missing", "ask"}, args...)...)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	})
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if at, ok := strings.CutPrefix(lines.Text(), "ready: "); ok {
			return at, clientOf(at)
		}
	}
	t.Fatal("the server does not become ready")
	return "", nil
}

func clientOf(url string) *sfn.Client {
	return sfn.New(sfn.Options{Region: "us-east-1", BaseEndpoint: aws.String(url),
		Credentials: credentials.NewStaticCredentialsProvider("k", "s", "")})
}

// startOnly starts an execution of the only machine.
func startOnly(t *testing.T, client *sfn.Client) (arn string) {
	t.Helper()
	list, err := client.ListStateMachines(t.Context(), &sfn.ListStateMachinesInput{})
	if err != nil || len(list.StateMachines) != 1 {
		t.Fatal(err)
	}
	x, err := client.StartExecution(t.Context(), &sfn.StartExecutionInput{
		StateMachineArn: list.StateMachines[0].StateMachineArn, Input: aws.String("{}"),
	})
	if err != nil {
		t.Fatal(err)
	}
	return *x.ExecutionArn
}

// startCharge starts an execution of the machine, and checks that it runs.
func startCharge(t *testing.T, client *sfn.Client) (arn *string) {
	t.Helper()
	x, err := client.StartExecution(
		t.Context(),
		&sfn.StartExecutionInput{Name: aws.String("one"), Input: aws.String("{}"),
			StateMachineArn: aws.String("arn:aws:states:us-east-1:123456789012:stateMachine:charged")},
	)
	if err != nil {
		t.Fatal(err)
	}
	if d := describe(t, client, x.ExecutionArn); d.Status != types.ExecutionStatusRunning {
		t.Fatalf("it is %s", d.Status)
	}
	return x.ExecutionArn
}

func describe(t *testing.T, client *sfn.Client, arn *string) *sfn.DescribeExecutionOutput {
	t.Helper()
	d, err := client.DescribeExecution(t.Context(), &sfn.DescribeExecutionInput{ExecutionArn: arn})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// answerCharge answers the task of the execution that the screen has.
func (term *terminal) answerCharge(client *sfn.Client, arn *string) {
	term.t.Helper()
	term.waitFor("attached", patience)
	term.press("s")
	term.waitFor("What does Charge return?", patience)
	if d := describe(term.t, client, arn); d.Status != types.ExecutionStatusRunning {
		term.t.Errorf("while its task waits it is %s", d.Status)
	}
	term.press("{\"paid\":true}\r")
	term.waitFor("{ paid }", patience)
	if d := describe(term.t, client, arn); d.Status != types.ExecutionStatusRunning {
		term.t.Errorf("held in Ship it is %s", d.Status)
	}
}

// succeeded waits until the client sees that the execution has succeeded with the answer.
func succeeded(t *testing.T, client *sfn.Client, arn *string) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		switch d := describe(t, client, arn); {
		case d.Status == types.ExecutionStatusRunning:
		case d.Status != types.ExecutionStatusSucceeded || *d.Output != `{"paid":true}`:
			t.Fatalf("it is %s with %s", d.Status, aws.ToString(d.Output))
		default:
			return
		}
	}
	t.Fatal("it still runs")
}

// A client starts an execution, a breakpoint holds it, a person answers its task in another terminal and leaves, and
// the client sees SUCCEEDED.
func TestAttachOnTheScreen(t *testing.T) {
	file := filepath.Join(t.TempDir(), "charged.asl.json")
	if err := os.WriteFile(file, []byte(charged), 0o600); err != nil {
		t.Fatal(err)
	}
	url, client := server(t, file, "--break", "Charge")
	term := start(t, "attach", url)
	term.waitFor("appear here as they come", patience)
	arn := startCharge(t, client)
	term.waitFor("held at Charge", patience)
	term.press("\r")
	term.answerCharge(client, arn)
	term.press("q")
	term.waitFor("answer that you gave", patience) // it is in no fixtures file
	if status := term.quit(); status != command.StatusOK {
		t.Errorf("status %d", status)
	}
	succeeded(t, client, arn)
}

// The server shows its executions itself, and ends when its screen is left.
func TestServeWithAScreen(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "charged.asl.json")
	if err := os.WriteFile(file, []byte(charged), 0o600); err != nil {
		t.Fatal(err)
	}
	term := start(t, "serve", file, "--port", "0", "--on-missing", "ask", "--break", "Charge", "--ui", "--trace-dir",
		dir)
	const ready = "Executions of "
	term.waitFor(ready, patience)
	_, at, _ := strings.Cut(term.screen.String(), ready)
	client := clientOf(strings.Fields(at)[0])
	arn := startCharge(t, client)
	term.waitFor("held at Charge", patience)
	term.press("\r")
	term.answerCharge(client, arn)
	term.press("c")
	term.waitFor("SUCCEEDED", patience)
	succeeded(t, client, arn)
	term.press("q")
	term.waitFor("answer that you gave", patience) // it is in no fixtures file
	if status := term.quit(); status != command.StatusOK {
		t.Errorf("status %d", status)
	}
	if found, _ := filepath.Glob(filepath.Join(dir, "*.trace")); len(found) != 1 {
		t.Errorf("traces: %v", found)
	}
}
