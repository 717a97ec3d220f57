package lsp

import (
	"bufio"
	"encoding/json"
	"io"
	"strconv"
	"sync"

	"github.com/sourcegraph/jsonrpc2"

	"asldb/internal/editors"
)

// stream carries messages between an editor and a server. A message that cannot be read gets an error response, and the
// next one is read.
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
		content, err := editors.Read(s.in)
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

// idOf returns the id of a message that isn't a request, null where it has none.
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
