import { roomOf } from './mutants.mjs';

/** The table of kill rates by room, in Markdown. @param {{ mutant: object, result?: object }[]} found */
export function report(found) {
  const rooms = [...new Set(found.map(({ mutant }) => roomOf(mutant.file)))].sort();
  const rows = rooms.map((room) =>
    row(
      room,
      found.filter(({ mutant }) => roomOf(mutant.file) === room),
    ),
  );
  const survivors = found.filter(({ result }) => result?.verdict === 'survived');
  const times = found.flatMap(({ result }) => result?.seconds ?? []).sort((one, other) => one - other);
  return `# Mutants

Written by \`npm run test:mutants\` when all of \`test/mutants/mutants.json\` have been run; \`npm run test:mutants -- --room oauth\` runs
one room. Each was run against the tests that call its function, for at most 60 seconds. “By time” are those that were ended
after that, where the same tests without the mutant take less than half of it; “by types” those that tests do not notice,
but the compiler does. Equivalent ones do not count: the data says why no test can notice them.

Drawn with ${origins(found)}.${times.length > 0 ? ` Half of them took less than ${Math.ceil(times[Math.floor(times.length / 2)])} seconds.` : ''}

| room | mutants | equivalent | killed by tests | by types | by time | survived | killed |
|---|---|---|---|---|---|---|---|
${[...rows, row('all', found)].join('\n')}
${survivors.map(survivorLine).join('')}`;
}

function row(name, found) {
  const results = found.flatMap(({ mutant, result }) => (mutant.equivalent ? [] : (result ?? [])));
  const by = (what) => results.filter((one) => one.verdict === 'killed' && one.by === what).length;
  const survived = results.filter(({ verdict }) => verdict === 'survived').length;
  const equivalent = found.filter(({ mutant }) => mutant.equivalent).length;
  const killed = results.length - survived;
  const rate =
    results.length === 0
      ? '–'
      : `${((100 * killed) / results.length).toFixed(killed === results.length ? 0 : 1)} %`;
  return `| ${name} | ${found.length} | ${equivalent} | ${by('test')} | ${by('types')} | ${by('time')} | ${survived} | ${rate} |`;
}

function origins(found) {
  const counts = new Map();
  for (const { mutant } of found) counts.set(mutant.origin, (counts.get(mutant.origin) ?? 0) + 1);
  return [...counts].map(([origin, count]) => `${origin} (${count})`).join(', ');
}

function survivorLine({ mutant: { id, file, operator } }) {
  return `\nSurvived: ${id}, ${operator} in \`${file}\`.\n`;
}
