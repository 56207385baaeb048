const OWN = Symbol('own transactions');

/**
 * Marks a write operation that begins its transactions itself (a checkpoint must run outside of one, a batch that fails is
 * tried again). Every other one runs inside one IMMEDIATE transaction.
 */
export function ownTransactions<F extends (...args: never) => unknown>(operation: F): F {
  return Object.assign(operation, { [OWN]: true });
}

export function managesTransactions(operation: object): boolean {
  return OWN in operation;
}
