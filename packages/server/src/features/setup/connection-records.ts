import { normaliseGatewayUrl } from '@manager/core/connection/gateway-url';
import { DEFAULT_INSPECTION_CONFIG, MAX_BATCH_SIZE } from '@manager/core/contract/constants';
import {
  type InspectionConfig,
  inspectionToWire,
  readInspectionConfig,
} from '@manager/core/contract/inspection/config';
import { z } from 'zod';
import type { CollectorSettings, GatewayConnection } from '../../platform/config/config.ts';
import { isEnvelope } from '../../platform/secrets/envelope.ts';
import type { SecretVault } from '../../platform/secrets/vault.ts';
import type { SettingChange } from '../../sqlite/settings.ts';
import { type ConnectionPair, isComplete, resolveAuthority } from './authority.ts';
import { LEGACY_ROW, MANAGER_ROW, type StoredRows } from './connection-store.ts';

/** Saved collector settings; absent ones come from the configuration. */
export type StoredCollector = Partial<CollectorSettings & { readonly enabled: boolean }>;

type JsonObject = Readonly<Record<string, unknown>>;

interface StoredRecord {
  /** The row as read, so that members unknown to this version are kept; null = no row. */
  readonly raw: JsonObject | null;
  /** The row is not a JSON object of ours. */
  readonly unreadable: boolean;
  readonly pair: ConnectionPair;
  /** Ciphertext that the current data key cannot decrypt; kept until a new key is saved. '' = none. */
  readonly lostKey: string;
  /** The key in the row is plaintext. */
  readonly plaintext: boolean;
}

export interface ManagerRecordRow extends StoredRecord {
  readonly collector: StoredCollector;
  readonly codexInspection: InspectionConfig;
  readonly updatedAtMs: number;
}

export interface LegacyRecordRow extends StoredRecord {
  readonly queue?: string;
  readonly popSide?: CollectorSettings['popSide'];
}

/** Both stored records with their secrets decrypted. */
export interface ConnectionRecords {
  readonly manager: ManagerRecordRow;
  readonly legacy: LegacyRecordRow;
}

export interface RecordsChange {
  /** Complete pair for both records, or null to keep the stored ones. */
  readonly connection: GatewayConnection | null;
  /** Overrides the stored settings. */
  readonly collector?: StoredCollector;
  readonly codexInspection?: InspectionConfig;
}

const OBJECT = z.record(z.string(), z.unknown());
const TEXT = z.string().trim().min(1);
const COUNT = z.int().positive();
const BATCH_SIZE = COUNT.transform((count) => Math.min(count, MAX_BATCH_SIZE));
const MODE = z.enum(['auto', 'subscribe', 'http', 'resp']);
const POP_SIDE = z.enum(['left', 'right']);

export function parseRecords(rows: StoredRows, vault: SecretVault): ConnectionRecords {
  const legacy = parseLegacy(rows.legacy, vault);
  return { manager: parseManager(rows.manager, legacy, vault), legacy };
}

/** A stored key is unreadable, and no other record has it. */
export function isLost({ manager, legacy }: ConnectionRecords): boolean {
  if (isComplete(manager.pair)) return false;
  return [manager, legacy].some((record) => record.lostKey !== '' || record.unreadable);
}

/** Ciphertexts of the management key that the current data key cannot decrypt. */
export function lostKeys({ manager, legacy }: ConnectionRecords): readonly string[] {
  return [manager.lostKey, legacy.lostKey];
}

/** The connection from the stored records; `known` = there is an authority, or there was one and its key is lost. */
export function usableConnection(records: ConnectionRecords): {
  readonly known: boolean;
  readonly connection: GatewayConnection | null;
  readonly baseUrl: string;
} {
  const { manager, legacy } = records;
  const baseUrl = manager.pair.baseUrl || legacy.pair.baseUrl;
  if (isLost(records)) return { known: true, connection: null, baseUrl };
  const authority = resolveAuthority(manager.pair, legacy.pair);
  if (authority.kind !== 'manager' && authority.kind !== 'legacy') return { known: false, connection: null, baseUrl };
  return { known: true, connection: authority.connection, baseUrl: authority.connection.baseUrl };
}

export function changeRecords(records: ConnectionRecords, change: RecordsChange, nowMs: number): ConnectionRecords {
  const { connection } = change;
  const collector = { ...records.manager.collector, ...change.collector };
  const manager: ManagerRecordRow = {
    ...records.manager,
    raw: records.manager.raw ?? {},
    unreadable: false,
    collector,
    codexInspection: change.codexInspection ?? records.manager.codexInspection,
    updatedAtMs: nowMs,
  };
  if (connection === null) return { manager, legacy: records.legacy };
  const bound = { pair: connectionPair(connection), lostKey: '', plaintext: false, unreadable: false };
  return {
    manager: { ...manager, ...bound },
    legacy: {
      raw: records.legacy.raw ?? {},
      ...bound,
      ...(collector.queue === undefined ? {} : { queue: collector.queue }),
      ...(collector.popSide === undefined ? {} : { popSide: collector.popSide }),
    },
  };
}

/** The rows to write for these records, encrypted; a missing or unreadable row stays as it is. */
export function recordChanges(records: ConnectionRecords, vault: SecretVault, nowMs: number): SettingChange[] {
  const { manager, legacy } = records;
  const changes: SettingChange[] = [];
  if (manager.raw !== null && !manager.unreadable) {
    const value = {
      ...manager.raw,
      upstreamConnection: { ...objectOf(manager.raw.upstreamConnection), ...storedPair(manager, vault) },
      collector: { ...objectOf(manager.raw.collector), ...manager.collector },
      codexInspection: inspectionToWire(manager.codexInspection),
      externalUsageService: { enabled: false },
      ...(manager.updatedAtMs > 0 ? { updatedAtMs: manager.updatedAtMs } : {}),
    };
    changes.push({ key: MANAGER_ROW, value: JSON.stringify(value), updatedAtMs: nowMs });
  }
  if (legacy.raw !== null && !legacy.unreadable) {
    const value = {
      ...legacy.raw,
      ...storedPair(legacy, vault),
      ...(legacy.queue === undefined ? {} : { queue: legacy.queue }),
      ...(legacy.popSide === undefined ? {} : { popSide: legacy.popSide }),
    };
    changes.push({ key: LEGACY_ROW, value: JSON.stringify(value), updatedAtMs: nowMs });
  }
  return changes;
}

export function connectionPair(connection: ConnectionPair): ConnectionPair {
  return { baseUrl: normaliseGatewayUrl(connection.baseUrl), managementKey: connection.managementKey.trim() };
}

function parseManager(text: string | null, legacy: LegacyRecordRow, vault: SecretVault): ManagerRecordRow {
  const raw = parseObject(text);
  const saved = parseCollector(objectOf(raw?.collector));
  const updatedAtMs = raw?.updatedAtMs;
  return {
    ...parseConnection(text, raw, objectOf(raw?.upstreamConnection), vault),
    collector: {
      ...(legacy.queue === undefined ? {} : { queue: legacy.queue }),
      ...(legacy.popSide === undefined ? {} : { popSide: legacy.popSide }),
      ...saved,
    },
    codexInspection: raw === null ? DEFAULT_INSPECTION_CONFIG : readInspectionConfig(raw.codexInspection),
    updatedAtMs: typeof updatedAtMs === 'number' ? updatedAtMs : 0,
  };
}

function parseLegacy(text: string | null, vault: SecretVault): LegacyRecordRow {
  const raw = parseObject(text);
  return {
    ...parseConnection(text, raw, raw ?? {}, vault),
    ...member('queue', TEXT, raw?.queue),
    ...member('popSide', POP_SIDE, raw?.popSide),
  };
}

function parseConnection(
  text: string | null,
  raw: JsonObject | null,
  connection: JsonObject,
  vault: SecretVault,
): StoredRecord {
  const stored = stringOf(connection.managementKey).trim();
  const opened = vault.open(stored);
  return {
    raw,
    unreadable: text !== null && raw === null,
    pair: {
      baseUrl: normaliseGatewayUrl(stringOf(connection.baseUrl)),
      managementKey: opened.ok ? opened.secret : '',
    },
    lostKey: opened.ok ? '' : stored,
    plaintext: stored !== '' && !isEnvelope(stored),
  };
}

function parseCollector(stored: JsonObject): StoredCollector {
  return {
    ...member('enabled', z.boolean(), stored.enabled),
    ...member('collectorMode', MODE, stored.collectorMode),
    ...member('queue', TEXT, stored.queue),
    ...member('popSide', POP_SIDE, stored.popSide),
    ...member('batchSize', BATCH_SIZE, stored.batchSize),
    ...member('pollIntervalMs', COUNT, stored.pollIntervalMs),
    ...member('queryLimit', COUNT, stored.queryLimit),
    ...member('tlsSkipVerify', z.boolean(), stored.tlsSkipVerify),
  };
}

/**
 * `{name: value}` when the value is valid, else empty: an invalid member of an old row falls back to the configuration.
 */
function member<K extends string, T>(name: K, schema: z.ZodType<T>, value: unknown): { readonly [key in K]?: T } {
  const result = schema.safeParse(value);
  return result.success ? ({ [name]: result.data } as { readonly [key in K]: T }) : {};
}

function storedPair(record: StoredRecord, vault: SecretVault): JsonObject {
  // Plaintext of an old version waits for a missing data key: a new one would be made without a word.
  const waits = record.plaintext && !vault.hasKey();
  const managementKey = record.lostKey || (waits ? record.pair.managementKey : vault.seal(record.pair.managementKey));
  return { baseUrl: record.pair.baseUrl, ...(managementKey === '' ? {} : { managementKey }) };
}

function parseObject(text: string | null): JsonObject | null {
  if (text === null) return null;
  try {
    const result = OBJECT.safeParse(JSON.parse(text));
    return result.success ? result.data : null;
  } catch {
    return null;
  }
}

function objectOf(value: unknown): JsonObject {
  const result = OBJECT.safeParse(value);
  return result.success ? result.data : {};
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
