import type { Command } from './command.ts';

/** One command. Its module is loaded only when it is called. */
export interface CommandEntry {
  readonly name: string;
  readonly alias?: string;
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'reset-admin-key',
    alias: 'reset-admin-password',
    summary: 'replace the admin key',
    load: async () => (await import('./reset-admin-key.ts')).resetAdminKey,
  },
  {
    name: 'store-upstream-connection',
    summary: 'store URL and management key of the gateway',
    load: async () => (await import('./store-upstream-connection.ts')).storeGatewayConnection,
  },
  {
    name: 'replay-dead-letters',
    summary: 'read dead letters again',
    load: async () => (await import('./replay-dead-letters.ts')).replayDeadLettersCommand,
  },
  {
    name: 'manager-data-snapshot',
    summary: 'create, restore or delete a database snapshot',
    load: async () => (await import('./data-snapshot.ts')).managerDataSnapshot,
  },
  {
    name: 'sanitize-runtime-config',
    summary: 'copy a config.json without the gateway connection',
    load: async () => (await import('./sanitize-runtime-config.ts')).sanitizeRuntimeConfig,
  },
  {
    name: 'export',
    summary: 'write the requests of a range and filters to a file; the manager may run',
    load: async () => (await import('./export.ts')).exportCommand,
  },
  {
    name: 'compact-usage',
    summary: 'return free space of the database to the disk',
    load: async () => (await import('./compact-usage.ts')).compactUsage,
  },
  {
    name: 'cleanup-derived',
    summary: 'finish deferred upgrade work',
    load: async () => (await import('./cleanup-derived.ts')).cleanupDerived,
  },
  {
    name: 'import-database',
    summary: 'import history from the database of another manager',
    load: async () => (await import('./import-database.ts')).importDatabase,
  },
];

export function findCommand(name: string): CommandEntry | undefined {
  return COMMANDS.find((entry) => entry.name === name || entry.alias === name);
}

export function usage(): string {
  const width = Math.max(...COMMANDS.map((entry) => entry.name.length));
  const lines = COMMANDS.map((entry) => `  ${entry.name.padEnd(width)}  ${entry.summary}`);
  return [
    'Usage: manager-server                     run the manager',
    '       manager-server --version           print the version',
    '       manager-server --licenses          print the licenses of everything inside',
    '       manager-server COMMAND [FLAGS]     run a command; -h shows its flags',
    '',
    'Commands:',
    ...lines,
    '',
  ].join('\n');
}
