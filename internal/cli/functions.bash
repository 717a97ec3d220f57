# Where the package bash-completion is not loaded.
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

