//go:build unix

package dap

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"asldb/fixtures"
	"asldb/internal/launch"
	"asldb/internal/store"
)

// A client that dies while a live program runs ends the adapter, and the program with all that it has started.
func TestClientDiesWhileAProgramRuns(t *testing.T) {
	state := t.TempDir()
	e := newEditorWith(t, Options{State: state})
	started := filepath.Join(e.dir, "started")
	name := e.file("f.yaml", "version: 1\nallowLive: true\ntasks:\n  Charge: [{exec: [sh, -c, 'sleep 600 & echo $$ $! > part && mv part started; wait']}]\n")
	file, err := fixtures.ExamineFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.In(state).Allow(launch.Subject(file, file.Reach())); err != nil {
		t.Fatal(err)
	}
	e.begin(map[string]any{"program": e.file("task.asl.json", strings.Replace(taskJSON, `"HeartbeatSeconds": 10,`, "", 1)), "fixtures": name})
	e.must("configurationDone", nil)
	end := time.Now().Add(20 * time.Second)
	var pids []string
	for len(pids) == 0 {
		text, _ := os.ReadFile(started) // it is not there yet
		if pids = strings.Fields(string(text)); time.Now().After(end) {
			t.Fatal("the program does not start")
		}
		time.Sleep(time.Millisecond)
	}
	e.in.Close()
	go func() { _, _ = io.Copy(io.Discard, e.out) }()
	select {
	case err := <-e.ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the adapter does not end")
	}
	for _, text := range pids {
		pid, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		for running(pid) && time.Now().Before(end) {
			time.Sleep(time.Millisecond)
		}
		if running(pid) {
			t.Errorf("process %d runs on", pid)
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// running reports whether a process is there and not a zombie that its parent has yet to read.
func running(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	return err != nil || !strings.Contains(string(stat), ") Z ")
}
