import { listNames, OptionError, show } from '../../base/errors.js';
import type { OptionDeclaration } from '../../base/options.js';
import { declarationsOf } from '../arguments.js';
import type { Command } from '../command.js';

/** Shells, each with what makes its script of all commands. */
const SHELLS: Readonly<Record<string, (commands: readonly Command[]) => string>> = {
  bash: bashScript,
  // zsh reads bash's scripts when asked to.
  zsh: (commands) => `autoload -U +X bashcompinit && bashcompinit\n${bashScript(commands)}`,
  fish: fishScript,
};

/** `spanwright completion`. @param table all commands. */
export function completionCommand(table: Readonly<Record<string, () => Promise<Command>>>): Command {
  return {
    name: 'completion',
    help: 'write a script that completes commands and options in a shell',
    positionals: [Object.keys(SHELLS).join('|')],
    groups: [],
    notes:
      'Example: spanwright completion bash > ~/.local/share/bash-completion/completions/spanwright\n' +
      'Example: spanwright completion fish > ~/.config/fish/completions/spanwright.fish',
    async run({ positionals: [shell] }) {
      if (shell === undefined || !Object.hasOwn(SHELLS, shell)) {
        throw new OptionError(
          'shell',
          `expected a shell, ${listNames(Object.keys(SHELLS))}, found ${show(shell)}`,
        );
      }
      const commands = await Promise.all(Object.values(table).map((load) => load()));
      process.stdout.write(SHELLS[shell](commands));
    },
  };
}

/** Ways to write an option: `--model` and `-m`. */
function spellings({ name, short }: OptionDeclaration): string[] {
  return [`--${name}`, ...(short === undefined ? [] : [`-${short}`])];
}

/** The first words of commands, each once. */
function firstWords(commands: readonly Command[]): string[] {
  return [...new Set(commands.map(({ name }) => name.split(' ')[0]))];
}

/** The second words of commands that have two, by their first. */
function secondWords(commands: readonly Command[]): Map<string, string[]> {
  const seconds = new Map<string, string[]>();
  for (const { name } of commands) {
    const [first, second] = name.split(' ');
    if (second !== undefined) seconds.set(first, [...(seconds.get(first) ?? []), second]);
  }
  return seconds;
}

function bashScript(commands: readonly Command[]): string {
  const values = commands.flatMap((command) =>
    declarationsOf(command).flatMap((option) => {
      const choices = option.choices?.join(' ');
      const [first, ...others] = spellings(option).map((spelling) => `"${command.name} ${spelling}"`);
      return choices === undefined ? [] : [`    ${[first, ...others].join('|')}) words="${choices}" ;;`];
    }),
  );
  const options = commands.map(
    (command) => `    "${command.name}") words="${declarationsOf(command).flatMap(spellings).join(' ')}" ;;`,
  );
  const pairs = [...secondWords(commands)].map(
    ([first, seconds]) =>
      `    ${first}) command="$command \${COMP_WORDS[2]}" seconds="${seconds.join(' ')}" ;;`,
  );
  return `_spanwright() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]} words= seconds=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "help ${firstWords(commands).join(' ')}" -- "$word"))
    return
  fi
  case "$command" in
${pairs.join('\n')}
  esac
  if [ "$COMP_CWORD" -eq 2 ] && [ -n "$seconds" ]; then
    COMPREPLY=($(compgen -W "$seconds" -- "$word"))
    return
  fi
  case "$command $before" in
${[...new Set(values)].join('\n')}
  esac
  if [ -z "$words" ] && [ "\${word#-}" != "$word" ]; then
    case "$command" in
${options.map((line) => `  ${line}`).join('\n')}
    esac
  fi
  if [ -n "$words" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}
complete -o filenames -F _spanwright spanwright
`;
}

function fishScript(commands: readonly Command[]): string {
  const quoted = (text: string) => `'${text.replace(/['\\]/g, '\\$&')}'`;
  const seen = (words: readonly string[]) =>
    words.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
  const firsts = [...secondWords(commands)].map(
    ([first]) => `complete -c spanwright -n __fish_use_subcommand -x -a ${first}`,
  );
  const start = ({ name }: Command) => {
    const [first, second] = name.split(' ');
    const others = (secondWords(commands).get(first) ?? []).join(' ');
    return second === undefined
      ? `-n __fish_use_subcommand -x -a ${first}`
      : `-n '${seen([first])}; and not ${seen([others])}' -x -a ${second}`;
  };
  const lines = commands.flatMap((command) => [
    `complete -c spanwright ${start(command)} -d ${quoted(command.help)}`,
    ...declarationsOf(command).map((option) =>
      [
        `complete -c spanwright -n '${seen(command.name.split(' '))}' -l ${option.name}`,
        ...(option.short === undefined ? [] : [`-s ${option.short}`]),
        ...(option.kind === 'flag'
          ? []
          : option.choices
            ? ['-x', `-a ${quoted(option.choices.join(' '))}`]
            : ['-r']),
        `-d ${quoted(option.help)}`,
      ].join(' '),
    ),
  ]);
  return `${[...firsts, ...lines].join('\n')}\n`;
}
