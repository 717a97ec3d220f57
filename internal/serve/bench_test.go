//go:build unix

package serve_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"testing"

	"asldb/internal/definitions"
	"asldb/internal/serve"
	"asldb/internal/testkit"
)

// demoInput is the input in the fixtures of the demo.
const demoInput = `{"order":{"id":"o-1042","lines":[{"sku":"TEA-500","name":"Earl Grey","quantity":2},
	{"sku":"POT-1","name":"Teapot","quantity":1},{"sku":"CUP-4","name":"Set of four cups","quantity":1}]},
	"customer":{"name":"Ada","card":"tok_visa_4242","mailbox":"arn:aws:sns:eu-central-1:123456789012:mail-ada"}}`

// demoServer is a server of the demo as a machine of a type, and a request that starts it.
func demoServer(b *testing.B, keep int, kind string) (web *httptest.Server, body []byte) {
	b.Helper()
	dir := testkit.New(b, map[string]string{"order.asl.json": string(definitions.DemoDefinition),
		"order.fixtures.yaml": string(definitions.Fixtures)})
	o := options()
	o.Keep = keep
	s := serve.New(o)
	web = httptest.NewServer(s)
	b.Cleanup(func() {
		s.Close()
		web.Close()
	})
	arn, err := s.Add(definitions.Definition{File: filepath.Join(dir, "order.asl.json"), Type: kind})
	if err != nil {
		b.Fatal(err)
	}
	return web, []byte(`{"stateMachineArn":"` + arn + `","input":` + strconv.Quote(demoInput) + `}`)
}

// post sends a request over a connection that stays open.
func post(b *testing.B, web *httptest.Server, operation string, body []byte) []byte {
	b.Helper()
	request, _ := http.NewRequestWithContext(b.Context(), http.MethodPost, web.URL, bytes.NewReader(body))
	request.Header.Set("Content-Type", "application/x-amz-json-1.0")
	request.Header.Set("X-Amz-Target", "AWSStepFunctions."+operation)
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		b.Fatal(err)
	}
	defer reply.Body.Close()
	text, _ := io.ReadAll(reply.Body)
	if reply.StatusCode != http.StatusOK {
		b.Fatalf("%s: %s", reply.Status, text)
	}
	return text
}

// cpu is the CPU time of the process so far.
func cpu(b *testing.B) int64 {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return used.Utime.Nano() + used.Stime.Nano()
}

// BenchmarkStart is the demo from the request to the answer; the share of the client is in it. As an Express execution
// it has five minutes, which the demo does not keep to.
func BenchmarkStart(b *testing.B) {
	for _, of := range []struct{ operation, kind, said string }{
		{"StartSyncExecution", "express", "TIMED_OUT"}, {"StartExecution", "standard", "executionArn"},
	} {
		b.Run(of.operation, func(b *testing.B) {
			web, body := demoServer(b, 100, of.kind)
			b.ReportAllocs()
			before := cpu(b)
			for b.Loop() {
				if text := post(b, web, of.operation, body); !bytes.Contains(text, []byte(of.said)) {
					b.Fatalf("%s", text)
				}
			}
			b.ReportMetric(float64(cpu(b)-before)/float64(b.N)/1e6, "cpu-ms/op")
		})
	}
}

// BenchmarkKept is the memory of an execution that has ended and is kept.
func BenchmarkKept(b *testing.B) {
	web, body := demoServer(b, 0, "standard")
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for b.Loop() {
		post(b, web, "StartExecution", body)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(b.N)/1024, "KiB/kept")
}
