// Schemas as TypeScript, by openapi-typescript; what is equal in several versions is written once.
import openapiTS, { astToString } from 'openapi-typescript';

const REFERENCE = /components\["schemas"\]\["(\w+)"\]/g;

/** @returns {Promise<Map<string, { text: string, uses: string[] }>>} each type's own text, and the types it names */
export async function printTypes(schemas) {
  const document = {
    openapi: '3.1.0',
    info: { title: 'types', version: '1' },
    paths: {},
    components: { schemas: Object.fromEntries(schemas) },
  };
  // What has a default may be left out of a request.
  const nodes = await openapiTS(document, { defaultNonNullable: false });
  const components = nodes.find(({ name }) => name?.text === 'components');
  const members = components.members.find(({ name }) => name.text === 'schemas').type.members;
  return new Map(members.map(({ name, type }) => [name.text, printed(astToString(type))]));
}

function printed(source) {
  const uses = [...new Set([...source.matchAll(REFERENCE)].map(([, name]) => name))];
  const text = source
    .trim()
    .replaceAll(REFERENCE, '$1')
    // The comments only repeat the type, or describe checks that the server makes.
    .replaceAll(/^ *\/\*\*[\s\S]*?\*\/\n/gm, '')
    .replaceAll(/^( {4})+/gm, (indent) => ' '.repeat(indent.length / 2));
  return { text, uses };
}

/**
 * Sorts the types of all versions into those that two or more of them have in common, and those of one alone.
 * @param {Map<string, Map<string, { text: string, uses: string[] }>>} versions oldest first
 */
export function shareTypes(versions) {
  const groups = new Map();
  for (const [version, types] of versions) {
    for (const name of types.keys()) {
      const key = `${name} ${wholeText(types, name)}`;
      groups.set(key, { name, versions: [...(groups.get(key)?.versions ?? []), version] });
    }
  }
  const shared = [...groups.values()].filter((group) => group.versions.length > 1);
  return shared.map((group) => {
    // Two shapes of one name may each be common to two versions: the later one says since when.
    const isFirst = shared.find(({ name }) => name === group.name) === group;
    return { ...group, sharedName: isFirst ? group.name : `${group.name}Since${digits(group.versions[0])}` };
  });
}

/** A type's text with those of all the types it names. */
function wholeText(types, name) {
  const { text, uses } = types.get(name);
  return [text, ...uses.map((used) => wholeText(types, used))].join('\n');
}

const digits = (version) => version.replace('-', '');
