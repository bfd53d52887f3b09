// The table of all calls in the README of the client.
import { inCamelCase } from './write-version.mjs';

const BEGIN = '<!-- calls: written by "npm run client" -->';
const END = '<!-- end of calls -->';

/** The README with the calls of these contracts between its two marks, and otherwise as it stands. */
export function withCalls(readme, contracts) {
  const [before, rest] = readme.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`client/README.md lacks the lines ${BEGIN} and ${END}`);
  return `${before}${BEGIN}\n\n${callsTable(contracts)}\n\n${END}${after}`;
}

function callsTable(contracts) {
  const versions = contracts.map(({ version }) => version);
  const calls = new Map();
  // The newest last: its words and its arguments are the ones to show.
  for (const { version, calls: own } of contracts)
    for (const call of own)
      calls.set(call.name, { ...call, in: [...(calls.get(call.name)?.in ?? []), version] });
  const rows = [...calls.values()].map(
    (call) => `| \`${written(call)}\` | ${call.summary} | ${shownVersions(call.in, versions)} |`,
  );
  return ['| call | what it does | in |', '|---|---|---|', ...rows].join('\n');
}

function written({ name, parameters, input, send }) {
  const word = send === 'query' ? 'query' : 'body';
  const sent = input ? [input.required ? word : `${word}?`] : [];
  return `client.${name}(${[...parameters.map(inCamelCase), ...sent].join(', ')})`;
}

function shownVersions(of, all) {
  return of.length === all.length ? 'all' : of.join(', ');
}
