/**
 * Records of one kind have the same members in the same order. What follows from the names alone (their order in the kept text,
 * how each value is treated) is computed once per sequence of names, and found again in a tree of names.
 */
interface Node<Result> {
  next: Map<string, Node<Result>> | null;
  result: Result | null;
}

/** For all sequences together; beyond it the cache is cleared, so that unknown names cannot fill the memory. */
const MAX_NODES = 8_192;
const MAX_NAMES = 128;
/** In UTF-16 units. */
const LONGEST_NAME = 128;

/** Caches the result of `examine` for each sequence of names. */
export function rememberShapes<Result>(
  examine: (names: readonly string[]) => Result,
): (names: readonly string[]) => Result {
  let root: Node<Result> = { next: null, result: null };
  let nodes = 0;
  return (names) => {
    if (names.length > MAX_NAMES) return examine(names);
    let node = root;
    for (const name of names) {
      let next = node.next?.get(name);
      if (next === undefined) {
        if (name.length > LONGEST_NAME) return examine(names);
        next = { next: null, result: null };
        node.next ??= new Map();
        node.next.set(name, next);
        nodes += 1;
      }
      node = next;
    }
    node.result ??= examine(names);
    const { result } = node;
    if (nodes > MAX_NODES) {
      root = { next: null, result: null };
      nodes = 0;
    }
    return result;
  };
}
