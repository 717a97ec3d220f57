package cli

import (
	"io"

	"github.com/spf13/cobra"
)

const bashLong = `Prints the completion script for bash, 4.1 or later. It works with and without the package bash-completion.

In this session:

	source <(asldb completion bash)

In every session: add that line to ~/.bashrc, or, with the package bash-completion, write the script where it looks:

	asldb completion bash > ~/.local/share/bash-completion/completions/asldb`

// bashFunctions stand in for the functions of the package bash-completion that cobra's script calls. The package
// replaces them where it is loaded later.
//
// The words of the command line are those that bash splits, joined again where no space is between them: bash splits at
// colons and equals signs too, and STATE:STAGE is one word. Bash then replaces only the part behind the last colon, for
// which cobra's script removes what is before it.
const bashFunctions = `# Where the package bash-completion is not loaded.
if ! declare -F _get_comp_words_by_ref >/dev/null; then
    _get_comp_words_by_ref()
    {
        local rest=${COMP_LINE:0:COMP_POINT} part i
        words=() cword=-1
        for ((i = 0; i <= COMP_CWORD; i++)); do
            part=${COMP_WORDS[i]}
            if ((i == 0)) || [[ $rest == [[:space:]]* ]]; then
                words+=("") && ((++cword))
                rest=${rest#"${rest%%[![:space:]]*}"}
            fi
            ((i < COMP_CWORD)) || part=$rest
            words[cword]+=$part
            rest=${rest:${#part}}
        done
        cur=${words[cword]} prev=
        ((cword == 0)) || prev=${words[cword - 1]}
    }
fi
if ! declare -F _filedir >/dev/null; then
    _filedir()
    {
        local name extensions=" ${1//|/ } "
        compopt -o filenames 2>/dev/null
        while IFS= read -r name; do
            [[ -d $name || $1 != -d && $extensions == *" ${name##*.} "* || -z ${1-} ]] && COMPREPLY+=("$name")
        done < <(compgen -f -- "$cur")
    }
fi

`

// selfContained makes the script for bash one that needs nothing else.
func selfContained(bash *cobra.Command) {
	bash.Long = bashLong
	script := bash.RunE
	bash.RunE = func(cmd *cobra.Command, args []string) error {
		if _, err := io.WriteString(cmd.Root().OutOrStdout(), bashFunctions); err != nil {
			return err
		}
		return script(cmd, args)
	}
}
