// `node tools/house.mjs`: counts what the tree promises (files in a folder, type assertions, circles of imports,
// the words that doc comments begin with) and fails where a count is over its limit.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import {
  circlesIn,
  countAssertions,
  countDocComments,
  countLines,
  filesPerFolder,
  importGraph,
} from './house/counts.mjs';
import { root } from './setup.mjs';

const GENERATED = /^(client\/src\/(20\d\d-\d\d|shared)|console\/src\/generated)\//;
/** One file for each thing, without end: they are lists. */
const LISTS = /(^|\/)migrations$|^src\/cli\/commands$|^src\/http\/operator$|^src\/contracts\/changes\//;

const rows = [
  ...folderRows('versions/src', (folder) => (folder === 'versions/src' ? 1 : 12)),
  ...folderRows('src', () => 20),
  ...folderRows('test/support', () => 20),
  assertionRow('src', 100),
  assertionRow('versions/src', 15),
  assertionRow('client/src/core', 12),
  ...['src', 'versions/src', 'client/src'].map(circleRow),
  ...docRows(),
  ...['src', 'versions/src', 'client/src', 'console/src'].map(lineRow),
];
print(rows);
process.exitCode = rows.some(isOver) ? 1 : 0;

/** Folders over the limit one by one, and the fullest of the others. */
function folderRows(top, limitOf) {
  const counts = [...filesPerFolder(filesBelow(top))]
    .filter(([folder]) => !LISTS.test(folder))
    .map(([folder, value]) => ({ what: `files in ${folder}`, value, limit: limitOf(folder) }))
    .sort((one, other) => other.value - one.value);
  const fullest = counts.find((row) => !isOver(row));
  return [...counts.filter(isOver), ...(fullest ? [fullest] : [])];
}

function assertionRow(top, limit) {
  const value = sum(sourcesBelow(top), countAssertions);
  return { what: `type assertions in ${top}`, value, limit };
}

function circleRow(top) {
  const circles = circlesIn(importGraph(new Map(sourcesBelow(top))));
  return { what: `circles in ${top}, by types too`, value: circles.length, limit: 0, list: circles };
}

function docRows() {
  const counts = ['src', 'versions/src', 'client/src', 'console/src']
    .flatMap(handWritten)
    .map(([file, text]) => countDocComments(file, text));
  const [all, pronouns] = ['all', 'pronouns'].map((name) =>
    counts.reduce((total, one) => total + one[name], 0),
  );
  return [
    { what: 'doc comments', value: all },
    {
      what: '% of them begin with What, Whether, Who, How, Those, All',
      value: Math.round((1000 * pronouns) / all) / 10,
      limit: 5,
    },
  ];
}

function lineRow(top) {
  return {
    what: `lines in ${top}, generated ones aside`,
    value: sum(handWritten(top), (_, text) => countLines(text)),
  };
}

function isOver({ value, limit }) {
  return limit !== undefined && value > limit;
}

function print(table) {
  console.log('| what | value | limit | |\n|---|---|---|---|');
  for (const row of table) {
    const verdict = row.limit === undefined ? '' : isOver(row) ? 'over' : 'ok';
    console.log(`| ${row.what} | ${row.value} | ${row.limit ?? ''} | ${verdict} |`);
  }
  for (const circle of table.flatMap(({ list }) => list ?? []))
    console.log(`\nA circle: ${circle.join(', ')}`);
}

function sum(sources, count) {
  return sources.reduce((total, [file, text]) => total + count(file, text), 0);
}

function handWritten(top) {
  return sourcesBelow(top).filter(([file]) => !GENERATED.test(file));
}

/** @returns {[string, string][]} paths and texts */
function sourcesBelow(top) {
  return filesBelow(top)
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => [file, readFileSync(join(root, file), 'utf8')]);
}

function filesBelow(top) {
  return readdirSync(join(root, top), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}
