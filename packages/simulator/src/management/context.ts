import type { AccountStore } from '../accounts/account-store.ts';
import type { Clock } from '../clock.ts';
import type { Faults } from '../faults/faults.ts';
import type { UsageQueue } from '../queue/usage-queue.ts';
import type { Random } from '../random.ts';
import type { Profile } from '../types.ts';
import type { AccountCounters } from './account-counters.ts';
import type { ApiCalls } from './api-call-store.ts';
import type { AuthFileStore } from './auth-file-store.ts';
import type { CallCounts } from './call-counts.ts';
import type { ConfigStore } from './config-store.ts';
import type { Journal } from './journal.ts';
import type { LogStore } from './log-store.ts';
import type { OAuthSessions } from './oauth-sessions.ts';
import type { Operator } from './operator.ts';
import type { PluginStore } from './plugin-store.ts';

/** State and services of the management routes. */
export interface ManagementContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly faults: Faults;
  readonly profile: () => Profile;
  readonly queue: UsageQueue;
  readonly config: ConfigStore;
  readonly counters: AccountCounters;
  readonly authFiles: AuthFileStore;
  readonly accounts: AccountStore;
  readonly counts: CallCounts;
  readonly journal: Journal;
  readonly operator: Operator;
  /** The list can be filtered. */
  readonly listFilters: () => boolean;
  readonly apiCalls: ApiCalls;
  readonly oauth: OAuthSessions;
  readonly logs: LogStore;
  readonly plugins: PluginStore;
  readonly statusWordDelayMs: number;
  /** False: no registry, release server or provider can be reached. */
  readonly hasInternet: () => boolean;
  /** Accounts were reloaded: subscribers get a refresh, a moment after the answer. */
  readonly reloaded: () => void;
}
