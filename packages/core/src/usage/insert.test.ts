import { describe, expect, test } from 'bun:test';
import { ARCHIVE_RECORD_BYTES, archiveRecordBytes } from './archive-size.ts';
import type { UsageEvent } from './event.ts';
import { prepareForInsert } from './insert.ts';
import { analyticsModel } from './models.ts';
import { eventOf } from './testing/context.ts';

/** The archive record by its format description. */
function archiveLine(event: UsageEvent): string {
  return JSON.stringify({
    _archive_schema_version: 1,
    _archive_event_id: Number.MAX_SAFE_INTEGER,
    ...event,
    analytics_model: analyticsModel(event),
    response_metadata: JSON.parse(event.response_metadata_json || 'null'),
    failed: event.failed ? 1 : 0,
  });
}

function expectFits(event: UsageEvent): void {
  expect(Buffer.byteLength(archiveLine(event))).toBeLessThanOrEqual(ARCHIVE_RECORD_BYTES);
}

describe('before an event is written', () => {
  test('an ordinary event stays the same object', () => {
    const event = eventOf({ model: 'm', failed: true, fail: { status_code: 500, body: 'boom' }, user_agent: 'a b' });
    expect(prepareForInsert(event)).toEqual({ event, cut: false });
    expect(prepareForInsert(event).event).toBe(event);
  });

  test('texts that were not cleaned yet are cleaned', () => {
    const event = { ...eventOf({}), user_agent: 'a\u202eb', fail_body: 'me@example.org', fail_summary: '' };
    expect(prepareForInsert(event).event).toMatchObject({ user_agent: 'a b', fail_summary: 'm***@example.org' });
  });

  test('names are cut to 1 KiB, the identity and the original item stay', () => {
    const long = {
      model: `u-${'x'.repeat(100_000)}`,
      auth_index: '€'.repeat(400),
      source: 's'.repeat(1_024),
      id: '🔑'.repeat(300),
    };
    const given = { ...eventOf({ ...long, endpoint: 'e'.repeat(5_000) }), x_forwarded_for: '9'.repeat(2_048) };
    const { event, cut } = prepareForInsert(given);
    expect(cut).toBe(true);
    expect(event.model).toBe(`u-${'x'.repeat(1_022)}...`);
    expect(event.auth_index).toBe(`${'€'.repeat(341)}...`);
    expect(event.request_id).toBe(`${'🔑'.repeat(256)}...`);
    expect([event.requested_model.length, event.resolved_model.length, event.endpoint.length]).toEqual([
      0, 1_027, 1_027,
    ]);
    for (const name of ['source', 'x_forwarded_for', 'event_hash', 'raw_json'] as const)
      expect(event[name]).toBe(given[name]);
    expect(prepareForInsert(event)).toEqual({ event, cut: false });
  });

  test('the request tier stays empty when none was sent', () => {
    const event = eventOf({ provider: 'openai', response_service_tier: 'flex' });
    expect(prepareForInsert(event).event).toMatchObject({ service_tier: 'flex', request_service_tier: '' });
  });
});

const MIB = 1024 * 1024;

describe('an event that could not be archived', () => {
  test('loses the end of its failure body first', () => {
    for (const unit of ['x', '"', 'é', '\u0001', '😀', '\n']) {
      const body = unit.repeat((11 * MIB) / unit.length);
      const event = eventOf({ model: 'm', note: 'kept', failed: true, fail: { status_code: 500, body: `a${body}b` } });
      const { event: cut, cut: wasCut } = prepareForInsert(event);
      expect(wasCut).toBe(true);
      expect(cut.fail_body).toEndWith('...(truncated)');
      expect(cut.fail_body.isWellFormed()).toBe(true);
      expect(cut.raw_json).toBe(event.raw_json);
      expect(cut.event_hash).toBe(event.event_hash);
      expectFits(cut);
      expect(archiveRecordBytes(cut)).toBeGreaterThan(ARCHIVE_RECORD_BYTES - 100);
    }
  });

  test('then loses the longest strings of the original item', () => {
    const event = eventOf({ model: 'm', short: 'kept', long: '"'.repeat(6 * MIB), list: ['y'.repeat(5 * MIB)] });
    const { event: cut, cut: wasCut } = prepareForInsert(event);
    const item = JSON.parse(cut.raw_json);
    expect(wasCut).toBe(true);
    expect(item.short).toBe('kept');
    expect(item.long).toEndWith('...(truncated)');
    expectFits(cut);
  });

  test('even when it consists of millions of members or of huge names', () => {
    const members = Object.fromEntries(Array.from({ length: 600_000 }, (_, index) => [`member_${index}`, index]));
    const huge = 'z'.repeat(11 * MIB);
    for (const item of [{ model: 'm', members }, { alias: huge, endpoint: huge }, { [huge]: 1 }]) {
      const { event, cut } = prepareForInsert(eventOf(item));
      expect(cut).toBe(true);
      expect(() => JSON.parse(event.raw_json)).not.toThrow();
      expectFits(event);
    }
  });

  test('large but archivable events are not cut', () => {
    const event = eventOf({ model: 'm', failed: true, fail: { status_code: 500, body: 'x'.repeat(9 * MIB) } });
    expect(prepareForInsert(event)).toEqual({ event, cut: false });
    expectFits(event);
  });

  test('cutting twice changes nothing', () => {
    const event = eventOf({ failed: true, fail: { status_code: 500, body: 'x'.repeat(11 * MIB) } });
    const once = prepareForInsert(event).event;
    expect(prepareForInsert(once)).toEqual({ event: once, cut: false });
  });
});
