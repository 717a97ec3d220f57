package main

import (
	"bytes"
	"os"
	"runtime"
	"strings"
	"testing"
)

func TestPackageOf(t *testing.T) {
	for symbol, want := range map[string]string{
		"github.com/spf13/cobra.(*Command).Execute":                    "github.com/spf13/cobra",
		"asldb/engine.(*Execution).Step":                               "asldb/engine",
		"slices.SortFunc[go.shape.[]string,go.shape.string]":           "slices",
		"type:.eq.github.com/aws/smithy-go.GenericAPIError":            "github.com/aws/smithy-go",
		"type:*[]net/http.Request":                                     "net/http",
		"go:itab.*os.File,io.Writer":                                   "os",
		"gopkg.in/yaml%2ev3.Unmarshal":                                 "gopkg.in/yaml.v3",
		"go:string.*":                                                  "",
		"runtime.findfunctab":                                          "runtime",
		"_rt0_amd64_linux":                                             "",
		"github.com/aws/aws-sdk-go-v2/service/sfn.init.0":              "github.com/aws/aws-sdk-go-v2/service/sfn",
		"asldb/engine/items/parquetfile.widened[go.shape.int32].func1": "asldb/engine/items/parquetfile",
	} {
		if got := packageOf(symbol); got != want {
			t.Errorf("%s is of %q, want %q", symbol, got, want)
		}
	}
}

func TestModuleOf(t *testing.T) {
	modules := []string{"asldb", "github.com/aws/aws-sdk-go-v2", "github.com/aws/aws-sdk-go-v2/service/sfn"}
	for path, want := range map[string]string{
		"main": "asldb", "asldb/engine": "asldb", "asldbx": standard, "net/http": standard,
		"github.com/aws/aws-sdk-go-v2/aws": "github.com/aws/aws-sdk-go-v2", "github.com/aws/aws-sdk-go-v2/service/sfn/types": "github.com/aws/aws-sdk-go-v2/service/sfn",
	} {
		if got := moduleOf(path, modules); got != want {
			t.Errorf("%s is in %s, want %s", path, got, want)
		}
	}
}

// The symbols of this test itself: most are of the standard library.
func TestSizesOf(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("it reads programs for Linux")
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	sizes, err := sizesOf(program)
	if err != nil {
		t.Skipf("the test has no symbols: %v", err) // as go test strips what it runs at once
	}
	if sizes[standard] < 500_000 {
		t.Errorf("%v", sizes)
	}
}

func TestTable(t *testing.T) {
	var out bytes.Buffer
	sizes := map[string]int{"asldb": 300, standard: 500, "github.com/aws/smithy-go": 50, "github.com/aws/aws-sdk-go-v2": 100, "example.com/small": 1, "example.com/tiny": 49}
	if err := table(&out, sizes, 2_000_000); err != nil {
		t.Fatal(err)
	}
	want := "| library | MB |\n|---|---|\n| Go's standard library | 1.0 |\n| asldb | 0.6 |\n| github.com/aws/… | 0.3 |\n| others | 0.1 |\n"
	if out.String() != want {
		t.Errorf("%s\nwant\n%s", out.String(), want)
	}
	if err := run(nil, &out); err == nil || !strings.Contains(err.Error(), "which folder?") {
		t.Error(err)
	}
}
