import { describe, expect, test } from 'bun:test';
import { importRigs, lineOf, RESULT } from './testing.ts';

const start = importRigs();

describe('an import', () => {
  test('warns of token counts out of range, and logs where', async () => {
    const rig = start();
    const raw = (tokens: object) => JSON.stringify({ timestamp: '2026-07-01T00:00:00Z', model: 'm', tokens });
    const lines = [
      lineOf('a'),
      lineOf('b', { input_tokens: 2 ** 53 }),
      raw({ input_tokens: 12, output_tokens: -4 }),
      raw({ input_tokens: '1e30' }),
      raw({ input_tokens: '17', output_tokens: 3.7, cached_tokens: null, total_tokens: 0 }),
      lineOf('c', { output_tokens: -1 }),
    ];
    const warnings = ['unusable_token_counts:4'];
    expect(await rig.import(lines.join('\n'))).toEqual({ ...RESULT, added: 6, total: 6, warnings });
    expect(rig.stored().map((event) => event.total_tokens)).toEqual([5, 0, 12, 0, 20, 5]);
    const reason = 'a token count below 0 or above 2^53: counts as 0';
    expect(rig.log.lines).toMatchObject([
      { level: 'warn', notes: warnings, first: [2, 3, 4, 6].map((line) => `line ${line}: ${reason}`) },
    ]);
    expect(rig.faults()).toEqual([]);
  });

  test('warns of records without a time, which are other events in each import', async () => {
    const rig = start();
    const lines = [
      JSON.stringify({ request_id: 'a', model: 'm' }),
      JSON.stringify({ request_id: 'b', model: 'm', timestamp: 'last week' }),
      JSON.stringify({ request_id: 'c', model: 'm', time: 1_788_000_000 }),
      JSON.stringify({ event_hash: 'd' }),
      lineOf('e'),
    ];
    const warnings = ['records_without_time:3'];
    expect(await rig.import(lines.join('\n'))).toEqual({ ...RESULT, added: 5, total: 5, warnings });
    const reason = 'no readable time: the time of the import is used';
    expect(rig.log.lines).toMatchObject([
      { notes: warnings, first: [`line 1: ${reason}`, `line 2: ${reason}`, `line 4: ${reason}`] },
    ]);
    // With an identity even such a record is the same event again.
    expect(await rig.import(lines.join('\n'))).toMatchObject({ added: 2, skipped: 3, warnings });
  });

  test('of a snapshot with such counts has only the warnings of snapshots, the log has the rest', async () => {
    const rig = start();
    const details = [{ timestamp: 1_788_000_000_123, tokens: { input_tokens: -5 } }];
    const answer = await rig.import(JSON.stringify({ apis: { 'POST /v1/x': { models: { m: { details } } } } }));
    expect(answer.warnings).toEqual([
      'legacy_usage_metadata_is_partial',
      'legacy_usage_source_matching_may_be_approximate',
    ]);
    expect(rig.log.lines).toMatchObject([
      {
        notes: ['unusable_token_counts:1'],
        first: ['detail 1 of model 1 of endpoint 1: a token count below 0 or above 2^53: counts as 0'],
      },
    ]);
  });
});
