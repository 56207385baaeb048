/** Requests that change something; `other` = any further management request that is not a GET. */
export type MutationKind = 'status' | 'fields' | 'upload' | 'delete' | 'import' | 'reset-quota' | 'other';
/** `list` = the list of auth files. */
export type CallKind = MutationKind | 'list' | 'models' | 'download' | 'api-call';
