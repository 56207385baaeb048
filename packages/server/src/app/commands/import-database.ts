import type { Database } from 'bun:sqlite';
import { realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { ImportProgress } from '../../features/transfer/foreign/checkpoint.ts';
import { collectedTimes } from '../../features/transfer/foreign/collected.ts';
import { eventRowsOf } from '../../features/transfer/foreign/event-rows.ts';
import { countDeadLetters, importLedger, replayForeignDeadLetters } from '../../features/transfer/foreign/extras.ts';
import { readShape } from '../../features/transfer/foreign/format.ts';
import { importRows } from '../../features/transfer/foreign/import-rows.ts';
import { type ForeignSource, openSource, SourceDamaged } from '../../features/transfer/foreign/source.ts';
import { surveyRows } from '../../features/transfer/foreign/survey.ts';
import { createCellReader } from '../../features/transfer/foreign/values.ts';
import { type Command, type CommandContext, CommandError } from './command.ts';
import type { ParsedFlags } from './flags.ts';
import { importAliases, importPrices } from './import-operator-data.ts';
import { createImportProgress } from './import-progress.ts';
import { DB_PATH_FLAG, databasePath, withMigratedDatabase } from './offline-database.ts';

export const importDatabase: Command = {
  name: 'import-database',
  about: [
    'Copies the usage history from the SQLite file of another manager of the same gateway. Stop this manager first; the other',
    'manager may keep running. Nothing is written to its file. A stopped command continues where it was; a second import of the',
    'same file adds nothing. Prints a report as JSON; progress goes to stderr.',
  ],
  flags: [
    { name: 'from', value: 'P', help: 'database of the other manager', required: true },
    { name: 'prices', value: null, help: 'import its prices; those you set here stay' },
    { name: 'aliases', value: null, help: 'import its key names; those you set here stay' },
    {
      name: 'ledger',
      value: null,
      help: 'treat events whose rows are deleted there as known; their archive files then add nothing',
    },
    { name: 'replay-dead-letters', value: null, help: 'read its dead letters again' },
    { name: 'time-zone', value: 'Z', help: 'zone of times without offset, for example Europe/Berlin' },
    {
      name: 'skip-overlap',
      value: null,
      on: true,
      help: 'skip requests that both managers recorded (on; =false to turn off)',
    },
    DB_PATH_FLAG,
  ],
  async run(context, flags) {
    const from = sourcePath(context, flags);
    const hourlyRollup = context.config().hourlyRollupEnabled;
    const report = await withMigratedDatabase(context, flags, (db) =>
      copyFrom({ context, flags, db, from, hourlyRollup }),
    );
    context.stdout(JSON.stringify(report, null, 2));
  },
};

function sourcePath(context: CommandContext, flags: ParsedFlags): string {
  const path = resolve(context.cwd, (flags.text('from') ?? '').trim());
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined) throw new CommandError(`no file at ${path}`);
  if (!status.isFile() || status.size === 0) throw new CommandError(`${path} is not a database`);
  const source = realpathSync(path);
  const own = statSync(databasePath(context, flags), { throwIfNoEntry: false });
  if (own !== undefined && own.ino === status.ino && own.dev === status.dev) {
    throw new CommandError('the source is the database of this manager');
  }
  return source;
}

interface Job {
  readonly context: CommandContext;
  readonly flags: ParsedFlags;
  readonly db: Database;
  readonly from: string;
  readonly hourlyRollup: boolean;
}

async function copyFrom(job: Job) {
  const source = openSource(job.from, { temporaryFolder: dirname(job.db.filename) });
  const progress: Progress = { rows: null, stage: 'events' };
  try {
    return await copyAll(job, source, progress);
  } catch (error) {
    if (!(error instanceof SourceDamaged)) throw error;
    throw new CommandError(
      `${error.message}; ${describe(progress)}. Repair a copy with: sqlite3 FILE .recover | sqlite3 REPAIRED ` +
        'and import that one: events that are already here are skipped',
    );
  } finally {
    source.close();
  }
}

interface Progress {
  /** Of the events, since the start of the import; null = none was read. */
  rows: ImportProgress | null;
  /** What is read now: the events, then everything else, then every page once more. */
  stage: 'events' | 'others' | 'check';
}

/** What is here after an import that did not end. */
function describe({ rows, stage }: Progress): string {
  if (rows === null && stage === 'events') return 'no event was copied';
  const copied = `${rows?.read ?? 0} rows were read and ${rows?.added ?? 0} events added, which stay`;
  switch (stage) {
    case 'events':
      return `${copied}; events after row ${rows?.lastRowId} are missing, and others may be`;
    case 'others':
      return `${copied}; not everything else that was asked for could be copied`;
    case 'check':
      return `${copied}; others may be missing`;
  }
}

async function copyAll({ context, flags, db, from, hourlyRollup }: Job, source: ForeignSource, progress: Progress) {
  const { now } = context;
  const startedAt = now();
  const shape = await source.read(readShape);
  const cells = createCellReader();
  const rows = eventRowsOf(shape);
  const timeZone = (flags.text('time-zone') ?? '').trim() || null;
  const beforePage = async () => {
    // Signals are handled only between two turns of the event loop.
    await new Promise((next) => setImmediate(next));
    if (context.signal.aborted) {
      throw new CommandError('canceled; copied events are kept. Run the same command to continue');
    }
  };
  const survey =
    shape.format === 'B'
      ? await surveyRows(source, rows, { timeZone, wasCollecting: collectedTimes(db), beforePage })
      : null;
  if (survey !== null && survey.collected > 0) {
    context.stderr(
      `${survey.collected} of ${survey.rows} rows are from times in which this manager collected without a gap`,
    );
  }
  const range = await source.read((foreign) => rows.range(foreign));
  const print = createImportProgress({ range, now, print: context.stderr });
  const copied = await importRows(db, source, rows, {
    format: shape.format,
    hourlyRollup,
    timeZone,
    skipOverlap: flags.isOn('skip-overlap'),
    now,
    beforePage,
    onProgress(rows) {
      progress.rows = rows;
      print(rows);
    },
  });
  progress.stage = 'others';
  const extra = { hourlyRollup, now, beforePage };
  const letters = await countDeadLetters(source, shape);
  const report = {
    source: from,
    format: shape.format,
    read: copied.read,
    added: copied.added,
    skipped: copied.skipped,
    ...(shape.format === 'B' ? { skipped_overlap: copied.skippedOverlap } : {}),
    not_mapped: Object.values(copied.notMapped).reduce((sum, count) => sum + count, 0),
    not_mapped_reasons: copied.notMapped,
    ...(shape.format === 'A' ? { recomputed_tokens: copied.recounted } : {}),
    repaired_texts: copied.repairedTexts,
    ...(survey === null ? {} : { rows_in_collected_time: survey.collected }),
    ...(copied.resumedAfter === null ? {} : { resumed_after_row_id: copied.resumedAfter }),
    ...(flags.isOn('prices') ? { prices: await importPrices(db, source, shape, cells, now) } : {}),
    ...(flags.isOn('aliases') ? { aliases: await importAliases(db, source, shape, cells, now) } : {}),
    ...(flags.isOn('ledger') ? { ledger: await importLedger(db, source, shape, cells, extra) } : {}),
    dead_letters: flags.isOn('replay-dead-letters')
      ? await replayForeignDeadLetters(db, source, shape, cells, extra)
      : { found: letters, ...(letters === 0 ? {} : { hint: 'add --replay-dead-letters to read them again' }) },
  };
  progress.stage = 'check';
  context.stderr('checking the source');
  const isChecked = await source.check();
  if (!isChecked) {
    context.stderr(
      'the source changed during each check, so damage in it would not be seen; stop the other manager and import once more',
    );
  }
  return { ...report, source_checked: isChecked, duration_ms: now() - startedAt };
}
