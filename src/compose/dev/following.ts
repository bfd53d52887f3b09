/**
 * Stands for something that is replaced from time to time: each member is read from what it is now. For what was made once, and must not
 * keep what has been replaced.
 */
export function following<Thing extends object>(now: () => Thing): Thing {
  return new Proxy<Thing>(Object.create(null), {
    get(_target, name) {
      const thing = now();
      const member: unknown = Reflect.get(thing, name);
      return typeof member === 'function' ? member.bind(thing) : member;
    },
    has: (_target, name) => Reflect.has(now(), name),
    ownKeys: () => Reflect.ownKeys(now()),
    getOwnPropertyDescriptor(_target, name) {
      const descriptor = Reflect.getOwnPropertyDescriptor(now(), name);
      return descriptor && { ...descriptor, configurable: true };
    },
  });
}
