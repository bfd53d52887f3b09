import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/dateline.ts';
import { runCommandLine } from '../support/service/command-line.ts';
import { spawnDateline } from '../support/service/spawn-dateline.ts';

describe('completion in bash', () => {
  /** What a real bash offers for each of these lines, the last word of which is being typed. */
  async function offeredFor(lines: readonly (readonly string[])[]): Promise<string[][]> {
    const { out: script } = await runCommandLine(['completion', 'bash']);
    const asked = lines.map((words) => `offer ${words.map((word) => `'${word}'`).join(' ')}`);
    const program = `eval "$(cat)"
complete -p dateline > /dev/null || exit 1
offer() {
  COMP_WORDS=(dateline "$@"); COMP_CWORD=$#
  _dateline
  echo "\${COMPREPLY[@]}"
}
${asked.join('\n')}`;
    // From a folder of this tree: file names are offered too.
    const options = { input: script, encoding: 'utf8', cwd: 'test/cli', stdio: 'pipe' } as const;
    const said = execFileSync('bash', ['--norc', '--noprofile', '-c', program], options);
    const answers = said.split('\n').slice(0, -1);
    expect(answers).toHaveLength(lines.length);
    return answers.map((line) => line.split(' ').filter(Boolean));
  }

  const offered = async (...words: string[]) => (await offeredFor([words]))[0];

  it('[who broke] offers nouns, their verbs, and the options of a command', async () => {
    expect(await offered('fai')).toEqual(['failed-request']);
    expect(await offered('failed-request', '')).toEqual(['list', 'groups']);
    expect(await offered('failed-request', 'l')).toEqual(['list']);
    expect(await offered('failed-request', 'list', '--c')).toEqual(['--client', '--code']);
    expect(await offered('usage', '--b')).toEqual(['--by']);
    expect(await offered('serve', '--w')).toEqual(['--wait', '--workers']);
    expect(await offered('help', 'failed')).toEqual(['failed-request']);
    expect(await offered('help', 'failed-request', '')).toEqual(['list', 'groups']);
    expect(await offered('fly', '')).toEqual([]);
  });

  it('[who broke] offers what an option takes, and nothing where that is not known', async () => {
    expect(await offered('org', 'list', '--environment', '')).toEqual(['production', 'sandbox']);
    expect(await offered('org', 'create', '--name', '')).toEqual([]);
    expect(await offered('event', 'publish', '--file', 'shell')).toEqual(['shell.test.ts']);
  });

  it('[who broke] knows every command and every option', async () => {
    const firsts = await offered('');
    const verbs = await offeredFor(commands.map(({ name }) => [...name.split(' ').slice(0, 1), '']));
    const options = await offeredFor(commands.map(({ name }) => [...name.split(' '), '--']));
    commands.forEach(({ name, options: own = {} }, index) => {
      const [noun, verb] = name.split(' ');
      expect(firsts).toContain(noun);
      if (verb !== undefined) expect(verbs[index]).toContain(verb);
      const named = [...Object.keys(own).map((option) => `--${option}`), '--json', '--help'];
      expect(options[index]).toEqual(expect.arrayContaining(named));
    });
  });

  it('an option takes a value in all commands that have it, or in none', () => {
    const kinds = new Map<string, Set<boolean>>();
    for (const { options = {} } of commands)
      for (const [name, { placeholder }] of Object.entries(options))
        kinds.set(name, (kinds.get(name) ?? new Set()).add(placeholder !== undefined));
    expect([...kinds].filter(([, of]) => of.size > 1).map(([name]) => name)).toEqual([]);
  });
});

describe('a pipe that nobody reads any more', () => {
  it('[who broke] ends a command without a word, as SIGPIPE ends others', async () => {
    const { child, exit, stderr } = spawnDateline(['--help']);
    child.stdout?.destroy();
    expect(await exit).toBe(141);
    // In a clone that has changed, it is built first.
    expect(stderr()).toMatch(/^(?:Building\n)?$/);
  });
});
