package store_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"asldb/internal/store"
	"asldb/internal/testkit"
)

// Setups and consents on a disk that is full: whichever change of the file system fails, each file has its old text or
// its new one, and the error says so.
func TestStateOnAFullDisk(t *testing.T) {
	machine := filepath.Join(t.TempDir(), "order.asl.json")
	opened := func(dir string) *store.Store {
		s, err := store.Open(dir, machine, []byte(definition))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	allowed := subject(t)
	saved := func(write func(dir string) error) map[string]string {
		dir := t.TempDir()
		if err := write(dir); err != nil {
			t.Fatal(err)
		}
		return testkit.Texts(t, dir)
	}
	old := saved(func(dir string) error { return opened(dir).Save(points("Charge")) })
	consents := saved(func(dir string) error { return store.In(dir).Allow(allowed) })
	again := *allowed
	again.Calls = again.Calls[:1]
	for name, c := range map[string]struct {
		texts map[string]string
		write func(dir string) error
	}{
		"a first setup": {nil, func(dir string) error { return opened(dir).Save(points("Ship")) }},
		"another setup": {old, func(dir string) error {
			s := opened(dir)
			if got := load(t, s); len(got.Breakpoints) != 1 {
				t.Errorf("loaded %v", got)
			}
			return s.Save(points("Charge", "Ship"))
		}},
		"an empty setup":  {old, func(dir string) error { s := opened(dir); load(t, s); return s.Save(store.State{}) }},
		"a first consent": {nil, func(dir string) error { return store.In(dir).Allow(allowed) }},
		"another consent": {consents, func(dir string) error { return store.In(dir).Allow(&again) }},
		"a revocation":    {consents, func(dir string) error { return store.In(dir).Revoke(allowed.Path) }},
	} {
		t.Run(name, func(t *testing.T) { testkit.EachFailure(t, c.texts, c.write) })
	}
}

// A setup of no use is not lost where the disk is full: it keeps its name, or is set aside.
func TestBadSetupOnAFullDisk(t *testing.T) {
	machine := filepath.Join(t.TempDir(), "order.asl.json")
	const bad = `{"version": 1, "breakpoints": 7}`
	first, err := store.Open(t.TempDir(), machine, []byte(definition))
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{filepath.Base(first.Path()): bad}
	for n := 1; ; n++ {
		dir := testkit.New(t, texts)
		s, err := store.Open(dir, machine, []byte(definition))
		if err != nil {
			t.Fatal(err)
		}
		failed := testkit.FailFrom(n, func() { err = s.Save(points("Charge")) })
		kept := 0
		for name, text := range testkit.Texts(t, dir) {
			if strings.HasPrefix(name, filepath.Base(first.Path())) && text == bad {
				kept++
			}
		}
		if kept != 1 {
			t.Errorf("after the failure of call %d, %q, the bad file is there %d times", n, failed, kept)
		}
		if failed == "" {
			return
		}
		var unusable *store.BadFileError // the one that cannot be set aside
		if !errors.Is(err, testkit.ErrFull) && !errors.As(err, &unusable) {
			t.Errorf("call %d, %s, failed, and the error is %v", n, failed, err)
		}
	}
}
