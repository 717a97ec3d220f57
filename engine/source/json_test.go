package source

import (
	"strings"
	"testing"
)

func TestTextThatIsNotUTF8(t *testing.T) {
	root, problem := ReadJSON([]byte("{\n \"StartAt\": \"caf\xe9\"}"))
	if root != nil || problem == nil {
		t.Fatalf("got %v, %v", root, problem)
	}
	if at := problem.Span.Start; at.Line != 2 || at.Col != 17 || at.Offset != 18 {
		t.Errorf("the problem is at %+v, want line 2, column 17, offset 18", at)
	}
	if !strings.Contains(problem.Message, "not UTF-8: byte 0xE9") {
		t.Errorf("the problem is %q", problem.Message)
	}
}

// TestHalfASurrogatePair: RFC 8259 allows its escape, in keys as well.
func TestHalfASurrogatePair(t *testing.T) {
	root, problem := ReadJSON([]byte(`{"\udead": "\ud800"}`))
	if problem != nil {
		t.Fatal(problem.Message)
	}
	if key := root.Members[0].Key; key != "\uFFFD" {
		t.Errorf("the key is %q", key)
	}
}
