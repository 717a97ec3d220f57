package value

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Decoded is a field, of a struct that encoding/json reads, that takes any JSON value.
type Decoded struct{ Value }

// UnmarshalJSON implements json.Unmarshaler.
func (d *Decoded) UnmarshalJSON(text []byte) (err error) {
	d.Value, err = Parse(text, Limits{})
	return err
}

// UnmarshalJSON implements json.Unmarshaler.
func (d *Difference) UnmarshalJSON(text []byte) error {
	type plain Difference
	var read struct {
		plain
		Wanted Decoded `json:"wanted"`
		Found  Decoded `json:"found"`
	}
	err := json.Unmarshal(text, &read)
	*d = Difference(read.plain)
	d.Wanted, d.Found = read.Wanted.Value, read.Found.Value
	return err
}

// Unmarshal reads a text of one JSON value into a struct. A member that the struct does not have is an error. Errors
// say which part of the text is wrong; they name no file.
func Unmarshal(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if err == nil {
		if _, err := d.Token(); !errors.Is(err, io.EOF) {
			return errors.New("there is more behind its end")
		}
		return nil
	}
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &kind):
		member := kind.Field[strings.LastIndexByte(kind.Field, '.')+1:]
		return fmt.Errorf("%q cannot be of the kind %s", member, kind.Value)
	case errors.As(err, &syntax) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("it is not JSON")
	case strings.HasPrefix(err.Error(), "json: unknown field"):
		return errors.New("it has the " + strings.TrimPrefix(err.Error(), "json: "))
	}
	return err
}
