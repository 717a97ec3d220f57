package asl

import (
	"strings"
	"testing"
)

func TestTextThatIsNotUTF8(t *testing.T) {
	text := "{\n \"StartAt\": \"caf\xe9\"}"
	if machine, problems := Parse(&Source{Name: "m", Data: []byte(text)}); machine != nil || len(problems) != 1 {
		t.Fatalf("got %v, %v", machine, problems)
	} else if at := problems[0].Span.Start; at.Line != 2 || at.Col != 17 || at.Offset != 18 {
		t.Errorf("the problem is at %+v, want line 2, column 17, offset 18", at)
	} else if !strings.Contains(problems[0].Message, "not UTF-8: byte 0xE9") {
		t.Errorf("the problem is %q", problems[0].Message)
	}
}

// TestHalfASurrogatePair: RFC 8259 allows its escape, in keys as well.
func TestHalfASurrogatePair(t *testing.T) {
	root, problem := ReadTree([]byte(`{"\udead": "\ud800"}`))
	if problem != nil {
		t.Fatal(problem.Message)
	}
	if key := root.Members[0].Key; key != "\uFFFD" {
		t.Errorf("the key is %q", key)
	}
}
