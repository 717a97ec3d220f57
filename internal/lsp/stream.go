package lsp

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/sourcegraph/jsonrpc2"
)

// maxContent bounds a message, in bytes; maxHeader bounds a line of its header.
const (
	maxContent = 64 << 20
	maxHeader  = 4 << 10
)

// HeaderError says that the input is not the protocol's: the beginning of the next message cannot be found.
type HeaderError struct{ Reason string }

// Error implements error.
func (e *HeaderError) Error() string {
	return "the input is not that of the Language Server Protocol: " + e.Reason
}

// readContent reads the next message: its header, then as many bytes as that says. The error is io.EOF at the end of the input,
// io.ErrUnexpectedEOF within a message, or a *[HeaderError].
func readContent(r *bufio.Reader) ([]byte, error) {
	length, begun := -1, false
	for {
		line, err := readLine(r)
		switch {
		case errors.Is(err, io.EOF) && !begun && line == "":
			return nil, io.EOF
		case errors.Is(err, io.EOF):
			return nil, io.ErrUnexpectedEOF
		case err != nil:
			return nil, err
		}
		if line == "" && !begun {
			continue // an empty line between messages does no harm
		}
		begun = true
		if line == "" {
			break
		}
		name, text, found := strings.Cut(line, ":")
		if !found {
			return nil, &HeaderError{fmt.Sprintf("a header is NAME: VALUE, and this is %q", line)}
		}
		if !strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			continue
		}
		length, err = strconv.Atoi(strings.TrimSpace(text))
		if err != nil || length < 0 || length > maxContent {
			return nil, &HeaderError{fmt.Sprintf("Content-Length is a number up to %d, and this is %q", maxContent, strings.TrimSpace(text))}
		}
	}
	if length < 0 {
		return nil, &HeaderError{"a message has no Content-Length"}
	}
	content := make([]byte, 0, min(length, 1<<20)) // a length alone takes no memory
	for len(content) < length {
		part := make([]byte, min(length-len(content), 1<<20))
		n, err := io.ReadFull(r, part)
		content = append(content, part[:n]...)
		if err != nil {
			return nil, io.ErrUnexpectedEOF
		}
	}
	return content, nil
}

// readLine reads a line of a header without its end.
func readLine(r *bufio.Reader) (string, error) {
	var line []byte
	for {
		c, err := r.ReadByte()
		if err != nil {
			return string(line), err
		}
		if c == '\n' {
			return strings.TrimSuffix(string(line), "\r"), nil
		}
		if line = append(line, c); len(line) > maxHeader {
			return "", &HeaderError{"a header is too long"}
		}
	}
}

// stream carries messages between an editor and a server. A message that cannot be read gets an error response, and the next one is
// read.
type stream struct {
	in  *bufio.Reader
	out io.Writer
	// ended is called before the end of the input is reported.
	ended func(error)

	mutex sync.Mutex // of out
}

var _ jsonrpc2.ObjectStream = (*stream)(nil)

// ReadObject implements [jsonrpc2.ObjectStream].
func (s *stream) ReadObject(v any) error {
	for {
		content, err := readContent(s.in)
		if err != nil {
			s.ended(err)
			return err
		}
		if err = json.Unmarshal(content, v); err == nil {
			return nil
		}
		code := int64(jsonrpc2.CodeInvalidRequest)
		if !json.Valid(content) {
			code = jsonrpc2.CodeParseError
		}
		refusal := map[string]any{"jsonrpc": "2.0", "id": idOf(content), "error": &jsonrpc2.Error{Code: code, Message: "the message is not JSON-RPC: " + err.Error()}}
		if err := s.WriteObject(refusal); err != nil {
			return err
		}
	}
}

// idOf returns the id of a message that is no request, null where it has none.
func idOf(content []byte) any {
	var m struct {
		ID json.RawMessage `json:"id"`
	}
	var text string
	var number int64
	switch err := json.Unmarshal(content, &m); {
	case err != nil:
	case json.Unmarshal(m.ID, &number) == nil && string(m.ID) != "null":
		return number
	case json.Unmarshal(m.ID, &text) == nil && string(m.ID) != "null":
		return text
	}
	return nil
}

// WriteObject implements [jsonrpc2.ObjectStream].
func (s *stream) WriteObject(object any) error {
	content, err := json.Marshal(object)
	if err != nil {
		return err
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	_, err = s.out.Write(append([]byte("Content-Length: "+strconv.Itoa(len(content))+"\r\n\r\n"), content...))
	return err
}

// Close implements [jsonrpc2.ObjectStream]. The input and output belong to the caller of [Serve].
func (s *stream) Close() error { return nil }
