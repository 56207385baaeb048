/** Calls that change something; `other` = any further management call that is no GET. */
export type MutationKind = 'status' | 'fields' | 'upload' | 'delete' | 'import' | 'reset-quota' | 'other';
/** `list` = the list of auth files. */
export type CallKind = MutationKind | 'list' | 'models' | 'download' | 'api-call';
