package value

import (
	"bytes"
	"strings"
	"testing"
)

func TestUTF8(t *testing.T) {
	for text, want := range map[string]string{
		"\xFF\xFE{\x00}\x00":               "{}",
		"\xFE\xFF\x00{\x00}":               "{}",
		"\xFF\xFE\xE9\x00\x3D\xD8\x00\xDE": "é\U0001F600",
		"\xFF\xFE\x3D\xD8a\x00":            "\uFFFDa",
		"\xFF\xFE":                         "",
		"\xFF\xFE{":                        "\xFF\xFE{", // half a character
		"{}":                               "{}",
		"\xEF\xBB\xBF{}":                   "\xEF\xBB\xBF{}",
		"":                                 "",
		"\xFF":                             "\xFF",
	} {
		if got := UTF8([]byte(text)); !bytes.Equal(got, []byte(want)) {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	_, err := Parse([]byte("\xFF\xFE{\x00}\x00"), Limits{})
	if err == nil || !strings.Contains(err.Error(), "the text is UTF-16: save it as UTF-8") {
		t.Error(err)
	}
}
