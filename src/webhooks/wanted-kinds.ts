/** The names by which a kind can be subscribed to: by its name, with all of its resource, or with all kinds. */
export function namesOf(kind: string): string[] {
  return ['*', `${kind.split('.', 1)[0]}.*`, kind];
}

export function isWanted(events: readonly string[], kind: string): boolean {
  return namesOf(kind).some((name) => events.includes(name));
}
