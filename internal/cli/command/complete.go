package command

import (
	"strings"

	"github.com/spf13/cobra"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/value"
	"asldb/internal/definitions"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/project"
	"asldb/internal/suite"
)

// noInput are the files of a completion: it reads nothing from standard input.
func noInput() files.Files { return files.Files{Stdin: strings.NewReader("")} }

// flagText returns the value of a flag on the command line; empty where the command has no such flag.
func flagText(cmd *cobra.Command, name string) string {
	if flag := cmd.Flags().Lookup(name); flag != nil {
		return flag.Value.String()
	}
	return ""
}

// definitionFile returns the definition that the command line names: by --definition, or as the first argument. It is empty
// where the line names none.
func definitionFile(cmd *cobra.Command, args []string) string {
	if cmd.Flags().Lookup("definition") != nil {
		return flagText(cmd, "definition")
	}
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// named returns the definition that the command line names already; nil: none, or it cannot be read.
func named(cmd *cobra.Command, args []string) *asl.StateMachine {
	file := definitionFile(cmd, args)
	if file == "" {
		return nil
	}
	d := definitions.Definition{}
	if flag := cmd.Flags().Lookup("resource"); flag != nil {
		d = flag.Value.(*rowValue).given.Spec.Definition // its names
	}
	d.File = file
	text, err := d.Open(noInput())
	if err != nil {
		return nil
	}
	machine, _ := text.Parse() // the states of a definition with errors are offered too, as far as they were read
	return machine
}

// CompleteState offers the states of the definition that the command line names already.
func CompleteState(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	var names []string
	if machine := named(cmd, args); machine != nil {
		for state := range machine.All() {
			names = append(names, state.Name)
		}
	}
	return begin(names, begun), cobra.ShellCompDirectiveNoFileComp
}

// CompleteBreakpoint offers the states of the definition and, behind the whole name of one, its stages as STATE:STAGE.
func CompleteBreakpoint(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	var places []string
	if machine := named(cmd, args); machine != nil {
		for state := range machine.All() {
			places = append(places, state.Name)
			if begun != state.Name && !strings.HasPrefix(begun, state.Name+":") {
				continue
			}
			for _, stage := range engine.StagesOf(state) {
				if stage.Declared {
					places = append(places, state.Name+":"+stage.Field)
				}
			}
			places = append(places, state.Name+":error")
		}
	}
	return begin(places, begun), cobra.ShellCompDirectiveNoFileComp
}

// completeResource offers the state machines of the template that the command line names already.
func completeResource(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	var names []string
	if file := definitionFile(cmd, args); file != "" {
		d := definitions.Definition{File: file}
		machines, _ := d.Machines(noInput()) // a folder that cannot be read has none
		for i := range machines {
			if machines[i].Resource != "" {
				names = append(names, machines[i].Resource)
			}
		}
	}
	return begin(names, begun), cobra.ShellCompDirectiveNoFileComp
}

// CompleteCase offers the cases of the fixtures, or of the mock configuration, that the command line names already.
func CompleteCase(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	f := launch.Fixtures{Name: flagText(cmd, "fixtures")}
	if f.Name == "" {
		f.Name = flagText(cmd, "mock-config")
	}
	d := definitions.Definition{File: definitionFile(cmd, args), Projects: &project.Finder{}}
	if f.Name == files.Stdin || f.Find(noInput(), &d, true) != nil || f.Name == "" {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return begin(f.Cases(noInput()), begun), cobra.ShellCompDirectiveNoFileComp
}

// CompleteSuiteCase offers files and, behind the colon after the name of a suite, its cases as FILE:CASE.
func CompleteSuiteCase(cmd *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	file, _ := suite.Split(begun)
	if file == begun {
		return CompleteFiles(cmd, begun, "yaml", "yml", "json")
	}
	data, err := files.Read(file, value.DefaultBytes)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	s, err := suite.Load(file, data)
	if err != nil || s == nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	names := value.Each(s.Cases, func(c *suite.Case) string { return file + ":" + c.Name })
	return begin(names, begun), cobra.ShellCompDirectiveNoFileComp
}

// begin returns the words with a beginning, each once, without those that a shell would write to the terminal with a hidden character.
func begin(words []string, beginning string) []string {
	seen := make(map[string]bool)
	var fitting []string
	for _, word := range words {
		if strings.HasPrefix(word, beginning) && !seen[word] {
			seen[word] = true
			fitting = append(fitting, word)
		}
	}
	return Seen(fitting)
}
