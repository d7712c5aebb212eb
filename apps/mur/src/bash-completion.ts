/**
 * The completion script for bash. The library's own hands the words of the command line to `eval`, so that pressing
 * Tab would run a `$(…)` somebody typed or pasted; it also needs the bash-completion package and cannot be sourced
 * twice. bash 3.2, as macOS ships it, can use this one.
 */
export const BASH_COMPLETION = `# bash completion for mur
_mur_complete() {
  local cur="" line value directive=4 index
  local words=()
  # bash splits --flag=value at the sign; mur wants it whole.
  for ((index = 1; index <= COMP_CWORD; index++)); do
    value="\${COMP_WORDS[index]}"
    if [[ $value == = && \${#words[@]} -gt 0 ]]; then
      words[\${#words[@]}-1]+="="
      cur=""
    elif [[ \${#words[@]} -gt 0 && \${words[\${#words[@]}-1]} == --*= ]]; then
      words[\${#words[@]}-1]+="$value"
      cur="$value"
    else
      words+=("$value")
      cur="$value"
    fi
  done
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :[0-9]* ]]; then
      directive="\${line#:}"
      continue
    fi
    value="\${line%%$'\\t'*}"
    if [[ $value == "$cur"* ]]; then COMPREPLY+=("$value"); fi
  done < <(command mur complete -- "\${words[@]}" 2>/dev/null)
  if (( (directive & 4) == 0 )); then
    compopt -o filenames 2>/dev/null
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$cur")
  fi
}
complete -F _mur_complete mur
`;
