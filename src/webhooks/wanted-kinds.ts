/** How a kind can be asked for: exactly, with all of its resource, or with all there are. */
export function namesOf(kind: string): string[] {
  return ['*', `${kind.split('.', 1)[0]}.*`, kind];
}

export function isWanted(events: readonly string[], kind: string): boolean {
  return namesOf(kind).some((name) => events.includes(name));
}
