package report

import (
	"bytes"
	"encoding/json"
	"io"

	"asldb/internal/wording"
)

// JSON writes a value as a JSON document: structs by their tags, others as encoding/json has them. Hidden characters
// are escapes.
func JSON(w io.Writer, v any) error { return encode(w, v, "  ") }

// JSONLine is [JSON] in one line.
func JSONLine(w io.Writer, v any) error { return encode(w, v, "") }

func encode(w io.Writer, v any, indent string) error {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(wording.JSON(out.Bytes()))
	return err
}
