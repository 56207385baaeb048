import { createMasker, type Masker, PLAIN } from '@manager/core/masking/mask';
import type { PriceBook } from '@manager/core/pricing/price-book';
import { createZone, type Zone } from '@manager/core/time/zones';
import type { UsageEvent } from '@manager/core/usage/event';
import { JsonBytes } from '../../../../events/detail/packed/json-bytes.ts';
import { eventRow } from '../../../../facts/answers/event-row.ts';
import type { AnalyticsContext } from '../../../../facts/context.ts';
import { type DistinctSymbols, distinctSymbolsSection } from '../../../../facts/kernels/distinct.ts';
import { rawCoverageSection } from '../../../../facts/kernels/raw-coverage.ts';
import { selectRows, withoutDeleted } from '../../../../facts/kernels/selection.ts';
import { createTopEvents, type EventCursor, type EventPosition } from '../../../../facts/kernels/top.ts';
import { compileQuery, type FactQuery } from '../../../../facts/query.ts';
import type { FactSnapshot } from '../../../../facts/reader.ts';
import { createScan } from '../../../../facts/scan.ts';
import { readEvents } from '../../../../facts/stored-events.ts';
import { Transfer } from '../../../../sqlite/worker/transfer.ts';
import { PAGE_BYTES } from '../page-bytes.ts';
import type { ExportQuery } from '../request.ts';
import { requestLine } from '../request-line.ts';

/** What an export is about, fixed at its start: later events and later prices are not part of it. */
export interface ExportStart {
  /** Requests in the file. */
  readonly rows: number;
  /** Matching requests whose details were deleted: they are not in the file. */
  readonly deleted: number;
  readonly lastId: number;
  readonly priceRevision: number;
  /** Names what the pages share. */
  readonly key: string;
}

export interface ExportPageArgs {
  readonly query: ExportQuery | ShortQuery;
  readonly start: ExportStart;
  /** Of the page before; null = the newest. */
  readonly cursor: EventCursor | null;
  /** Moved here for the lines; null = a new one is made. */
  readonly buffer: ArrayBuffer | null;
}

/** Thousands of names are sent once, not with every page. */
export type ShortQuery = Omit<ExportQuery, 'maskOrder'> & { readonly maskOrder: null };

export interface RequestPage {
  readonly lines: Uint8Array<ArrayBuffer>;
  readonly rows: number;
  /** null = no more rows. */
  readonly next: EventCursor | null;
  /** Nothing was read: what the pages share is no longer known, so the whole query is needed. */
  readonly isForgotten: boolean;
}

/** Rows of one page, decoded in about 20 ms, so that other questions wait no longer. */
const PAGE_ROWS = 500;
/** More than run at the same time. */
const MOST_KEPT = 8;

interface Kept {
  readonly zone: Zone;
  readonly masker: Masker;
  readonly book: PriceBook;
}

/** What the pages of running exports share; made again where it is missing. */
const kept = new WeakMap<AnalyticsContext['facts'], Map<string, Kept>>();

type FilterQuery = Pick<ExportQuery, 'fromMs' | 'toMs' | 'filters' | 'search'>;

const factQuery = ({ fromMs, toMs, filters, search }: FilterQuery): FactQuery => ({ fromMs, toMs, filters, search });

/** Counts what the file will have. */
export function startRequestExport(context: AnalyticsContext, { query }: { readonly query: ExportQuery }): ExportStart {
  return context.facts.read((snapshot) => {
    const scan = createScan(snapshot, factQuery(query), context.checkStopped);
    const coverage = scan.add(rawCoverageSection(snapshot.rawDeletions));
    const names = query.masked ? scan.add(distinctSymbolsSection(NAME_COLUMNS)) : null;
    scan.run();
    const { live, deleted } = coverage();
    const last = snapshot.db.query<{ id: number | null }, []>('SELECT max(id) AS id FROM usage_events').get();
    const fixed = { lastId: last?.id ?? 0, priceRevision: context.prices().revision };
    const key = Bun.SHA256.hash(JSON.stringify([query, fixed]), 'base64');
    const start = { rows: live, deleted, ...fixed, key };
    keptOf(snapshot, context, query, start, names);
    return start;
  });
}

/** The next rows, as bytes: the main thread only passes them on. */
export function requestExportPage(
  context: AnalyticsContext,
  { query, start, cursor, buffer }: ExportPageArgs,
): Transfer<RequestPage> {
  return context.facts.read((snapshot) => {
    const shared = isShort(query) ? kept.get(context.facts)?.get(start.key) : keptOf(snapshot, context, query, start);
    if (shared === undefined) {
      const lines = new Uint8Array(buffer ?? new ArrayBuffer(0), 0, 0);
      return new Transfer({ lines, rows: 0, next: cursor, isForgotten: true }, [lines.buffer], buffer);
    }
    const positions = newestAfter(snapshot, context, query, cursor);
    const { zone, masker, book } = shared;
    const options = { format: query.format, zone, masker, book };
    const known = positions.filter(({ eventId }) => eventId <= start.lastId);
    // The CSV has no member of the original item.
    const withRaw = query.format === 'jsonl';
    const out = new JsonBytes();
    out.start(buffer ?? new ArrayBuffer(PAGE_BYTES));
    const write = (event: UsageEvent) => out.utf8(requestLine(eventRow(event), options));
    const rows = readEvents(snapshot, known, context, write, withRaw).length;
    const last = positions.length < PAGE_ROWS ? undefined : positions.at(-1);
    const lines = out.finish();
    return new Transfer({ lines, rows, next: last ?? null, isForgotten: false }, [lines.buffer], buffer);
  });
}

const isShort = (query: ExportQuery | ShortQuery): query is ShortQuery => query.maskOrder === null;

/** The newest matches after the cursor. Chunks are looked at from the newest on, and only while they can add something. */
function newestAfter(
  snapshot: FactSnapshot,
  context: AnalyticsContext,
  query: FilterQuery,
  cursor: EventCursor | null,
): readonly EventPosition[] {
  const toMs = cursor === null ? query.toMs : Math.min(query.toMs, cursor.timestampMs + 1);
  const compiled = compileQuery(snapshot, { ...factQuery(query), toMs });
  const top = createTopEvents(PAGE_ROWS, cursor);
  const columns = new Set(['timestamp_ms'] as const);
  const chunks = snapshot.chunks.toSorted((one, other) => other.maxTimestampMs - one.maxTimestampMs);
  for (const chunk of chunks) {
    if (chunk.maxTimestampMs < top.oldestMs()) break;
    context.checkStopped();
    const selection = selectRows(chunk, compiled, snapshot.secondWorkspace);
    if (selection.count === 0) continue;
    chunk.prepare(columns);
    top.offer(chunk, withoutDeleted(chunk, selection));
  }
  return top.result();
}

type ReadNames = () => DistinctSymbols;

/** @param names from the scan of the start; without it they are read again, in a worker that was started anew */
function keptOf(
  snapshot: FactSnapshot,
  context: AnalyticsContext,
  query: ExportQuery,
  start: ExportStart,
  names: ReadNames | null = null,
): Kept {
  const all = kept.get(context.facts) ?? new Map<string, Kept>();
  kept.set(context.facts, all);
  const known = all.get(start.key);
  if (known !== undefined) return known;
  const { revision, book } = context.prices();
  if (revision !== start.priceRevision) throw new Error('the prices changed while the export ran');
  const made = {
    zone: createZone(query.timeZone),
    masker: maskerFor(snapshot, query, names ?? (() => namesOf(snapshot, context, query))),
    book,
  };
  const oldest = all.size < MOST_KEPT ? undefined : all.keys().next().value;
  if (oldest !== undefined) all.delete(oldest);
  all.set(start.key, made);
  return made;
}

const NAME_COLUMNS = [
  'account_snapshot',
  'auth_label_snapshot',
  'source',
  'auth_file_snapshot',
  'auth_project_id_snapshot',
] as const;

function namesOf(snapshot: FactSnapshot, context: AnalyticsContext, query: ExportQuery): DistinctSymbols {
  const scan = createScan(snapshot, factQuery(query), context.checkStopped);
  const read = scan.add(distinctSymbolsSection(NAME_COLUMNS));
  scan.run();
  return read();
}

/** Has seen every name before the first line: equal names have equal masks in the whole file, different ones differ. */
function maskerFor(snapshot: FactSnapshot, query: ExportQuery, read: ReadNames): Masker {
  if (!query.masked) return PLAIN;
  const names = read();
  const masker = createMasker({ order: query.maskOrder });
  const masks = {
    account_snapshot: masker.account,
    auth_label_snapshot: masker.account,
    source: masker.source,
    auth_file_snapshot: masker.file,
    auth_project_id_snapshot: masker.project,
  } as const;
  for (const column of NAME_COLUMNS) {
    for (const symbol of names.get(column) ?? []) masks[column](snapshot.symbols.text(symbol));
  }
  return masker;
}
