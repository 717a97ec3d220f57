// Package explain puts a run into words: why a Choice rule holds, which retrier took an error and how its delay came
// about, how far a path got, the end of a timer, why the session has stopped.
//
// Its functions take a session, or an event of its log, and return text as data: paragraphs of spans with tones and
// signs, which refer to events and to places in the definition. Faces decide about glyphs, colours, widths and keys.
// [Writer] writes a text as strings.
package explain
