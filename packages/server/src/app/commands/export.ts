import { existsSync } from 'node:fs';
import { link, open, rename, unlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EXPORT_FORMATS } from '@manager/core/contract/constants';
import type { ExportFormat } from '@manager/core/contract/monitoring/request-export';
import { isZoneName } from '@manager/core/time/zones';
import type { AnalyticsContext } from '../../facts/context.ts';
import { createFactReader } from '../../facts/reader.ts';
import { requestExportPage, startRequestExport } from '../../features/monitoring/export/queries/request-pages.ts';
import { checkExport, type ExportQuery } from '../../features/monitoring/export/request.ts';
import { type RequestPages, requestFile } from '../../features/monitoring/export/request-file.ts';
import { hasPendingRestore } from '../../platform/files/pending-restore.ts';
import { messageOf } from '../../platform/logging/error-text.ts';
import { openCurrent } from '../../schema/open-migrated.ts';
import { readersOf } from '../../workers/analytics-context.ts';
import { type Command, CommandError, throwIfCancelled } from './command.ts';
import { FILTER_NAMES, readFilters, readInstant } from './export-filters.ts';
import { type ParsedFlags, UsageError } from './flags.ts';
import { DB_PATH_FLAG, databasePath, requireExistingDatabase } from './offline-database.ts';

/** Decoded columns and results that are kept: little, because each chunk is read once. */
const CACHE_BYTES = 16 * 1024 * 1024;
const PARTIAL_BYTES = 1024 * 1024;

export const exportCommand: Command = {
  name: 'export',
  about: [
    'Writes the requests of a range and filters to a file, newest first. Only reads the database: the manager may run or not.',
    `Filters: ${FILTER_NAMES}.`,
    'Values of one filter are alternatives; different filters must all match.',
  ],
  flags: [
    { name: 'out', value: 'P', help: 'new file', required: true },
    {
      name: 'from',
      value: 'T',
      help: 'first time, such as 2026-08-27 or 2026-08-27T14:30; default: the oldest request',
    },
    { name: 'to', value: 'T', help: 'end, exclusive; default: now' },
    { name: 'time-zone', value: 'Z', help: 'zone of these times and of the file, such as Europe/Berlin; default: UTC' },
    { name: 'filter', value: 'N=V', help: 'such as model=gpt-5 or failed=true; may be repeated', many: true },
    {
      name: 'format',
      value: 'F',
      help: `${EXPORT_FORMATS.join(' or ')}; default: by the name of the file, else jsonl`,
    },
    { name: 'masked', value: null, on: true, help: 'hides names, keys and addresses; --masked=false writes them' },
    DB_PATH_FLAG,
  ],
  async run(context, flags) {
    const query = queryOf(flags, context.now());
    const out = resolve(context.cwd, (flags.text('out') ?? '').trim());
    if (existsSync(out)) throw new CommandError(`${out} exists; choose another name`);
    const path = databasePath(context, flags);
    requireExistingDatabase(path);
    if (hasPendingRestore(path)) throw new CommandError('a restore is not finished; start the manager once');
    const db = openCurrent(path, { cacheBytes: CACHE_BYTES });
    try {
      const analytics: AnalyticsContext = {
        facts: createFactReader(db, { cacheBytes: CACHE_BYTES, partialBytes: PARTIAL_BYTES }),
        ...readersOf(db),
        checkStopped: () => throwIfCancelled(context.signal),
      };
      const pages: RequestPages = {
        startRequestExport: async (asked) => startRequestExport(analytics, { query: asked }),
        requestExportPage: async (args) => requestExportPage(analytics, args).value,
      };
      const start = await pages.startRequestExport(query, context.signal);
      // A cancellation shows in the file like every other failure.
      await writeFile(out, requestFile(pages, query, start, new AbortController().signal));
      context.stdout(`${start.rows} requests were written to ${out}.`);
      if (start.deleted > 0) {
        context.stdout(
          `${start.deleted} older requests match but are not in it: their details were archived and deleted.`,
        );
      }
    } finally {
      db.close();
    }
  },
};

function queryOf(flags: ParsedFlags, nowMs: number): ExportQuery {
  const format = (flags.text('format') ?? formatOf(flags.text('out') ?? '')).trim();
  if (!isFormat(format)) throw new UsageError(`--format must be ${EXPORT_FORMATS.join(' or ')}`);
  const zone = (flags.text('time-zone') ?? '').trim();
  if (!isZoneName(zone)) throw new UsageError('--time-zone: unknown; expected a name such as Europe/Berlin');
  const [from, to] = [flags.text('from')?.trim(), flags.text('to')?.trim()];
  const fromMs = from === undefined ? null : readInstant('from', from, zone);
  const toMs = to === undefined ? nowMs : readInstant('to', to, zone);
  if (fromMs !== null && fromMs >= toMs) throw new UsageError('--from must be before --to');
  const { filters, search } = readFilters(flags.texts('filter'));
  return checkExport({
    from_ms: fromMs,
    to_ms: toMs,
    time_zone: zone,
    filters,
    search_query: search,
    format,
    masked: flags.isOn('masked'),
  });
}

/** By the ending of the file's name. */
function formatOf(out: string): ExportFormat {
  return EXPORT_FORMATS.find((format) => out.trim().toLowerCase().endsWith(`.${format}`)) ?? 'jsonl';
}

const isFormat = (text: string): text is ExportFormat => EXPORT_FORMATS.some((format) => format === text);

/** Only a complete file gets its name; what a failure leaves keeps the ending `.partial` and ends with a line that shows it. */
async function writeFile(out: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const partial = `${out}.partial`;
  // Two exports must not write into one file.
  const file = await open(partial, 'wx', 0o600).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    throw new CommandError(
      `${partial} exists: another export writes it, or did not finish; delete it when none runs, or choose another name`,
    );
  });
  try {
    for await (const piece of bytes) await file.appendFile(piece);
    await file.sync();
  } catch (error) {
    throw new CommandError(`${messageOf(error)}; the incomplete file is ${partial}`);
  } finally {
    await file.close();
  }
  await publish(partial, out);
}

/** A link never replaces a file that was created meanwhile. File systems without links (some container mounts) only get a look before. */
async function publish(partial: string, out: string): Promise<void> {
  const exists = new CommandError(`${out} was created meanwhile; the complete export is ${partial}`);
  try {
    await link(partial, out);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw exists;
    if (existsSync(out)) throw exists;
    await rename(partial, out);
    return;
  }
  await unlink(partial);
}
