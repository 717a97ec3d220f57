package command

import (
	"fmt"
	"os"

	"asldb/engine/value"
	"asldb/internal/files"
	"asldb/internal/wording"
)

// SourceRoot returns the folder from which reports for code hosts name files: the root of the repository, else the working folder.
func SourceRoot() string {
	if root := os.Getenv("GITHUB_WORKSPACE"); root != "" {
		return root
	}
	folder, err := os.Getwd()
	if err != nil {
		return "" // names stay as they were given
	}
	if root, ok := files.Repository(folder); ok {
		return root
	}
	return folder
}

// WrapWrite returns the error of a write to standard output, nil for nil.
func WrapWrite(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("cannot write the output: %w", err)
}

// PrintValue writes a value as JSON, in one line.
func PrintValue(s *Streams, v value.Value) error {
	if _, err := s.Out.Write(wording.JSON(append(value.Append(nil, v), '\n'))); err != nil {
		return fmt.Errorf("cannot write the output: %w", err)
	}
	return nil
}

// WriteNew writes a file that is not there yet, or to standard output.
func WriteNew(s *Streams, name string, data []byte) error {
	if name == "" || name == files.Stdin {
		if _, err := s.Out.Write(data); err != nil {
			return fmt.Errorf("cannot write the file: %w", err)
		}
		return nil
	}
	return files.Create(name, 0o666, data)
}
