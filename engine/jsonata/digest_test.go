package jsonata

import "testing"

// The digests are those that the language's own examples and recordings have.
func TestSum(t *testing.T) {
	for algorithm, want := range map[string]string{
		"MD5": "812f45842bc6d66ee14572ce20db8e86", "SHA-1": "aaff4a450a104cd177d28d18d74485e8cae074b7",
		"SHA-256": "b4a697a057313163aee33cd8d40c66e9f0f177e00cac2de32475ffff6169c3e3",
	} {
		if got, ok := Sum("input data", algorithm); !ok || got != want {
			t.Errorf("%s: %s, %v", algorithm, got, ok)
		}
	}
	if _, ok := Sum("x", "sha-1"); ok {
		t.Error("an algorithm in lower case was taken")
	}
}

func TestUUID(t *testing.T) {
	if got, want := UUID(0, 0), "00000000-0000-4000-8000-000000000000"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := UUID(^uint64(0), ^uint64(0)), "ffffffff-ffff-4fff-bfff-ffffffffffff"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
