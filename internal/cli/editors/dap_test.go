package editors

import (
	"bufio"
	"bytes"
	"context"
	"net"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-dap"

	"asldb/internal/cli/command"
	idap "asldb/internal/dap"
)

// client is an editor that has connected.
type client struct {
	t    *testing.T
	conn net.Conn
	in   *bufio.Reader
}

func connect(t *testing.T, address string) *client {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return &client{t, conn, bufio.NewReader(conn)}
}

// ask sends a request and waits for its response.
func (c *client) ask(seq int, command string) {
	c.t.Helper()
	content := `{"seq":` + strconv.Itoa(seq) + `,"type":"request","command":"` + command + `","arguments":{"adapterID":"asldb"}}`
	if err := dap.WriteBaseMessage(c.conn, []byte(content)); err != nil {
		c.t.Fatal(err)
	}
	for {
		message, err := dap.ReadProtocolMessage(c.in)
		if err != nil {
			c.t.Fatalf("%s: %v", command, err)
		}
		if response, ok := message.(dap.ResponseMessage); ok {
			if got := response.GetResponse(); got.RequestSeq != seq || got.Command != command || !got.Success {
				c.t.Fatalf("the response to %s is %+v", command, got)
			}
			return
		}
	}
}

// Each connection is a session of its own: one may end, or send what is not the protocol, and the other goes on.
func TestTwoEditorsAtOnce(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	listener, err := listen(ctx, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wrong bytes.Buffer
	ended := make(chan error, 1)
	go func() {
		ended <- accept(ctx, &command.Streams{Err: &wrong}, listener, idap.Options{Now: func() time.Time { return time.Unix(0, 0) }})
	}()
	address := listener.Addr().String()
	one, two, other := connect(t, address), connect(t, address), connect(t, address)
	one.ask(1, "initialize")
	two.ask(1, "initialize")
	if _, err := other.conn.Write([]byte("GET / HTTP/1.1\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := other.in.ReadByte(); err == nil {
		t.Error("what is not the protocol has a response")
	}
	one.ask(2, "disconnect")
	two.ask(2, "disconnect")
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// Only addresses of this machine are listened on.
func TestListenOnThisMachineOnly(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", ":0", "192.0.2.1:0", "example.com:0", "127.0.0.1", ""} {
		if l, err := listen(context.Background(), address); err == nil {
			l.Close()
			t.Errorf("%q is listened on", address)
		}
	}
}
