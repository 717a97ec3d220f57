package recorder

import (
	"fmt"
	"strconv"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// What the first line of a trace says it is.
const (
	// Format is the name of the format.
	Format = "asldb-trace"
	// Version is the version of the format that this package writes, and the newest that it reads.
	Version = 2
)

// Header is the first line of a trace: the options of the run.
type Header struct {
	// Version is the format's, set by a reader; Program is the version of asldb that wrote the trace.
	Version int
	Program string
	// Origin says how the trace came about where it was not recorded by a run of asldb; else it is empty.
	Origin string
	// Definition is the text that ran; nil where it is not known. Digest is the digest of the text,
	// "sha256:" and hexadecimal digits, also where secrets were replaced in it before it was written.
	Definition *source.File
	Digest     string
	// ConvertedFrom is the origin of a definition whose text is in another language; else nil.
	ConvertedFrom *asl.Origin
	// Input and Context are as in [debug.Options]; Context may be nil.
	Input, Context value.Value
	// InputText is the text of Input as the caller wrote it; empty where there is none, and where values were
	// redacted.
	InputText string
	// Start may be zero, which means the engine's own.
	Start   time.Time
	Seed    int64
	Dialect engine.Dialect
	Limits  engine.Limits
	// Express is set of an Express execution.
	Express bool
	// Tokens begins the task tokens; empty: the seed does.
	Tokens string
	// Abort is the time and the way in which the execution is stopped from outside; nil: it is not.
	Abort *debug.Abort
	// Lost are the losses that a repair has left out before the end of the run, in sentences: what is left is shown as it was recorded,
	// and not executed. It is empty where nothing is lost.
	Lost []string
	// Redactions are the paths whose values were replaced before anything was written.
	Redactions []string
}

// DefinitionOf returns the text of a definition as it ran: the text of its file, or, where that is not all (a template,
// a text with substitutions), the definition as JSON.
func DefinitionOf(definition *asl.StateMachine) *source.File {
	file := definition.Source
	if definition.Origin != nil {
		return file // a reader of its format makes it again
	}
	if again, _ := asl.Parse(file); again != nil && again.Root != nil &&
		value.Compact(again.Root.Value) == value.Compact(definition.Root.Value) {
		return file
	}
	return &source.File{Name: file.Name, Data: []byte(value.Pretty(definition.Root.Value) + "\n")}
}

// append writes the header as a line. The definition comes last: it is the longest for a person to read.
func (h *Header) append(dst []byte) []byte {
	dst = append(dst, `{"format":"`+Format+`","version":`...)
	dst = strconv.AppendInt(dst, Version, 10)
	dst = appendText(dst, "asldb", h.Program)
	if h.Origin != "" {
		dst = appendText(dst, "origin", h.Origin)
	}
	if !h.Start.IsZero() {
		dst = appendTime(appendKey(dst, "start"), h.Start)
	}
	dst = appendInt(dst, "seed", h.Seed)
	dst = appendText(dst, "dialect", h.Dialect.String())
	if h.Express {
		dst = append(dst, `,"express":true`...)
	}
	if h.Tokens != "" {
		dst = appendText(dst, "tokens", h.Tokens)
	}
	limits := h.Limits
	dst = append(dst, `,"limits":{"payloadBytes":`...)
	dst = strconv.AppendInt(dst, int64(limits.Payload), 10)
	dst = appendInt(dst, "variableBytes", int64(limits.Variable))
	dst = appendInt(dst, "variablesBytes", int64(limits.Variables))
	dst = appendInt(dst, "historyEvents", int64(limits.History))
	if limits.Evaluation > 0 {
		dst = appendInt(dst, "evaluationSteps", int64(limits.Evaluation))
	}
	dst = append(dst, '}')
	if h.Abort != nil {
		dst = append(appendKey(dst, "abort"), `{"at":`...)
		dst = appendTime(dst, h.Abort.At)
		dst = append(appendText(appendText(dst, "error", h.Abort.Error), "cause", h.Abort.Cause), '}')
	}
	dst = appendTexts(dst, "lost", h.Lost)
	dst = appendTexts(dst, "redactions", h.Redactions)
	if h.Input != nil {
		dst = value.Append(appendKey(dst, "input"), h.Input)
		if h.InputText != "" && h.InputText != value.Compact(h.Input) {
			dst = appendText(dst, "inputText", h.InputText)
		}
	}
	if h.Context != nil {
		dst = value.Append(appendKey(dst, "context"), h.Context)
	}
	if h.Definition != nil {
		dst = append(dst, `,"definition":{"name":`...)
		dst = value.AppendQuoted(dst, h.Definition.Name)
		dst = appendText(dst, "digest", h.Digest)
		if h.ConvertedFrom != nil {
			dst = appendText(dst, "format", h.ConvertedFrom.Format)
			dst = value.Append(appendKey(dst, "arguments"), h.ConvertedFrom.Arguments)
		}
		dst = appendText(dst, "text", string(h.Definition.Data))
		dst = append(dst, '}')
	}
	return append(dst, '}', '\n')
}

// appendTexts appends a member with a list of texts, where there are any.
func appendTexts(dst []byte, key string, texts []string) []byte {
	if len(texts) == 0 {
		return dst
	}
	dst = append(appendKey(dst, key), '[')
	for i, text := range texts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = value.AppendQuoted(dst, text)
	}
	return append(dst, ']')
}

// texts returns the texts of a list.
func (f *fields) texts(key string) (texts []string) {
	list, ok := f.get(key).(*value.Array)
	if !ok {
		return nil
	}
	for _, item := range list.All() {
		text, _ := item.(value.String)
		texts = append(texts, string(text))
	}
	return texts
}

// FormatError says that a file is not a trace that can be read.
type FormatError struct {
	// Name is the file's; Msg describes the file, or the problem of its first line.
	Name, Msg string
	// Version is the version of the format, of a trace that is newer than this program; else 0.
	Version int
}

// Error implements error.
func (e *FormatError) Error() string { return wording.Line(e.Name) + ": " + e.Msg }

// maxHeaderProbe is how much of a file is looked at to see that it is a trace.
const maxHeaderProbe = 256

// readHeader decodes the first line.
func readHeader(name string, line []byte) (*Header, error) {
	wrong := func(format string, args ...any) (*Header, error) {
		return nil, &FormatError{Name: name, Msg: "the first line of the trace " + fmt.Sprintf(format, args...)}
	}
	parsed, err := value.Parse(line, lineLimits)
	if err != nil {
		return wrong("is not JSON: %v", err)
	}
	f := fields{object: asObject(parsed)}
	if format := f.text("format"); format != Format {
		return nil, &FormatError{Name: name, Msg: fmt.Sprintf("not a trace of asldb: its first line says that its format is %q", clip(format))}
	}
	version := f.integer("version")
	switch {
	case version > Version:
		return nil, &FormatError{Name: name, Version: int(version), Msg: fmt.Sprintf(
			"the trace is of version %d of the format, and this asldb knows version %d and older: it was written by asldb %s", version, Version, f.text("asldb"))}
	case version < 1:
		return wrong("has no version")
	}
	h := &Header{
		Version: int(version), Program: f.text("asldb"), Origin: f.text("origin"), Start: f.time("start"), Seed: f.integer("seed"),
		Input: f.get("input"), InputText: f.text("inputText"), Context: f.get("context"),
	}
	if h.Dialect, err = engine.ParseDialect(f.text("dialect")); err != nil {
		return wrong("has an %v", err)
	}
	limits := fields{object: asObject(f.get("limits"))}
	h.Limits = engine.Limits{
		Payload: int(limits.integer("payloadBytes")), Variable: int(limits.integer("variableBytes")),
		Variables: int(limits.integer("variablesBytes")), History: int(limits.integer("historyEvents")),
		Evaluation: int(limits.integer("evaluationSteps")),
	}
	h.Express, h.Tokens = f.get("express") == value.Bool(true), f.text("tokens")
	if abort, ok := f.get("abort").(*value.Object); ok {
		a := fields{object: abort}
		h.Abort = &debug.Abort{At: a.time("at"), Error: a.text("error"), Cause: a.text("cause")}
		f.fault = first(f.fault, a.fault)
	}
	h.Lost, h.Redactions = f.texts("lost"), f.texts("redactions")
	if definition := asObject(f.get("definition")); definition.Len() > 0 {
		d := fields{object: definition}
		h.Definition = &source.File{Name: d.text("name"), Data: []byte(d.text("text"))}
		h.Digest = d.text("digest")
		if format := d.text("format"); format != "" {
			h.ConvertedFrom = &asl.Origin{Format: format, Arguments: asObject(d.get("arguments"))}
		}
		f.fault = first(f.fault, d.fault)
	}
	if fault := first(f.fault, limits.fault); fault != "" {
		return wrong("%s", fault)
	}
	return h, nil
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// clip keeps a hostile text from filling the screen.
func clip(text string) string {
	const limit = 80
	if len(text) <= limit {
		return text
	}
	return text[:limit] + "…"
}
