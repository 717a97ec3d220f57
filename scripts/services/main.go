// Command services writes the table of the operations of all services, which the package engine/services embeds, from the
// API models of the AWS SDK for Go. It has a module of its own: asldb itself does not depend on that SDK.
//
//	go generate ./engine/services
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"asldb/engine/services"

	"github.com/aws/aws-sdk-go/aws"
)

func main() {
	models := flag.String("models", "", "the `folder` models/apis (default: that of the module in the module cache)")
	out := flag.String("o", "table.bin", "the `file` to write")
	flag.Parse()
	if err := run(*models, *out); err != nil {
		fmt.Fprintln(os.Stderr, "services:", err)
		os.Exit(1)
	}
}

// run writes the table of the models in a folder.
func run(models, out string) error {
	if models == "" {
		dir, err := moduleDir()
		if err != nil {
			return err
		}
		models = filepath.Join(dir, "models", "apis")
	}
	list, err := readAll(models)
	if err != nil {
		return err
	}
	file, err := services.Write(list)
	if err != nil {
		return err
	}
	if err := os.WriteFile(out, file, 0o644); err != nil {
		return err
	}
	operations := 0
	for i := range list {
		operations += len(list[i].Operations)
	}
	fmt.Printf("%d services, %d operations, %d bytes, from %s %s\n", len(list), operations, len(file), module, aws.SDKVersion)
	return nil
}

const module = "github.com/aws/aws-sdk-go"

// moduleDir returns the folder of the SDK in the module cache.
func moduleDir() (string, error) {
	cmd := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module)
	cmd.Stderr = os.Stderr
	dir, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go list -m %s: %w", module, err)
	}
	if len(strings.TrimSpace(string(dir))) == 0 {
		return "", fmt.Errorf("%s is not in the module cache: run go mod download", module)
	}
	return strings.TrimSpace(string(dir)), nil
}
