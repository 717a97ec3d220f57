package executions

import (
	"context"
	"io"

	"asldb/internal/work"
)

// maxHeld bounds the bytes that a call keeps until the calls before it have ended.
const maxHeld = 1 << 20

// ordered is the output of one of several calls at once, written behind the outputs of the calls before.
type ordered struct {
	io.Writer
	ctx context.Context
	// turn is closed when the calls before have ended.
	turn <-chan struct{}
	held []byte
}

// Write keeps the bytes until the turn comes, and waits for it where they are too many.
func (o *ordered) Write(part []byte) (int, error) {
	select {
	case <-o.turn:
	default:
		if len(o.held)+len(part) <= maxHeld {
			o.held = append(o.held, part...)
			return len(part), nil
		}
	}
	if err := o.release(); err != nil {
		return 0, err
	}
	return o.Writer.Write(part)
}

// release waits for the turn, and writes what was kept.
func (o *ordered) release() error {
	select {
	case <-o.turn:
	case <-o.ctx.Done():
		return context.Cause(o.ctx)
	}
	held := o.held
	o.held = nil
	_, err := o.Writer.Write(held)
	return err
}

// InOrder calls do with the numbers below n on all cores. Their outputs are written to out in the order of the numbers,
// and end is called behind each. The first error in that order ends the calls, and is returned.
func InOrder(ctx context.Context, n int, out io.Writer, do func(i int, out io.Writer) error, end func(i int)) error {
	turns := make([]chan struct{}, n+1)
	for i := range turns {
		turns[i] = make(chan struct{})
	}
	close(turns[0])
	ended, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	workers := work.Workers(0)
	if workers > 1 {
		workers *= 2 // some wait for their turn
	}
	work.Each(ended, n, workers, func(i int) {
		o := &ordered{Writer: out, ctx: ended, turn: turns[i]}
		err := do(i, o)
		if released := o.release(); err == nil {
			err = released
		}
		if ended.Err() != nil {
			return
		}
		if end(i); err != nil {
			stop(err)
			return
		}
		close(turns[i+1])
	})
	return context.Cause(ended)
}
