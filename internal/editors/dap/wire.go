package dap

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/google/go-dap"

	"asldb/internal/editors"
)

// received is a message from the editor: a request, or the reason why it is none.
type received struct {
	request dap.RequestMessage
	content []byte
	// seq and command belong to a message that isn't a known request; err says why.
	seq     int
	command string
	err     error
}

// decode reads the content of a message. ok is false for messages that are to be passed over: responses and events.
func decode(content []byte) (m received, ok bool) {
	var base struct {
		Seq     int    `json:"seq"`
		Type    string `json:"type"`
		Command string `json:"command"`
	}
	if err := json.Unmarshal(content, &base); err != nil {
		return received{err: fmt.Errorf("the message cannot be read: %w", editors.JSONError(err))}, true
	}
	if base.Type == "response" || base.Type == "event" {
		return received{}, false
	}
	if base.Type == "request" && base.Command == commandAnswer {
		request := &answerRequest{}
		if err := json.Unmarshal(content, request); err != nil {
			return received{seq: base.Seq, command: base.Command, err: editors.JSONError(err)}, true
		}
		return received{request: request, content: content, seq: base.Seq, command: base.Command}, true
	}
	message, err := dap.DecodeProtocolMessage(content)
	if err != nil {
		var field *dap.DecodeProtocolMessageFieldError
		if errors.As(err, &field) {
			err = fmt.Errorf("asldb does not know the request %q", base.Command)
		}
		return received{seq: base.Seq, command: base.Command, err: editors.JSONError(err)}, true
	}
	request, is := message.(dap.RequestMessage)
	if !is {
		return received{seq: base.Seq, command: base.Command, err: fmt.Errorf("the message is of type %q, and a request is expected", base.Type)}, true
	}
	return received{request: request, content: content, seq: base.Seq, command: base.Command}, true
}

// sender writes the messages of an adapter, and numbers them.
type sender struct {
	out io.Writer
	seq int
	err error // the first error; nothing is written after it
}

// respond writes the response to a request. The parts that all responses have are filled in.
func (s *sender) respond(to dap.RequestMessage, response dap.ResponseMessage) {
	base := response.GetResponse()
	base.Type, base.RequestSeq, base.Command, base.Success = "response", to.GetSeq(), to.GetRequest().Command, true
	s.seq++
	base.Seq = s.seq
	s.write(response)
}

// refuse writes an error response.
func (s *sender) refuse(seq int, command string, err error) {
	s.seq++
	response := &dap.ErrorResponse{}
	response.Seq, response.Type, response.RequestSeq, response.Command = s.seq, "response", seq, command
	response.Message = err.Error()
	response.Body.Error = &dap.ErrorMessage{Id: 1, Format: err.Error(), ShowUser: true}
	s.write(response)
}

// event writes an event of a name.
func (s *sender) event(name string, event dap.EventMessage) {
	base := event.GetEvent()
	s.seq++
	base.Seq, base.Type, base.Event = s.seq, "event", name
	s.write(event)
}

func (s *sender) write(message dap.Message) {
	if s.err == nil {
		s.err = dap.WriteProtocolMessage(s.out, message)
	}
}
