// Command services writes the table of the operations of all services, which the package engine/services embeds, from
// the API models of the AWS SDK for Go and the newer modules of the AWS SDK for Go 2 that modules.tsv lists. It is
// apart from asldb, as a module, since asldb does not depend on those SDKs.
//
//	go generate ./engine/services
package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go/aws"
)

func main() {
	models := flag.String("models", "", "the `folder` models/apis (default: the one of the module in the module cache)")
	out := flag.String("o", "table.bin", "the `file` to write")
	flag.Parse()
	if err := run(*models, *out, modules); err != nil {
		fmt.Fprintln(os.Stderr, "services:", err)
		os.Exit(1)
	}
}

// modules has the newer modules, a line each: path, version and sum.
//
//go:embed modules.tsv
var modules string

// oldest is the month of the newest model in the old SDK.
const oldest = "2024-07"

// run writes the table of the models in a folder and of newer modules.
func run(models, out, newer string) error {
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
	folders, err := download(newer)
	if err != nil {
		return err
	}
	for _, folder := range folders {
		u, err := readModule(folder)
		if err != nil {
			return err
		}
		list = join(list, u)
	}
	var sources []Source
	operations, failed := 0, error(nil)
	for _, m := range list {
		source, err := m.source()
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", m.Metadata.ServiceID, err))
		}
		sources = append(sources, source)
		operations += len(source.Operations)
	}
	if failed != nil {
		return failed
	}
	file, err := writeTable(sources)
	if err != nil {
		return err
	}
	if err := os.WriteFile(out, file, 0o644); err != nil {
		return err
	}
	fmt.Printf("%d services, %d operations, %d bytes, from %s %s and %d newer modules\n",
		len(list), operations, len(file), module, aws.SDKVersion, len(folders))
	return nil
}

// join merges a newer module with the model of its service, or adds one.
func join(list []*model, u *update) []*model {
	at := slices.IndexFunc(list, func(m *model) bool { return m.Metadata.ServiceID == u.Metadata.ServiceID })
	if at < 0 {
		at = len(list)
		fresh := newModel()
		fresh.Metadata = u.Metadata
		fresh.alias(u.folder)
		if !slices.ContainsFunc(list, func(m *model) bool { return slices.Contains(m.aliases, u.signed) }) {
			fresh.alias(u.signed)
		}
		list = append(list, &fresh)
	}
	list[at].merge(u)
	return list
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

// errNotHad is the error of modules that are not in the module cache and cannot be downloaded.
var errNotHad = errors.New("modules cannot be had")

// download returns the folders of modules in the module cache, into which it downloads those that are missing.
func download(list string) ([]string, error) {
	sums := make(map[string]string)
	var wanted []string
	for line := range strings.Lines(list) {
		if fields := strings.Fields(line); len(fields) == 3 {
			name := fields[0] + "@" + fields[1]
			wanted, sums[name] = append(wanted, name), fields[2]
		}
	}
	if len(wanted) == 0 {
		return nil, nil
	}
	cmd := exec.Command("go", append([]string{"mod", "download", "-json"}, wanted...)...)
	cmd.Dir = os.TempDir() // outside of a module: none is added to go.mod
	answer, failed := cmd.Output()
	var folders []string
	for reader := json.NewDecoder(bytes.NewReader(answer)); ; {
		var got struct{ Path, Version, Dir, Sum, Error string }
		if err := reader.Decode(&got); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("%w: go mod download: %w, %w", errNotHad, failed, err)
		}
		switch name := got.Path + "@" + got.Version; {
		case got.Error != "":
			return nil, fmt.Errorf("%w: %s: %s", errNotHad, name, got.Error)
		case got.Sum != sums[name]:
			return nil, fmt.Errorf("%s has the sum %s, modules.tsv %s", name, got.Sum, sums[name])
		}
		folders = append(folders, got.Dir)
	}
	if len(folders) != len(wanted) {
		return nil, fmt.Errorf("%w: %d of %d: %w", errNotHad, len(folders), len(wanted), failed)
	}
	slices.Sort(folders)
	return folders, nil
}
