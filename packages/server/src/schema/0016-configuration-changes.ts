/** What a version of the gateway's configuration changed: names of settings. */
export const configurationChanges = {
  name: '0016-configuration-changes',
  sql: `
-- JSON: a list of names. NULL = unknown, as for the first version.
ALTER TABLE gateway_configurations ADD COLUMN changed TEXT;
`,
} as const;
