/** Buffer of a page: room for usual rows; one of huge rows grows. */
export const PAGE_BYTES = 1024 * 1024;
