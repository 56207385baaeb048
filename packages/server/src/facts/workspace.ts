import { release } from './decode/release.ts';

/** Arrays that are reused from chunk to chunk, so that a scan creates no garbage. */
export interface Workspace {
  /** At least `length` long, with undefined content. One array per name. */
  doubles(name: string, length: number): Float64Array;
  words(name: string, length: number): Uint32Array;
  /** Frees all arrays; nobody may use one of them any more. */
  clear(): void;
}

export function createWorkspace(): Workspace {
  const doubles = new Map<string, Float64Array>();
  const words = new Map<string, Uint32Array>();
  return {
    doubles: (name, length) => {
      const known = doubles.get(name);
      if (known !== undefined && known.length >= length) return known;
      const made = new Float64Array(length);
      doubles.set(name, made);
      return made;
    },
    words: (name, length) => {
      const known = words.get(name);
      if (known !== undefined && known.length >= length) return known;
      const made = new Uint32Array(length);
      words.set(name, made);
      return made;
    },
    clear: () => {
      for (const arrays of [doubles, words]) {
        for (const array of arrays.values()) release(array);
        arrays.clear();
      }
    },
  };
}
