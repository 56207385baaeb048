/** `error-<path with dashes>-<YYYY-MM-DDThhmmss>-<request id>.log` */
const NAME = /^error-(.+)-\d{4}-\d{2}-\d{2}T\d{6}-([A-Za-z0-9_]+)\.log$/;

/** '' = the name has another form. */
export const requestIdOf = (fileName: string): string => NAME.exec(fileName)?.[2] ?? '';
