package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"asldb/engine"
	"asldb/engine/value"
	"asldb/internal/visible"
	"asldb/recorder"
)

const statsLong = `Prints figures of each state in a recorded run: visits, errors, retries, catches, and the virtual time
that visits took. All branches and iterations count together; a visit that had not ended has no time.`

func newTraceStats(s *streams) *cobra.Command {
	asJSON := false
	var branch branchFlag
	cmd := &cobra.Command{
		Use:     "stats TRACE",
		Short:   "Print visits, errors, retries and durations by state",
		Long:    statsLong,
		Example: "  asldb trace stats order.trace\n  asldb trace stats order.trace --json | jq '.[] | select(.failures > 0)'",
		Args:    traceArgument,
		RunE: func(_ *cobra.Command, args []string) error {
			trace, err := openRecorded(s, args[0])
			if err != nil {
				return err
			}
			defer trace.Close()
			run, err := branch.run(trace)
			if err != nil {
				return err
			}
			stats, _ := gather(s, run, func(*engine.Event) {})
			if asJSON {
				return printValue(s, statsValue(stats))
			}
			_, err = fmt.Fprint(s.out, statsTable(stats))
			return wrapWrite(err)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print it as JSON; times are seconds")
	branch.addTo(cmd)
	return cmd
}

// statsTable is a table with the states' paths in its first column, which is as wide as it must be.
func statsTable(stats *recorder.Stats) string {
	heads := []string{"state", "type", "visits", "errors", "retries", "catches", "total", "mean", "shortest", "longest"}
	rows := [][]string{heads}
	for _, state := range stats.States() {
		row := []string{visible.Line(state.Path), state.Type.String()}
		for _, n := range []int64{state.Visits, state.Failures, state.Retries, state.Catches} {
			row = append(row, fmt.Sprint(n))
		}
		times := []time.Duration{state.Total, state.Mean(), state.Shortest, state.Longest}
		for _, d := range times {
			if state.Ended == 0 {
				row = append(row, "-")
				continue
			}
			row = append(row, d.Round(time.Microsecond).String())
		}
		rows = append(rows, row)
	}
	widths := make([]int, len(heads))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	var out strings.Builder
	for _, row := range rows {
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-len([]rune(cell)))
			switch {
			case i < 2: // texts to the left, numbers to the right
				out.WriteString(cell + pad + "  ")
			case i == len(row)-1:
				out.WriteString(pad + cell + "\n")
			default:
				out.WriteString(pad + cell + "  ")
			}
		}
	}
	return out.String()
}

func statsValue(stats *recorder.Stats) value.Value {
	items := make([]value.Value, 0, len(stats.States()))
	for _, state := range stats.States() {
		items = append(items, value.ObjectOf(
			value.Member{Key: "state", Value: value.String(state.Path)},
			value.Member{Key: "type", Value: value.String(state.Type.String())},
			value.Member{Key: "visits", Value: value.Int(state.Visits)},
			value.Member{Key: "failures", Value: value.Int(state.Failures)},
			value.Member{Key: "retries", Value: value.Int(state.Retries)},
			value.Member{Key: "catches", Value: value.Int(state.Catches)},
			value.Member{Key: "ended", Value: value.Int(state.Ended)},
			seconds("totalSeconds", state.Total), seconds("meanSeconds", state.Mean()),
			seconds("shortestSeconds", state.Shortest), seconds("longestSeconds", state.Longest),
		))
	}
	return value.NewArray(items)
}

// seconds is a member with a number of seconds.
func seconds(key string, d time.Duration) value.Member {
	return value.Member{Key: key, Value: value.Float(d.Seconds())}
}
