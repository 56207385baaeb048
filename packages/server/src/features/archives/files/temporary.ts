/** How files are called until they are complete. */
export const ARCHIVE_TEMPORARY = { prefix: '.archive-tmp-', suffix: '' } as const;
