package source

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

// After each of many edits, the tree that is read again is the one that is read anew.
func TestReread(t *testing.T) {
	const text = `{"StartAt": "A", "States": {
	"A": {"Type": "Pass", "Ä": [1, [], {}, "é\u00e9"], "Next": "B"},
	"B": {"Type": "Map", "X": {"StartAt": "C",
"States": {"C": {"Type": "Fail"}, "C": 0}}}, "Z": {}}, "n": [ ]}
`
	pieces := []string{
		"", "x", "é", `"`, "{}", "[1]", "}", "{", "\n", ",", `"k": 1,`, `, "k": {"a": [2]}`, " ", "1", "\\",
	}
	for seed := range uint64(40) {
		random := rand.New(rand.NewPCG(seed, 0))
		var r Rereader
		data, reread := []byte(text), 0
		for range 200 {
			f := &File{Name: "a.asl.json", Data: data}
			before := r.root
			want, wrong := Read(f, nil)
			got, problem := r.Read(f, nil)
			if !reflect.DeepEqual(want, got) || !reflect.DeepEqual(wrong, problem) {
				t.Fatalf("seed %d: %q is read as another tree:\n%+v\n%+v", seed, data, got, problem)
			}
			if shares(before, got) {
				reread++
			}
			from := random.IntN(len(data) + 1)
			to := min(len(data), from+random.IntN(3))
			changed := append([]byte(nil), data[:from]...)
			changed = append(append(changed, pieces[random.IntN(len(pieces))]...), data[to:]...)
			if _, wrong := ReadJSON(changed); wrong == nil || random.IntN(4) == 0 {
				data = changed
			}
			if _, wrong := ReadJSON(data); wrong != nil && random.IntN(2) == 0 { // it is mended in some other place
				data = []byte(text)
			}
		}
		if reread < 20 {
			t.Errorf("seed %d: only %d texts share their first member with the one before", seed, reread)
		}
	}
}

// shares reports whether two trees share their first part.
func shares(a, b *Node) bool {
	return a != nil && b != nil && len(a.Members) > 0 && len(b.Members) > 0 && a.Members[0].Node == b.Members[0].Node
}
