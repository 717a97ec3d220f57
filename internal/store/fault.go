package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// faultsKept is the number of faults whose files are kept.
const faultsKept = 5

// FaultDir is the folder, inside of the one of [Dir], of the files saved when asldb itself fails: for each fault the trace
// of the run, and its inputs.
const FaultDir = "faults"

// faultTime is the layout of the time in the files' names: their order is the order of the faults.
const faultTime = "20060102T150405.000000000Z"

// NewFault makes the folder where it is not there yet, removes the files of old faults, and returns the path and the
// beginning of the names of the files for a new one, which happened at a time. Only the user can read the folder.
func NewFault(dir string, at time.Time) (base string, err error) {
	dir = filepath.Join(dir, FaultDir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var old []string // the names of the faults, each once: the part of a file's name before the first dot behind the time
	for _, entry := range entries {
		if name, ok := faultOf(entry.Name()); ok && !slices.Contains(old, name) {
			old = append(old, name)
		}
	}
	slices.Sort(old)
	var failed []error
	for _, name := range old[:max(len(old)-(faultsKept-1), 0)] {
		for _, entry := range entries {
			if of, ok := faultOf(entry.Name()); ok && of == name {
				failed = append(failed, os.Remove(filepath.Join(dir, entry.Name())))
			}
		}
	}
	return filepath.Join(dir, fmt.Sprintf("%s-%d", at.UTC().Format(faultTime), os.Getpid())), errors.Join(failed...)
}

// faultOf returns the fault that a file was saved after: the time and the process in the file's name.
func faultOf(file string) (fault string, ok bool) {
	if len(file) < len(faultTime) {
		return "", false
	}
	if _, err := time.Parse(faultTime, file[:len(faultTime)]); err != nil {
		return "", false
	}
	process, _, ok := strings.Cut(file[len(faultTime):], ".")
	return file[:len(faultTime)] + process, ok
}
