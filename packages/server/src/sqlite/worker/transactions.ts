const OWN = Symbol('own transactions');

/**
 * Marks a write operation that starts its transactions itself (a checkpoint must run outside one, a failed batch is retried).
 * Every other one runs inside one IMMEDIATE transaction.
 */
export function ownTransactions<F extends (...args: never) => unknown>(operation: F): F {
  return Object.assign(operation, { [OWN]: true });
}

export function managesTransactions(operation: object): boolean {
  return OWN in operation;
}
