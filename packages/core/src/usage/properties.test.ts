import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { isJsonObject } from '../json/json.ts';
import { propertyRuns } from '../testing/property-runs.ts';
import { accountSnapshots, readListedAccount } from './enrich.ts';
import { exportLine } from './export-line.ts';
import { detectImportFormat, readImportedRecord } from './import-record.ts';
import { prepareForInsert } from './insert.ts';
import { readLegacySnapshot } from './legacy-snapshot.ts';
import { readRecord } from './record.ts';
import { buildResponseMetadata } from './response-metadata.ts';
import { context, eventOf } from './testing/context.ts';
import { usageDetail } from './usage-payload.ts';

const MEMBER_NAMES = [
  'timestamp',
  'model',
  'alias',
  'source',
  'api_key',
  'auth_index',
  'tokens',
  'usage',
  'input_tokens',
  'cached_tokens',
  'total_tokens',
  'failed',
  'fail',
  'body',
  'status_code',
  'response_headers',
  'response_metadata',
  'quota',
  'primary',
  'token_breakdown',
  'quality',
  'schema_version',
  'event_hash',
  'raw_json',
  'detail',
  'details',
  'models',
  'latency_ms',
  'provider',
  'executor_type',
  'Retry-After',
  'X-Codex-Primary-Used-Percent',
  'traceparent',
  '__proto__',
  'constructor',
];

const leaf = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constantFrom(null, 'xai', 'claude', '429', '2026-03-01T12:00:00Z', 'complete', '{"a":[', 'sk-abcdefgh', 'a@b.cd'),
);

/** JSON objects with mostly known members, and values of any type. */
const { item } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('value'), { maxLength: 4 }), tie('item')),
  item: fc.dictionary(fc.oneof(fc.constantFrom(...MEMBER_NAMES), fc.string({ unit: 'binary' })), tie('value'), {
    maxKeys: 12,
    noNullPrototype: true,
  }),
}));

describe('nothing throws', () => {
  test('for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(['event', 'control', 'blank', 'dead_letter']).toContain(readRecord(text, context).kind);
      }),
    );
  });

  test('for any JSON, through all steps', () => {
    fc.assert(
      fc.property(item, (value) => {
        const outcome = readRecord(JSON.stringify(value), context);
        if (outcome.kind !== 'event') return;
        const { event } = prepareForInsert(outcome.event);
        expect(event.event_hash.length).toBeGreaterThan(0);
        expect(isJsonObject(JSON.parse(event.raw_json))).toBe(true);
        expect(JSON.stringify(event).isWellFormed()).toBe(true);
        expect(Number.isSafeInteger(event.timestamp_ms)).toBe(true);
        expect(event.normalized_uncached_input_tokens).toBeGreaterThanOrEqual(0);
        expect(prepareForInsert(event).event).toEqual(event);
        JSON.parse(exportLine(event));
        JSON.stringify(usageDetail(event));
      }),
      { numRuns: propertyRuns(1000) },
    );
  });

  test('for any imported value', () => {
    fc.assert(
      fc.property(fc.oneof(item, leaf), (value) => {
        detectImportFormat(value);
        readImportedRecord(value, context);
        readImportedRecord(isJsonObject(value) ? { ...value, event_hash: 'h' } : value, context);
        if (isJsonObject(value)) accountSnapshots([readListedAccount(value)], 1);
        if (isJsonObject(value)) readLegacySnapshot({ a: { models: { m: { details: [value] } }, b: value } }, context);
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});

function shuffled(value: unknown, random: () => number): unknown {
  if (Array.isArray(value)) return value.map((element) => shuffled(element, random));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, shuffled(member, random)] as const);
  return Object.fromEntries(entries.toSorted(() => random() - 0.5));
}

test('an event does not depend on the order of its members', () => {
  fc.assert(
    fc.property(item, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (value, numbers) => {
      const read = (object: unknown) => {
        const outcome = readRecord(JSON.stringify(object), context);
        return outcome.kind === 'event' ? [outcome.event.event_hash, outcome.event.raw_json] : outcome.kind;
      };
      const random = () => numbers.next().value ?? 0;
      expect(read(shuffled(value, random))).toEqual(read(value));
    }),
    { numRuns: propertyRuns(300) },
  );
});

test('reading an export gives the exported event', () => {
  fc.assert(
    fc.property(item, (value) => {
      const outcome = readRecord(JSON.stringify(value), context);
      if (outcome.kind !== 'event') return;
      const line = exportLine(outcome.event);
      const again = readImportedRecord(JSON.parse(line), context);
      if (again.kind !== 'event') throw new Error(again.error);
      expect(exportLine(again.event)).toBe(line);
    }),
    { numRuns: propertyRuns(500) },
  );
});

const secretBody = fc.string({
  unit: fc.constantFrom(...'abcdefghijkmnopqrstuvwxyzABCDEFGHIJKLMNPQRST0123456789'),
  minLength: 24,
  maxLength: 60,
});
const prefix = fc.constantFrom('sk-', 'sk-proj-', 'sk-ant-', 'sess-', 'AIza');
const filler = fc.constantFrom('', 'error: ', '{"message":"', 'line\n', 'https://example.org/?x=', '\\"', '😀 ');

describe('no secret is kept', () => {
  test('a key in any failure text or member that names one', () => {
    fc.assert(
      fc.property(prefix, secretBody, filler, filler, (start, body, before, after) => {
        const key = start + body;
        const event = eventOf({
          api_key: key,
          'X-Api-Key': key,
          note: `${before}${key}`,
          source: key,
          failed: true,
          fail: { status_code: 401, body: `${before}${key} ${after}` },
          response_headers: { 'X-Openai-Ide-Error-Code': [`${before}${key}`], 'Set-Cookie': [`sid=${body}`] },
        });
        for (const text of [event.fail_summary, event.raw_json, event.response_metadata_json, event.source]) {
          expect(text).not.toContain(body);
        }
      }),
    );
  });

  test('bearer values, tokens and cookies in every spelling', () => {
    const writings = [
      (secret: string) => `Authorization: Bearer ${secret}`,
      (secret: string) => `authorization=${secret}; next`,
      (secret: string) => `{"Authorization":"Basic ${secret}"}`,
      (secret: string) => `{"headers":{"authorization":["Bearer ${secret}"]}}`,
      (secret: string) => `use bearer ${secret} now`,
      (secret: string) => `access_token=${secret}&x=1`,
      (secret: string) => `{"refresh_token": "${secret}"}`,
      (secret: string) => JSON.stringify(JSON.stringify({ id_token: secret, cookie: secret })),
      (secret: string) => `x-api-key: ${secret}`,
      (secret: string) => `{"api_key":"${secret}"}`,
      (secret: string) => `Set-Cookie: sid=${secret}; Path=/`,
      (secret: string) => `{"cookie":"a=\\"${secret}\\"; b=${secret}"}`,
      (secret: string) => `{"Set-Cookie":["a=b","sid=${secret}; Path=/, x"]}`,
      (secret: string) => `cookie: "sid=${secret}"`,
      (secret: string) => `{"cookie":"cut off ${secret}`,
    ];
    fc.assert(
      fc.property(fc.constantFrom(...writings), secretBody, filler, (write, secret, before) => {
        const event = eventOf({ failed: true, fail: { status_code: 500, body: before + write(secret) } });
        expect(event.fail_summary).not.toContain(secret);
        expect(event.raw_json).not.toContain(secret);
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});

test('metadata of any headers is stable when it is read again', () => {
  const names = fc.constantFrom(
    'Retry-After',
    'Traceparent',
    'X-Codex-Primary-Reset-At',
    'X-Codex-Primary-Used-Percent',
    'X-Codex-Secondary-Reset-After-Seconds',
    'X-Codex-Rate-Limit-Reached-Type',
    'X-Zero-Retention',
    'Via',
  );
  const values = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.integer(),
    fc.constantFrom('primary', '100%', '60', 'true'),
  );
  fc.assert(
    fc.property(fc.dictionary(names, fc.array(values)), (headers) => {
      const metadata = buildResponseMetadata({ headers: [headers], baseMs: 1_780_000_000_000 });
      if (metadata === null) return;
      expect(buildResponseMetadata({ supplied: [metadata], headers: [], baseMs: 0 })).toEqual(metadata);
    }),
  );
});
