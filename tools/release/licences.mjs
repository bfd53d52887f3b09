import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The licences of the packages that these files belong to: they go where the code goes. Throws for a package that states none.
 * @param {readonly string[]} files
 */
export function licencesOf(files) {
  const folders = new Set(files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []));
  const packages = [...folders].map(readPackage).sort((one, other) => (one.title < other.title ? -1 : 1));
  const list = packages.map(({ title, licence }) => `${title}: ${licence}`).join('\n');
  const texts = packages.map(({ title, text }) => `${'-'.repeat(80)}\n${title}\n\n${text.trim()}\n`);
  return `This folder contains code of these packages.\n\n${list}\n\n${texts.join('\n')}`;
}

function readPackage(folder) {
  const {
    name,
    version,
    license: licence,
    author,
  } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (typeof licence !== 'string') throw new Error(`${name} ${version} states no licence`);
  const file = readdirSync(folder).find((one) => /^(licen[cs]e|copying)(\.|$)/i.test(one));
  const text = file === undefined ? licenceInReadme(folder) : readFileSync(join(folder, file), 'utf8');
  return { title: `${name} ${version}`, licence, text: text ?? `${licence}. Author: ${authorOf(author)}` };
}

/** Where some small packages have it. */
function licenceInReadme(folder) {
  const readme = join(folder, 'README.md');
  if (!existsSync(readme)) return undefined;
  return /^#+ licen[cs]e\s+([\s\S]+?)(?=^#|(?![\s\S]))/im.exec(readFileSync(readme, 'utf8'))?.[1];
}

function authorOf(author) {
  return typeof author === 'string' ? author : author?.name;
}
