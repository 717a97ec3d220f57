package cli

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"asldb/internal/launch"
)

// TestUnknownWordsAreRefused gives every flag whose help lists words another one.
func TestUnknownWordsAreRefused(t *testing.T) {
	patterns := []string{"clock", "level"} // "x60" is a clock, too; the API refuses levels in its own words
	checked := 0
	var look func(cmd *cobra.Command)
	look = func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) {
			switch listed := strings.Contains(flag.Value.Type(), "|"); {
			case slices.Contains(patterns, flag.Name):
			case listed:
				checked++
				var wrong *launch.ValueError
				if err := flag.Value.Set("no such word"); !errors.As(err, &wrong) || !strings.Contains(wrong.Is, " or ") {
					t.Errorf("%s --%s: %v", cmd.CommandPath(), flag.Name, err)
				}
			case flag.Name == "format" || flag.Name == "dialect":
				t.Errorf("%s --%s does not list its words", cmd.CommandPath(), flag.Name)
			}
		})
		for _, below := range cmd.Commands() {
			look(below)
		}
	}
	look(Commands())
	if checked < 20 {
		t.Errorf("%d flags were looked at", checked)
	}
}
