package keys

// Press is one key, or a text that was pasted.
type Press struct {
	// Name is the key as Bubble Tea names it, such as "a", "alt+a", "ctrl+c" or "up"; it is empty for a pasted text.
	// Action is its action in the table.
	Name   string
	Action Action
	// Text is the text that the key writes, or "".
	Text string
}
