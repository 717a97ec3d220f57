package servers

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"asldb/internal/cli/command"
	"asldb/internal/editors/dap"
)

// Another user of the machine is refused, and nothing is sent. The test needs root, who can be another user.
func TestAnotherUserIsRefused(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if os.Getuid() != 0 || err != nil {
		t.Skip("it needs root and bash")
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	listener, err := listen(ctx, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	ended := make(chan error, 1)
	go func() { ended <- accept(ctx, &command.Streams{Err: &said}, listener, dap.Options{}) }()
	host, port, _ := strings.Cut(listener.Addr().String(), ":")
	client := exec.CommandContext(ctx, bash, "-c", "exec 3<>/dev/tcp/"+host+"/"+port+"; cat <&3")
	client.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	client.Dir = "/"
	out, err := client.Output()
	cancel()
	failed := <-ended // said is complete then
	refused := strings.Contains(said.String(), "of another user (uid 65534)")
	if failed != nil || !refused || len(out) > 0 {
		t.Errorf("%v, %v: it says %q, and sent %q", failed, err, said.String(), out)
	}
}
