package checks

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"asldb/engine/services"
	"asldb/internal/cli/command"
	"asldb/internal/wording"
)

// tableJSON is the table of services in JSON. Oldest, Newest and Date are months.
type tableJSON struct {
	Models   modelsJSON    `json:"models"`
	Services []serviceJSON `json:"services"`
}

type modelsJSON struct {
	Module string `json:"module"`
	Oldest string `json:"oldest"`
	Newest string `json:"newest"`
}

type serviceJSON struct {
	Name       string   `json:"name"`
	ID         string   `json:"id,omitempty"`
	Date       string   `json:"date,omitempty"`
	Operations int      `json:"operations"`
	Optimized  []string `json:"optimized,omitempty"`
}

// oneServiceJSON is one service with its operations.
type oneServiceJSON struct {
	Models     modelsJSON      `json:"models"`
	Name       string          `json:"name"`
	ID         string          `json:"id,omitempty"`
	Date       string          `json:"date,omitempty"`
	Operations []operationJSON `json:"operations"`
	Optimized  []optimizedJSON `json:"optimized,omitempty"`
}

type operationJSON struct {
	Name    string `json:"name"`
	Refused bool   `json:"refused,omitempty"`
}

type optimizedJSON struct {
	Name     string   `json:"name"`
	Patterns []string `json:"patterns,omitempty"`
}

// servedModels says of when the models are.
func servedModels() modelsJSON {
	oldest, newest := services.Dates()
	return modelsJSON{Module: services.Module, Oldest: oldest, Newest: newest}
}

// NewServices returns the command "services".
func NewServices(s *command.Streams) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "services [SERVICE]",
		Short: "List the services and operations that tasks can call",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				table := servicesTable()
				if format == command.FormatJSON {
					return printIndented(s, table)
				}
				return printText(s, tableText(table))
			}
			one, err := oneService(args[0])
			if err != nil {
				return err
			}
			if format == command.FormatJSON {
				return printIndented(s, one)
			}
			return printText(s, serviceText(one))
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return serviceNames(), cobra.ShellCompDirectiveNoFileComp
		},
	}
	command.AddFormatTo(cmd, &format, "", command.FormatText, command.FormatJSON)
	return cmd
}

// serviceNames returns the names of services in a Resource, of the AWS SDK and of optimized integrations.
func serviceNames() []string {
	names := append(slices.Collect(services.Names()), services.OptimizedServices()...)
	slices.Sort(names)
	return slices.Compact(names)
}

func servicesTable() *tableJSON {
	table := &tableJSON{Models: servedModels()}
	for _, name := range serviceNames() {
		row := serviceJSON{Name: name, Optimized: services.OptimizedActions(name)}
		if known, found := services.Find(name); found {
			row.ID, row.Date, row.Operations = known.ID, known.Date, len(known.Operations)
		}
		table.Services = append(table.Services, row)
	}
	return table
}

// tableText is a line for each service, below a line about the models.
func tableText(table *tableJSON) string {
	width, dated, count, operations := 0, 0, 0, 0
	for i := range table.Services {
		row := &table.Services[i]
		width, dated = max(width, len(row.Name)), max(dated, len(row.Date))
		if operations += row.Operations; row.ID != "" {
			count++
		}
	}
	var out strings.Builder
	models := &table.Models
	fmt.Fprintf(&out, "%d services, %d operations: models of %s to %s\n(%s)\n\n",
		count, operations, models.Oldest, models.Newest, models.Module)
	for i := range table.Services {
		row := &table.Services[i]
		number, date := "-", "-"
		if row.ID != "" {
			number, date = fmt.Sprint(row.Operations), row.Date
		}
		optimized := strings.Join(row.Optimized, " ")
		line := fmt.Sprintf("%-*s  %5s  %-*s  %s", width, row.Name, number, dated, date, optimized)
		out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return out.String()
}

// oneService returns a service by its name in a Resource.
func oneService(name string) (*oneServiceJSON, error) {
	known, found := services.Find(name)
	optimized := services.OptimizedActions(name)
	if !found && len(optimized) == 0 {
		shown := wording.Line(command.Clip(name, command.MaxQuoted))
		if near := services.Nearest(name); near != "" {
			return nil, fmt.Errorf("there is no service %q in the table; did you mean %q?", shown, near)
		}
		return nil, fmt.Errorf("there is no service %q in the table; asldb services lists them", shown)
	}
	one := &oneServiceJSON{Models: servedModels(), Name: name, Operations: []operationJSON{}}
	if found {
		one.ID, one.Date = known.ID, known.Date
		for action := range known.Actions() {
			call := services.Call{ServiceName: name, Action: action, SDK: true}
			refused, _ := call.Unsupported()
			one.Operations = append(one.Operations, operationJSON{Name: action, Refused: refused})
		}
	}
	for _, action := range optimized {
		row := optimizedJSON{Name: action}
		if call, ok := services.CallOf("arn:aws:states:::" + name + ":" + action); ok {
			row.Patterns, _ = call.Patterns()
		}
		one.Optimized = append(one.Optimized, row)
	}
	return one, nil
}

// serviceText is a line for each operation, named as in a Resource.
func serviceText(one *oneServiceJSON) string {
	var out strings.Builder
	out.WriteString(one.Name)
	if one.Date != "" {
		out.WriteString(": models of " + one.Date)
	}
	out.WriteByte('\n')
	if len(one.Operations) > 0 {
		out.WriteString("\nOperations of the AWS SDK (arn:aws:states:::...)\n")
	}
	for _, o := range one.Operations {
		out.WriteString("  aws-sdk:" + one.Name + ":" + o.Name)
		if o.Refused {
			out.WriteString("  refused by Step Functions")
		}
		out.WriteByte('\n')
	}
	if len(one.Optimized) > 0 {
		out.WriteString("\nOptimized integrations (arn:aws:states:::...)\n")
	}
	for _, o := range one.Optimized {
		patterns := append([]string{"request and response"}, o.Patterns...)
		fmt.Fprintf(&out, "  %s:%s  %s\n", one.Name, o.Name, strings.Join(patterns, ", "))
	}
	return out.String()
}

// printIndented writes a report as JSON.
func printIndented(s *command.Streams, report any) error {
	data, err := json.MarshalIndent(report, "", "  ")
	if err != nil {
		return err
	}
	return printText(s, string(data)+"\n")
}
