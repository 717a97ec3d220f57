package keys

// Press is one key, or a text that was pasted.
type Press struct {
	// Name is the key as Bubble Tea names it, empty for a pasted text. Action is its action in the table.
	Name   string
	Action Action
	// Text is the key's text, and Msg the message of Bubble Tea that text fields take.
	Text string
	Msg  any
}
