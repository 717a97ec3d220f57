package recorder

import (
	"asldb/engine"
	"asldb/engine/debug"
	"asldb/internal/files"
)

// HeaderOf returns the header of the traces of a run of a machine with these options. What wrote it is left to the caller.
func HeaderOf(machine *engine.Machine, options *debug.Options) *Header {
	definition := machine.Definition()
	return &Header{
		Definition: DefinitionOf(definition), ConvertedFrom: definition.Origin,
		Input: options.Input, InputText: options.InputText, Context: options.Context, Start: options.Start,
		Seed: options.Seed, Dialect: machine.Dialect(), Limits: options.Limits, Express: options.Express, Tokens: options.Tokens, Abort: options.Abort,
	}
}

// SaveSession writes all that has happened in a session to a new trace: every fork of the run, the current one last. The
// error is a *[files.WriteError], or [debug.ErrForgotten].
func SaveSession(name, program string, session *debug.Session, how TraceOptions) error {
	options := session.Options()
	header := HeaderOf(session.Machine(), &options)
	header.Program = program
	out, err := files.BeginNew(name, 0o600)
	if err != nil {
		return err
	}
	return Save(out, header, how, session.CopyTo)
}

// Save writes a whole trace to a file that is begun; after an error it is as it was. The error is a *[files.WriteError], or the one of fill.
func Save(out *files.Pending, header *Header, how TraceOptions, fill func(debug.Sink) error) error {
	defer out.Drop()
	w, err := NewTraceWriter(out.Name(), out, header, how)
	if err != nil {
		return err
	}
	err = fill(w)
	if closed := w.Close(); err == nil && closed != nil {
		err = &files.WriteError{Name: out.Name(), Err: w.Fault().Err}
	}
	if err != nil {
		return err
	}
	return out.Commit()
}
