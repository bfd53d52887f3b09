/**
 * The reasons not to publish; none where all is well.
 * @param {{ packages: readonly { name: string, version: string, maintainers: readonly string[] | null }[], user: string | null,
 *   changelog: string, changed: string, tags: readonly string[] }} tree
 * `maintainers` are those of the name in the registry, null where it is free; `user` is who npm is signed in as; `changed` is what
 * `git status --porcelain` says, `tags` are those of the commit
 */
export function refusals({ packages, user, changelog, changed, tags }) {
  const versions = [...new Set(packages.map(({ version }) => version))];
  const [version] = versions;
  const heading = `## ${version} (`;
  const dated = changelog
    .split('\n')
    .some((line) => line.startsWith(heading) && /\(\d{4}-\d{2}-\d{2}\)$/.test(line));
  const foreign = packages.filter(({ maintainers }) => maintainers !== null && !maintainers.includes(user));
  return [
    ...(user === null ? ['npm is not signed in.'] : []),
    ...foreign.map(
      ({ name, maintainers }) =>
        `In the registry ${name} belongs to ${maintainers.join(', ') || 'somebody else'}.`,
    ),
    ...(versions.length === 1 ? [] : [`The packages have different versions: ${versions.join(', ')}.`]),
    ...(dated ? [] : [`CHANGELOG.md has no line "${heading}YYYY-MM-DD)".`]),
    ...(changed.trim() === '' ? [] : [`The tree has changes that are not committed:\n${changed.trimEnd()}`]),
    ...(tags.includes(`v${version}`) ? [] : [`The commit has no tag v${version}.`]),
  ];
}
