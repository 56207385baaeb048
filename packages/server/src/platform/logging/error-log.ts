const SAME_ERROR_MS = 60_000;

interface ErrorLogger {
  info(message: string): void;
  error(message: string): void;
}

export interface ErrorLog {
  /** Logs at once; the same text again only once a minute, with a count. */
  report(text: string): void;
  /** Logs the end of an error, if one was reported. */
  recovered(text: string): void;
}

export function createErrorLog(logger: ErrorLogger, now: () => number): ErrorLog {
  let last = '';
  let loggedAtMs = 0;
  let unlogged = 0;
  return {
    report(text) {
      if (text === last && Math.abs(now() - loggedAtMs) < SAME_ERROR_MS) {
        unlogged += 1;
        return;
      }
      logger.error(text === last && unlogged > 0 ? `${text} (${unlogged + 1} times)` : text);
      last = text;
      loggedAtMs = now();
      unlogged = 0;
    },
    recovered(text) {
      if (last === '') return;
      last = '';
      unlogged = 0;
      logger.info(text);
    },
  };
}
