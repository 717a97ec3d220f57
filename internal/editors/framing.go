// Package editors reads the messages of protocols of editors: a header with Content-Length, an empty line, and that many bytes. The
// Debug Adapter Protocol and the Language Server Protocol have it in common.
package editors

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// The bounds of a message, in bytes: of its header, and of its content.
const (
	MaxHeader  = 4 << 10
	MaxContent = 64 << 20
)

// Error says that the input is not the protocol's, so that no further message can be found in it.
type Error struct {
	Reason string
	// Err is io.ErrUnexpectedEOF where the input ends within a message; else nil.
	Err error
}

// Error implements error.
func (e *Error) Error() string { return "the input is not a message of the protocol: " + e.Reason }

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// Read returns the content of the next message. The error is io.EOF at the end of the input, an *Error, or the reader's
// error.
func Read(r *bufio.Reader) ([]byte, error) {
	length, err := readHeader(r)
	if err != nil {
		return nil, err
	}
	content := make([]byte, 0, min(length, 1<<20)) // a length alone takes no memory
	for len(content) < length {
		part := make([]byte, min(length-len(content), 1<<20))
		n, err := io.ReadFull(r, part)
		content = append(content, part[:n]...)
		if err != nil {
			return nil, cut(err, "message")
		}
	}
	return content, nil
}

// readHeader reads a header with the empty line after it and returns the length of the content.
func readHeader(r *bufio.Reader) (int, error) {
	length, size := -1, 0
	for {
		line, err := readLine(r, MaxHeader-size)
		switch {
		case errors.Is(err, io.EOF) && line == "" && size == 0:
			return 0, io.EOF
		case err != nil:
			return 0, cut(err, "header")
		}
		text := strings.TrimRight(line, "\r\n")
		if text == "" && size == 0 {
			continue // an empty line between messages does no harm
		}
		if size += len(line); text == "" {
			break
		}
		name, number, found := strings.Cut(text, ":")
		if !found {
			return 0, &Error{Reason: fmt.Sprintf("expected Content-Length: NUMBER, found %.60q", text)}
		}
		if !strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			continue
		}
		number = strings.TrimSpace(number)
		if length, err = strconv.Atoi(number); err != nil || length < 0 || length > MaxContent {
			return 0, &Error{Reason: fmt.Sprintf("Content-Length is a number up to %d, not %.60q", MaxContent, number)}
		}
	}
	if length < 0 {
		return 0, &Error{Reason: "a message without Content-Length"}
	}
	return length, nil
}

// cut returns the error of an input that ends within a part of a message.
func cut(err error, part string) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &Error{Reason: "the input ends within a " + part, Err: io.ErrUnexpectedEOF}
	}
	return err
}

// readLine returns the next line of a header with its end. It has at most limit bytes.
func readLine(r *bufio.Reader, limit int) (string, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if line = append(line, part...); len(line) > limit {
			return "", &Error{Reason: fmt.Sprintf("a header of more than %d bytes", MaxHeader)}
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return string(line), err
		}
	}
}
