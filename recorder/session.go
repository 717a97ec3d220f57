package recorder

import (
	"os"

	"asldb/engine"
	"asldb/engine/debug"
)

// HeaderOf returns the header of the traces of a run of a machine with these options. What wrote it is left to the caller.
func HeaderOf(machine *engine.Machine, options *debug.Options) *Header {
	definition := machine.Definition()
	return &Header{
		Definition: DefinitionOf(definition), Made: definition.Origin, Input: options.Input, Context: options.Context,
		Start: options.Start, Seed: options.Seed, Dialect: machine.Dialect(), Limits: options.Limits, Express: options.Express, Abort: options.Abort,
	}
}

// SaveSession writes all that has happened in a session to a new trace: every fork of the run, the current one last. The
// error is a *[TraceError], or [debug.ErrForgotten].
func SaveSession(name, program string, session *debug.Session, how TraceOptions) error {
	options := session.Options()
	header := HeaderOf(session.Machine(), &options)
	header.Program = program
	w, err := CreateTrace(name, header, how)
	if err != nil {
		return err
	}
	err = session.CopyTo(w)
	if closed := w.Close(); err == nil {
		return closed
	}
	_ = os.Remove(name) // it has only the header
	return err
}
