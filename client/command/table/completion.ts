import { UsageError } from "../exit.ts";
import { type CommandName, commandTable, rowOf } from "./table.ts";
import type { OptionRow } from "./table-rows.ts";

/** Shell completions, generated from the command table. */

const names = Object.keys(commandTable) as CommandName[];

const flagsOf = (name: CommandName): string[] =>
  [...Object.keys(rowOf(name).options), "help"].map((flag) => `--${flag}`);

const wordsOf = (name: CommandName): readonly string[] => {
  const { words } = rowOf(name);
  return words === undefined || words === "files" ? [] : words;
};

const bash = (): string => `_anyform() {
  local word="\${COMP_WORDS[COMP_CWORD]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${names.join(" ")} --help --version" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${names.map((name) => `    ${name}) COMPREPLY=($(compgen -W "${[...wordsOf(name), ...flagsOf(name)].join(" ")}" -- "$word")) ;;`).join("\n")}
  esac
}
complete -o default -F _anyform anyform`;

/** Escapes text for single quotes, and the characters that are special in zsh completions. */
const zshText = (text: string): string => text.replaceAll("'", "'\\''").replaceAll(/[[\]:]/g, "\\$&");

const zshFlag = ([flag, { value, text, choices }]: [string, OptionRow]): string => {
  const action = choices === undefined ? "_files" : `(${choices.join(" ")})`;
  return `'--${flag}[${zshText(text)}]${value === undefined ? "" : `:${zshText(value)}:${action}`}'`;
};

const zshCommand = (name: CommandName): string => {
  const words = wordsOf(name);
  const rest = words.length === 0 ? "'*:file:_files'" : `'*:word:(${words.join(" ")})'`;
  return `    ${name}) _arguments ${[...Object.entries(rowOf(name).options).map(zshFlag), rest].join(" ")} ;;`;
};

const zsh = (): string => `#compdef anyform
_anyform() {
  if (( CURRENT == 2 )); then
    local -a commands=(${names.map((name) => `'${name}:${zshText(rowOf(name).text)}'`).join(" ")})
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${names.map(zshCommand).join("\n")}
  esac
}
compdef _anyform anyform`;

const fishText = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

const fish = (): string =>
  names
    .flatMap((name) => {
      const within = `complete -c anyform -n '__fish_seen_subcommand_from ${name}'`;
      const { text, options } = rowOf(name);
      return [
        `complete -c anyform -n __fish_use_subcommand -f -a ${name} -d ${fishText(text)}`,
        ...wordsOf(name).map((word) => `${within} -f -a ${word}`),
        ...Object.entries(options).map(
          ([flag, row]: [string, OptionRow]) =>
            `${within} -l ${flag}${row.type === "string" ? " -r" : ""}${row.choices ? ` -f -a '${row.choices.join(" ")}'` : ""} -d ${fishText(row.text)}`,
        ),
      ];
    })
    .join("\n");

const shells: Readonly<Record<string, () => string>> = { bash, zsh, fish };

/** @throws UsageError for another shell */
export const completion = (shell: string | undefined): string => {
  const script = Object.hasOwn(shells, shell ?? "") ? shells[shell ?? ""] : undefined;
  if (script === undefined) {
    throw new UsageError("Missing or unknown shell. Use bash, zsh or fish.");
  }
  return script();
};
