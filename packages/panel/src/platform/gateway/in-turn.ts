const tails = new Map<string, Promise<unknown>>();

/**
 * Runs works of the same name one after the other: in all tabs where the browser has locks, which it has on https and on this
 * computer, else in this one.
 */
export function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  const locks: LockManager | undefined = globalThis.navigator?.locks;
  if (locks !== undefined) return locks.request(`mgrpanel:${name}`, work) as Promise<T>;
  const turn = (tails.get(name) ?? Promise.resolve()).then(work, work);
  tails.set(name, turn);
  return turn;
}
