package runs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"asldb/engine/smithy"
	"asldb/engine/source"
	"asldb/engine/waiter"
	"asldb/internal/cli/command"
	"asldb/internal/definitions"
	"asldb/internal/files"
	"asldb/internal/wording"
)

// someModels is for commands about a model, which may be several files.
func someModels(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("which model? usage: %s", cmd.UseLine())
	}
	count := 0
	for _, name := range args {
		if name == files.Stdin {
			count++
		}
	}
	if count > 1 {
		return errors.New("only one model can be standard input")
	}
	return nil
}

// completeModel offers the files of models.
func completeModel(cmd *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	return command.CompleteFiles(cmd, begun, "smithy", "json")
}

// readModel reads a model, which is several files or folders, and its problems.
func readModel(s *command.Streams, names []string) (*waiter.Model, []source.Diagnostic, error) {
	var sources []*source.File
	for _, name := range names {
		if info, err := os.Stat(name); name != files.Stdin && err == nil && info.IsDir() {
			found, err := modelsIn(s, name)
			if err != nil {
				return nil, nil, err
			}
			sources = append(sources, found...)
			continue
		}
		name, data, err := s.Files().Read(name)
		if err != nil {
			return nil, nil, fmt.Errorf("the model: %w", err)
		}
		sources = append(sources, &source.File{Name: name, Data: data})
	}
	m, problems := waiter.Read(sources...)
	if m == nil {
		command.WriteProblems(s, problems)
		names := make([]string, 0, 1)
		for _, p := range problems {
			if !slices.Contains(names, p.File.Name) {
				names = append(names, p.File.Name)
			}
		}
		return nil, nil, fmt.Errorf("%s cannot be read as a model", wording.Line(strings.Join(names, ", ")))
	}
	return m, problems, nil
}

// modelsIn reads the models in a folder and its folders: files in Smithy's IDL, and those in JSON that are models. The results of
// builds are left out: what .gitignore files exclude, and folders called build.
func modelsIn(s *command.Streams, folder string) ([]*source.File, error) {
	names, err := definitions.Models(folder)
	if err != nil {
		return nil, fmt.Errorf("the model: %w", err)
	}
	var sources []*source.File
	for _, name := range names {
		below, err := filepath.Rel(folder, name)
		if err == nil && slices.Contains(strings.Split(filepath.Dir(below), string(filepath.Separator)), "build") {
			continue
		}
		_, data, err := s.Files().Read(name)
		if err != nil {
			return nil, fmt.Errorf("the model: %w", err)
		}
		if f := (&source.File{Name: name, Data: data}); smithy.Is(f) {
			sources = append(sources, f)
		}
	}
	if len(sources) == 0 {
		return nil, fmt.Errorf("%s has no Smithy model: neither files that end in .smithy nor models in JSON", wording.Line(folder))
	}
	return sources, nil
}
