/**
 * Path of a worker's file, in both forms of the program.
 *
 * From source, a worker is an ordinary file next to its module. In the executable every module is bundled into the main entry
 * (so `import.meta.url` does not help) and each worker is a separate entry point, with its path relative to the common folder
 * of all entry points. The rule is therefore: `main.ts` is at the top of `packages/server/src`, every worker below it is listed
 * on the build's command line, and a worker is started by its path relative to that folder.
 *
 * @param path relative to `packages/server/src`, for example `workers/writer.ts`
 */
export function workerEntry(path: string): string | URL {
  return isExecutable ? `./${path}` : new URL(`../../${path}`, import.meta.url);
}

// The virtual folder of an executable is `/$bunfs/` (`B:\~BUN\` on Windows).
const isExecutable = /\/(?:\$bunfs|%24bunfs|~BUN|%7EBUN)\//.test(import.meta.url);
