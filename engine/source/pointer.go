package source

import (
	"strconv"
	"strings"

	"asldb/engine/value"
)

// Find follows a JSON Pointer (RFC 6901) from n and returns the node, nil when there is none, with the place of its
// key, the zero Span for an item of an array and for n itself.
func (n *Node) Find(pointer string) (key Span, found *Node) {
	if pointer == "" {
		return Span{}, n
	}
	if pointer[0] != '/' {
		return Span{}, nil
	}
	for segment := range strings.SplitSeq(pointer[1:], "/") {
		key, n = n.child(value.UnescapePointer(segment))
		if n == nil {
			return Span{}, nil
		}
	}
	return key, n
}

// child returns the member called segment, or the item of that number.
func (n *Node) child(segment string) (key Span, child *Node) {
	for i := len(n.Members) - 1; i >= 0; i-- {
		if n.Members[i].Key == segment {
			return n.Members[i].KeySpan, n.Members[i].Node
		}
	}
	if i, err := strconv.Atoi(segment); err == nil && i >= 0 && i < len(n.Items) && strconv.Itoa(i) == segment {
		return Span{}, n.Items[i]
	}
	return Span{}, nil
}

// Pointers returns the JSON Pointer of every node below n, and of n itself. A node at several places, as aliases make
// it, has the pointer of the first.
func (n *Node) Pointers() map[*Node]string {
	pointers := make(map[*Node]string)
	n.addPointers(pointers, "")
	return pointers
}

func (n *Node) addPointers(pointers map[*Node]string, at string) {
	if _, known := pointers[n]; known {
		return
	}
	pointers[n] = at
	for i := range n.Members {
		n.Members[i].Node.addPointers(pointers, at+"/"+value.EscapePointer(n.Members[i].Key))
	}
	for i, item := range n.Items {
		item.addPointers(pointers, at+"/"+strconv.Itoa(i))
	}
}
