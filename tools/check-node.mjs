// Old syntax on purpose: an old Node must be able to read this file to say that it is too old.
var needed = [20, 19];

export function nodeProblem(version) {
  var parts = version.replace(/^v/, '').split('.').map(Number);
  var fits = parts[0] > needed[0] || (parts[0] === needed[0] && parts[1] >= needed[1]);
  if (fits) return null;
  return (
    'Dateline needs Node ' +
    needed.join('.') +
    ' or later, and this is ' +
    version +
    '; install a newer Node.'
  );
}

export function exitIfNodeIsTooOld() {
  var problem = nodeProblem(process.version);
  if (problem === null) return;
  console.error(`dateline: ${problem}`);
  process.exit(1);
}
