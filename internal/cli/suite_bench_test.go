package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"asldb/internal/cli/command"
	"asldb/internal/definitions"
)

// BenchmarkThousandCases runs a suite of 1,000 cases of the example, from reading it to the report.
func BenchmarkThousandCases(b *testing.B) {
	dir := b.TempDir()
	var text strings.Builder
	text.WriteString("version: 1\ndefinition: order.asl.json\ninclude: [order.fixtures.yaml]\ncases:\n")
	for i := range 1000 {
		fmt.Fprintf(&text, "  case %d:\n    expect: {output: {paid: captured}, path: [ValidateOrder, ..., OrderCompleted]}\n", i)
	}
	for file, content := range map[string]string{
		definitions.DefinitionName: string(definitions.DemoDefinition), definitions.FixturesName: string(definitions.Fixtures), "order.test.yaml": text.String(),
	} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(content), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		s := &command.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Now: time.Now}
		if status := execute([]string{"test", "--no-state", filepath.Join(dir, "order.test.yaml")}, s); status != command.StatusOK {
			b.Fatalf("the status is %d", status)
		}
	}
}
