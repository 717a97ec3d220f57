package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"asldb/engine/value"
	"asldb/internal/arguments"
	"asldb/internal/replace"
	"asldb/internal/visible"
)

// WrapWrite returns the error of a write to standard output, nil for nil.
func WrapWrite(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("cannot write the output: %w", err)
}

// PrintValue writes a value as JSON, in one line.
func PrintValue(s *Streams, v value.Value) error {
	if _, err := s.Out.Write(visible.JSON(append(value.Append(nil, v), '\n'))); err != nil {
		return fmt.Errorf("cannot write the output: %w", err)
	}
	return nil
}

// WriteNew writes a file that is not there yet, or to standard output.
func WriteNew(s *Streams, name string, data []byte) error {
	if name == "" || name == arguments.Stdin {
		if _, err := s.Out.Write(data); err != nil {
			return fmt.Errorf("cannot write the file: %w", err)
		}
		return nil
	}
	return SaveNew(name, data)
}

// SaveNew writes a file that is not there yet.
func SaveNew(name string, data []byte) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%s is there already, and is not written over", name)
	}
	if err == nil {
		_, err = file.Write(data)
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", name, err)
	}
	return nil
}

// ReplaceFile writes a file as a whole: a reader sees the old text or the new one.
func ReplaceFile(name string, write func(io.Writer) error) error {
	temp, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*")
	if err == nil {
		err = errors.Join(write(temp), temp.Chmod(0o644), temp.Close())
		if err == nil {
			err = replace.File(temp.Name(), name)
		}
		if err != nil {
			_ = os.Remove(temp.Name()) // it is of no use
		}
	}
	if err != nil {
		return OneLine(fmt.Errorf("cannot write %s: %w", name, err))
	}
	return nil
}
