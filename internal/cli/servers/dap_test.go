package servers

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/google/go-dap"

	"asldb/internal/cli/command"
	editorsdap "asldb/internal/editors/dap"
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
	content := fmt.Sprintf(`{"seq":%d,"type":"request","command":%q,"arguments":{"adapterID":"asldb"}}`, seq, command)
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

// Each connection is a separate session: one may end, or send what is not the protocol, and the other continues.
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
		options := editorsdap.Options{Now: func() time.Time { return time.Unix(0, 0) }}
		ended <- accept(ctx, &command.Streams{Err: &wrong}, listener, options)
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

// The kernel's tables tell whose a connection is.
func TestUserOfAConnection(t *testing.T) {
	const heading = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
	word := func(address ...byte) string { // as the kernel of this machine writes it
		return fmt.Sprintf("%08X", binary.NativeEndian.Uint32(address))
	}
	v4 := word(127, 0, 0, 1)
	mapped := word(0, 0, 0, 0) + word(0, 0, 0, 0) + word(0, 0, 255, 255) + v4
	six := word(0, 0, 0, 0) + word(0, 0, 0, 0) + word(0, 0, 0, 0) + word(0, 0, 0, 1)
	row := func(from, to, user string) string {
		return "   0: " + from + " " + to + " 01 00000000:00000000 00:00000000 00000000  " +
			user + "        0 123 1 0 20 4 30 10 -1\n"
	}
	for _, c := range []struct{ table, from, to, want string }{
		{row(v4+":1F90", v4+":C350", "0") + row(v4+":C350", v4+":1F90", "1001"),
			"127.0.0.1:50000", "127.0.0.1:8080", "1001"},
		{row(mapped+":C350", mapped+":1F90", "1002"), "127.0.0.1:50000", "127.0.0.1:8080", "1002"},
		{row(six+":C350", six+":1F90", "1003"), "[::1]:50000", "[::1]:8080", "1003"},
		{row(v4+":C351", v4+":1F90", "1001") + "x\n   1: zz:1 zz:2 01 0 0 0 0 7\n",
			"127.0.0.1:50000", "127.0.0.1:8080", ""},
	} {
		got, found := userOf(heading+c.table, netip.MustParseAddrPort(c.from), netip.MustParseAddrPort(c.to))
		if got != c.want || found != (c.want != "") {
			t.Errorf("%s to %s is of %q, %v, want %q", c.from, c.to, got, found, c.want)
		}
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
