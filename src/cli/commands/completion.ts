import { environmentNames } from '../../environments/environment.ts';
import type { Command } from '../command.ts';
import { globalOptions } from '../help.ts';

/** Completes what the command line knows itself; ids are not looked up, so a Tab never calls the service. */
export function completionCommand(commands: () => readonly Command[]): Command {
  return {
    name: 'completion bash',
    description: 'Print a script that completes commands and options in bash',
    examples: ['dateline completion bash'],
    async run({ output }) {
      output.text(bashScript(commands()));
    },
  };
}

function bashScript(commands: readonly Command[]): string {
  const firsts = [...new Set(commands.map(({ name }) => firstOf(name))), 'help', '--version', '--help'];
  const nouns = [
    ...new Set(commands.filter(({ name }) => name.includes(' ')).map(({ name }) => firstOf(name))),
  ];
  const verbs = nouns.map((noun) => {
    const ofNoun = commands.filter(({ name }) => name.startsWith(`${noun} `));
    return `    ${noun}) echo '${ofNoun.map(({ name }) => name.slice(noun.length + 1)).join(' ')}' ;;`;
  });
  const options = commands.map(({ name, options = {} }) => {
    const own = Object.keys(options).map((option) => `--${option}`);
    return `    '${name}') echo '${[...own, ...globalNames].join(' ')}' ;;`;
  });
  return `# Completion of dateline in bash. For this shell: source <(dateline completion bash)
# For every shell: dateline completion bash > ~/.local/share/bash-completion/completions/dateline
_dateline_verbs() {
  case $1 in
${verbs.join('\n')}
  esac
}
_dateline_options() {
  case $1 in
${options.join('\n')}
  esac
}
_dateline_takes_value() {
  case $1 in
    ${valueOptions(commands).join('|')}) return 0 ;;
  esac
  return 1
}
_dateline() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  local first=\${COMP_WORDS[1]} verbs words=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words='${firsts.join(' ')}'
  else
    verbs=$(_dateline_verbs "$first")
    if [ "$first" = help ]; then
      if [ "$COMP_CWORD" -eq 2 ]; then words='${firsts.filter((word) => !/^(?:help|--)/.test(word)).join(' ')}'
      elif [ "$COMP_CWORD" -eq 3 ]; then words=$(_dateline_verbs "$previous"); fi
    elif [ "$COMP_CWORD" -eq 2 ] && [ -n "$verbs" ]; then
      words=$verbs
    elif [ "$previous" = --environment ]; then
      words='${environmentNames.join(' ')}'
    elif _dateline_takes_value "$previous"; then
      case $previous in ${fileOptions(commands).join('|')})
        local IFS=$'\\n'
        COMPREPLY=($(compgen -f -- "$current"))
        compopt -o filenames 2> /dev/null ;;
      esac
      return
    else
      words=$(_dateline_options "\${first}\${verbs:+ \${COMP_WORDS[2]}}")
    fi
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _dateline dateline
`;
}

const globalNames = globalOptions.map(([usage]) => usage.split(' ')[0] ?? '');

function firstOf(name: string): string {
  return name.split(' ')[0] ?? name;
}

/** An option takes a value in all commands that have it, or in none. */
function valueOptions(commands: readonly Command[]): string[] {
  return optionsWhere(commands, (placeholder) => placeholder !== undefined).concat('--url');
}

function fileOptions(commands: readonly Command[]): string[] {
  return optionsWhere(commands, (placeholder) => placeholder === 'path' || placeholder === 'folder');
}

function optionsWhere(
  commands: readonly Command[],
  isWanted: (placeholder: string | undefined) => boolean,
): string[] {
  const all = commands.flatMap(({ options = {} }) => Object.entries(options));
  return [
    ...new Set(all.filter(([, { placeholder }]) => isWanted(placeholder)).map(([name]) => `--${name}`)),
  ];
}
