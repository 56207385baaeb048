import { describe, expect, test } from 'bun:test';
import { createMasker, PLAIN } from '../../../platform/format/mask.ts';
import { eventJson } from '../../../platform/requests/event-view.ts';
import { testEvent } from '../../../platform/requests/testing/events.ts';
import { toCsv, toJson } from './export.ts';

const marker = 'marker@example.com';
const event = testEvent(1, {
  account_snapshot: marker,
  auth_label_snapshot: marker,
  source: marker,
  source_hash: 'a'.repeat(64),
  api_key_hash: 'b'.repeat(64),
  auth_file_snapshot: `claude-${marker}.json`,
  client_ip: '203.0.113.77',
  user_agent: 'agent/1.0',
  fail_summary: `limit of ${marker} reached`,
  response_metadata: { trace: { note: marker, list: [marker] } },
});

describe('export of rows', () => {
  test('has one line per row and a head', () => {
    const lines = toCsv([event, testEvent(2)], PLAIN)
      .trimEnd()
      .split('\r\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]?.startsWith('time,timestamp_ms,event_hash')).toBe(true);
    expect(lines[1]).toContain(marker);
  });

  test('masked, it contains no name anywhere', () => {
    const masker = createMasker();
    for (const text of [toCsv([event], masker), toJson([event], masker), eventJson(event, masker)]) {
      expect(text).not.toContain(marker);
      expect(text).not.toContain('203.0.113.77');
      expect(text).not.toContain('agent/1.0');
      expect(text).not.toMatch(/a{64}|b{64}/);
      expect(text).toContain('mar***@example.com');
    }
  });

  test('JSON is the rows as they came', () => {
    expect(JSON.parse(toJson([event], PLAIN))).toEqual([JSON.parse(JSON.stringify(event))]);
  });
});
