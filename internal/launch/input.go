package launch

import (
	"fmt"

	"asldb/engine/value"
	"asldb/internal/files"
)

// Input is an input of a run.
type Input struct {
	// Text is JSON, the name of a file, or "-".
	Text string
	// Value is the input itself, in place of Text.
	Value value.Value
	// Written is the text of Value; empty where it has none. It comes from Text, once that was read.
	Written string
}

func (i *Input) read(reader files.Files, warn func(files.Warning)) error {
	if i.Text == "" || i.Value != nil {
		return nil
	}
	given, err := reader.JSON(i.Text)
	if err != nil {
		return err
	}
	for _, text := range files.Repeated(given.Repeated) {
		warn(files.Warning{Part: files.PartInput, Text: text})
	}
	i.Value, i.Written = given.Value, given.Text
	return nil
}

// SizeError says that an input is larger than the service takes.
type SizeError struct{ Size, Limit int } // in bytes

// Error implements error.
func (e *SizeError) Error() string {
	return fmt.Sprintf("the input has %d bytes, and Step Functions takes at most %d", e.Size, e.Limit)
}
