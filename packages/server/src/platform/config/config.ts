/**
 * The resolved configuration: environment over `config.json` over defaults. Paths are absolute; blank text means not set.
 */
export interface ManagerConfig {
  readonly httpAddress: HostPort;
  /** null = off. */
  readonly profilingAddress: HostPort | null;
  readonly dataDir: string;
  /** As configured, symbolic links not resolved; the lock returns the canonical path. */
  readonly databasePath: string;
  readonly importsDir: string;
  readonly archivesDir: string;
  readonly dataKeyPath: string;
  /** Explicit data key text from the environment or its file, '' = none. */
  readonly dataKeyText: string;
  /** Admin key from the operator, '' = none. */
  readonly adminKey: string;
  /** Present only when both gateway URL and key come from the environment or files. */
  readonly environmentConnection: GatewayConnection | null;
  /** Only one of the two is set; it is ignored. */
  readonly environmentConnectionIncomplete: boolean;
  readonly collector: CollectorSettings;
  readonly imports: {
    readonly chunkBytes: number;
    readonly diskQuotaBytes: number;
    readonly maxSessions: number;
    readonly sessionTtlMinutes: number;
  };
  /** MiB that the process tries to stay within. */
  readonly memoryMiB: number;
  readonly hourlyRollupEnabled: boolean;
  readonly archiveRetention: RetentionStartup;
  /** Empty = no CORS headers at all. */
  readonly corsOrigins: readonly string[];
  /** Addresses and networks of proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  /** Pages of the gateway's plugins are not sandboxed. */
  readonly trustedPluginPages: boolean;
  readonly policy: {
    readonly quotaCooldown: PolicySwitch;
    readonly accountActions: PolicySwitch;
    readonly accountActionsAutoDisable: PolicySwitch;
  };
  /** Custom panel file, '' = embedded panel. */
  readonly panelPath: string;
  /** Started by `npm run demo`. */
  readonly demo: boolean;
  /** Problems that do not stop the start; logged once, without secret values. */
  readonly warnings: readonly string[];
}

export interface HostPort {
  readonly host: string;
  readonly port: number;
}

export interface GatewayConnection {
  /** Normalized: scheme, host, optional path, no trailing slash. */
  readonly baseUrl: string;
  readonly managementKey: string;
}

export type CollectorMode = 'auto' | 'subscribe' | 'http' | 'resp';

export interface CollectorSettings {
  readonly collectorMode: CollectorMode;
  readonly queue: string;
  readonly popSide: 'left' | 'right';
  readonly batchSize: number;
  readonly pollIntervalMs: number;
  readonly queryLimit: number;
  readonly tlsSkipVerify: boolean;
}

/** Automatic archiving at start. A saved value replaces what is not locked. */
export interface RetentionStartup extends PolicySwitch {
  readonly days: number;
  /** Set by the environment. */
  readonly daysLocked: boolean;
}

export interface PolicySwitch {
  readonly enabled: boolean;
  /** Set by the environment, so the panel cannot change it. */
  readonly locked: boolean;
}
