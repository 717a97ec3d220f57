package lint

import (
	"strings"
	"testing"
)

// TestLargeLiterals: the data of a state have at most 256 KiB as JSON, so that a Result with a byte more fails it.
func TestLargeLiterals(t *testing.T) {
	const most = 256 << 10
	result := func(bytes int) string { // the quotes are two of them
		return `{"StartAt": "A", "States": {"A": {"Type": "Pass", "Result": "` + strings.Repeat("x", bytes-2) +
			`", "End": true}}}`
	}
	if list, wrong := warnings(result(most)); wrong || len(list) > 0 {
		t.Errorf("%d bytes: %q", most, list)
	}
	list, wrong := warnings(result(most + 1))
	const says = "the Result has 262145 bytes, and data have at most 262144: the state fails"
	if got := list["/States/A/Result"]; wrong || len(list) != 1 || !strings.Contains(got, says) {
		t.Errorf("%.300q: want %q", got, says)
	}
}
