// Command size prints how many bytes each module adds to a program, as a table in Markdown. scripts/size calls it.
package main

import (
	"cmp"
	"compress/gzip"
	"debug/buildinfo"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "size:", err)
		os.Exit(1)
	}
}

// run builds the program of a folder, stripped and with its symbols, and prints the table.
func run(args []string, out io.Writer) (err error) {
	if len(args) != 1 {
		return errors.New("which folder? usage: size FOLDER")
	}
	work, err := os.MkdirTemp("", "asldb-size-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	whole, stripped := filepath.Join(work, "whole"), filepath.Join(work, "stripped")
	for name, flags := range map[string]string{whole: "", stripped: "-s -w"} {
		cmd := exec.Command("go", "build", "-trimpath", "-ldflags", flags, "-o", name, ".")
		cmd.Dir = args[0]
		cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0")
		if text, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("go build: %w\n%s", err, text)
		}
	}
	sizes, err := sizesOf(whole)
	if err != nil {
		return err
	}
	file, err := os.ReadFile(stripped)
	if err != nil {
		return err
	}
	packed, err := zipped(file)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%.1f MB stripped, %.1f MB compressed by gzip\n\n", megabytes(len(file)), megabytes(packed))
	return table(out, sizes, len(file))
}

func megabytes(n int) float64 { return float64(n) / 1e6 }

// zipped returns the size of data after gzip -9.
func zipped(data []byte) (int, error) {
	var n counter
	w, err := gzip.NewWriterLevel(&n, gzip.BestCompression)
	if err != nil {
		return 0, err
	}
	_, err = w.Write(data)
	return int(n), errors.Join(err, w.Close())
}

// counter counts what is written to it.
type counter int

func (c *counter) Write(data []byte) (int, error) {
	*c += counter(len(data))
	return len(data), nil
}

// sizesOf adds up the symbols of a program by module.
func sizesOf(name string) (map[string]int, error) {
	info, err := buildinfo.ReadFile(name)
	if err != nil {
		return nil, err
	}
	modules := []string{info.Main.Path}
	for _, m := range info.Deps {
		modules = append(modules, m.Path)
	}
	file, err := elf.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it was only read
	symbols, err := file.Symbols()
	if err != nil {
		return nil, err
	}
	sizes := make(map[string]int)
	for _, s := range symbols {
		if int(s.Section) >= len(file.Sections) || file.Sections[s.Section].Type == elf.SHT_NOBITS {
			continue // variables that begin as zeros are not in the file
		}
		if path := packageOf(s.Name); path != "" {
			sizes[moduleOf(path, modules)] += int(s.Size)
		}
	}
	return sizes, nil
}

// packageOf returns the path of the package that a symbol belongs to, or "" for a symbol of the linker.
func packageOf(symbol string) string {
	for _, prefix := range []string{"type:.eq.", "type:.hash.", "type:", "go:itab.", "go:"} {
		if rest, ok := strings.CutPrefix(symbol, prefix); ok {
			if prefix == "go:" {
				return ""
			}
			symbol = rest
			break
		}
	}
	symbol = strings.TrimLeft(symbol, "*[]")
	if i := strings.IndexAny(symbol, "[("); i >= 0 && !strings.HasPrefix(symbol[i:], "(*") {
		symbol = symbol[:i] // the arguments of a generic function or type
	}
	slash := strings.LastIndexByte(symbol, '/')
	if dot := strings.IndexByte(symbol[slash+1:], '.'); dot >= 0 {
		return strings.ReplaceAll(symbol[:slash+1+dot], "%2e", ".")
	}
	return ""
}

// standard is the row of Go's own packages.
const standard = "Go's standard library"

// moduleOf returns the longest of the modules that a package is in.
func moduleOf(path string, modules []string) string {
	best := standard
	for _, m := range modules {
		if (path == m || strings.HasPrefix(path, m+"/") || m == modules[0] && path == "main") && (best == standard || len(m) > len(best)) {
			best = m
		}
	}
	return best
}

// families are modules that come as one library.
var families = []string{"github.com/aws/", "github.com/charmbracelet/", "golang.org/x/", "github.com/parquet-go/", "github.com/PaesslerAG/"}

// table writes the sizes. What has no symbol (tables of lines, types, texts) is divided in proportion to what has one.
func table(out io.Writer, sizes map[string]int, total int) error {
	named, grouped := 0, make(map[string]int)
	for name, size := range sizes {
		for _, f := range families {
			if strings.HasPrefix(name, f) {
				name = f + "…"
			}
		}
		grouped[name] += size
		named += size
	}
	names := slices.SortedFunc(maps.Keys(grouped), func(a, b string) int {
		return cmp.Or(cmp.Compare(grouped[b], grouped[a]), strings.Compare(a, b))
	})
	if _, err := fmt.Fprint(out, "| library | MB |\n|---|---|\n"); err != nil {
		return err
	}
	const least = 0.1 // MB that a separate row takes
	others := 0.0
	for _, name := range names {
		share := megabytes(total) * float64(grouped[name]) / float64(named)
		if share < least {
			others += share
			continue
		}
		if _, err := fmt.Fprintf(out, "| %s | %.1f |\n", name, share); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(out, "| others | %.1f |\n", others)
	return err
}
