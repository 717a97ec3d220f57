package editors

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	r := bufio.NewReader(strings.NewReader("Content-Length: 2\r\n\r\n{}\r\ncontent-length:1\nX: y\n\n1Content-Length: 0\r\n\r\n"))
	for _, want := range []string{"{}", "1", ""} {
		if got, err := Read(r); err != nil || string(got) != want {
			t.Errorf("%q, %v; want %q", got, err, want)
		}
	}
	if _, err := Read(r); !errors.Is(err, io.EOF) {
		t.Errorf("%v at the end", err)
	}
}

func TestErrors(t *testing.T) {
	for input, want := range map[string]string{
		"GET / HTTP/1.1\r\n\r\n":            `expected Content-Length: NUMBER, found "GET / HTTP/1.1"`,
		"Content-Length: -1\r\n\r\n":        `a number up to 67108864, not "-1"`,
		"Content-Length: 67108865\r\n\r\n":  `a number up to 67108864, not "67108865"`,
		"X: y\r\n\r\n":                      "a message without Content-Length",
		"Content-Length: 67108864\r\n\r\n1": "the input ends within a message",
		"Content-Length: 2\r\n\r\n":         "the input ends within a message",
		"Content-Length: 2\r\n":             "the input ends within a header",
		"Content-Le":                        "the input ends within a header",
		strings.Repeat("A: b\r\n", 1000):    "a header of more than 4096 bytes",
		strings.Repeat("A", 5000):           "a header of more than 4096 bytes",
	} {
		_, err := Read(bufio.NewReader(strings.NewReader(input)))
		var wrong *Error
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.30q: %v, want %s", input, err, want)
		}
		if ends := strings.Contains(want, "ends within"); ends != errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%.30q: %v is or is not an unexpected end", input, err)
		}
	}
}
