/** Names of incomplete files. */
export const ARCHIVE_TEMPORARY = { prefix: '.archive-tmp-', suffix: '' } as const;
