package keys

// Press is one key, or a text that was pasted.
type Press struct {
	// Name is the key as Bubble Tea names it, empty for a pasted text. Action is what the table makes of it.
	Name   string
	Action Action
	// Text is what the key writes, and Msg the message of Bubble Tea that text fields take.
	Text string
	Msg  any
}
