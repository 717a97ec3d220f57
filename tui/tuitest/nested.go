package tuitest

import (
	"os"
	"path/filepath"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/fixtures/live"
	"asldb/internal/launch"
)

// Nested returns a session of a definition whose tasks start others. Files has the texts by name: the definition main, its
// fixtures, and the files that they name. Tasks without a result are treated as missing says; the input is an empty
// object where it is nil.
func Nested(t testing.TB, files map[string]string, main, mainFixtures string, missing fixtures.Missing, input value.Value) (*debug.Session, *live.Calls) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	file, err := fixtures.Load(filepath.Join(dir, mainFixtures), []byte(files[mainFixtures]))
	if err != nil {
		t.Fatal(err)
	}
	m := Machine(t, main, []byte(files[main]))
	source, err := file.Source(m.Definition())
	if err != nil {
		t.Fatal(err)
	}
	calls := live.NewCalls()
	t.Cleanup(calls.Close)
	source.AllowLive(calls, fixtures.Permission{})
	source.Share((&launch.Spec{Missing: missing, Dialect: engine.AWS, Limits: engine.ServiceLimits()}).Program())
	if input == nil {
		input = value.ObjectOf()
	}
	return debug.New(m, debug.Options{Input: input, Start: Start, Seed: 7, Source: fixtures.OnMissing(source, missing)}), calls
}
