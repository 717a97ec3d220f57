package mcp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxLine bounds a message, in bytes.
const maxLine = 16 << 20

// lines is a transport of messages, a line each. A line without one is answered with an error, and the next is read.
type lines struct {
	in   io.Reader
	out  io.Writer
	read chan received
	done chan struct{}
	once sync.Once
	mu   sync.Mutex // of out
}

// received is a message, or the end of the input.
type received struct {
	message jsonrpc.Message
	err     error
}

// newLines returns the transport over two streams.
func newLines(in io.Reader, out io.Writer) *lines {
	return &lines{in: in, out: out, read: make(chan received), done: make(chan struct{})}
}

// Connect implements mcp.Transport.
func (l *lines) Connect(context.Context) (mcp.Connection, error) {
	go l.readAll()
	return l, nil
}

// readAll reads lines until the input ends.
func (l *lines) readAll() {
	r := bufio.NewReaderSize(l.in, 1<<16)
	for {
		line, long, err := readLine(r)
		switch {
		case long:
			l.refuse(jsonrpc.CodeInvalidRequest, fmt.Sprintf("a message has at most %d bytes", maxLine))
		case len(line) > 0:
			if message, wrong := jsonrpc.DecodeMessage(line); wrong != nil {
				l.refuse(jsonrpc.CodeParseError, "a line is one JSON-RPC message: "+wrong.Error())
			} else if !l.pass(received{message: message}) {
				return
			}
		}
		if err != nil {
			l.pass(received{err: err})
			return
		}
	}
}

// readLine reads a line without its end and blanks around it. One that is too long is read to its end and left out.
func readLine(r *bufio.Reader) (line []byte, long bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxLine; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimSpace(line), long, err
		}
	}
}

// pass gives a message to the reader; false: the connection is closed.
func (l *lines) pass(r received) bool {
	select {
	case l.read <- r:
		return true
	case <-l.done:
		return false
	}
}

// refuse answers a line whose number is not known.
func (l *lines) refuse(code int64, message string) {
	l.write(
		fmt.Appendf(nil, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%q}}`, code, message),
	) // the next write tells
}

// Read implements mcp.Connection.
func (l *lines) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case r := <-l.read:
		return r.message, r.err
	case <-l.done:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Write implements mcp.Connection.
func (l *lines) Write(_ context.Context, message jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return err
	}
	return l.write(text)
}

func (l *lines) write(text []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := l.out.Write(append(text, '\n'))
	return err
}

// Close implements mcp.Connection.
func (l *lines) Close() error {
	l.once.Do(func() { close(l.done) })
	return nil
}

// SessionID implements mcp.Connection: a stream has one session.
func (l *lines) SessionID() string { return "" }
