/** A page is full from so many bytes on, which one of usual events never is: huge events must not be in memory together. */
export const FULL_BYTES = 2 * 1024 * 1024;

/** Buffer of a page: with room for the line that fills it, unless that is a huge one. */
export const PAGE_BYTES = FULL_BYTES + 64 * 1024;
