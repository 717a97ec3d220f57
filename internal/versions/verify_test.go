package versions_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"asldb/internal/definitions"
	"asldb/internal/launch"
	"asldb/internal/versions"
)

// Several traces are verified, in the order of their files, and those that cannot be do not stop the others.
func TestVerify(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.trace", "b.trace", "d.trace"} {
		runTrace(t, filepath.Join(dir, name), machineOf(t, "task", task).Machine, `{}`)
	}
	if err := os.WriteFile(filepath.Join(dir, "c.trace"), []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	done := 0
	v, err := versions.Verify(context.Background(), launch.Spec{}, []string{dir}, 2, func(n, all int) {
		if done++; n != done || all != 4 {
			t.Errorf("%d of %d", n, all)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if v.Agree() != 3 || v.Differ() != 0 || v.Wrong() != 1 || v.Traces[2].Err == nil ||
		filepath.Base(v.Traces[3].File) != "d.trace" || v.Events() != 3*v.Traces[0].Events {
		t.Errorf("%+v", v)
	}
	changed := launch.Spec{Definition: definitions.Definition{Machine: machineOf(t, "orders",
		orders).Machine.Definition()}}
	v, err = versions.Verify(context.Background(), changed,
		[]string{filepath.Join(dir, "a.trace"), filepath.Join(dir, "b.trace")}, 0, nil)
	if err != nil || v.Differ() != 2 || v.Agree() != 0 {
		t.Errorf("%v, %+v", err, v)
	}
	var empty *versions.EmptyError
	if _, err := versions.Verify(context.Background(), launch.Spec{}, []string{t.TempDir()}, 0, nil); !errors.As(err,
		&empty) {
		t.Error(err)
	}
	if _, err := versions.Verify(context.Background(), launch.Spec{}, []string{filepath.Join(dir, "none")}, 0,
		nil); err == nil {
		t.Error("a file that is not there is verified")
	}
	missing := launch.Spec{Definition: definitions.Definition{File: filepath.Join(dir, "none.json")}}
	if _, err := versions.Verify(context.Background(), missing, []string{dir}, 0, nil); err == nil {
		t.Error("a definition that is not there is taken")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := versions.Verify(ctx, launch.Spec{}, []string{dir}, 0, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
