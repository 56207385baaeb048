import { describe, expect, test } from 'bun:test';
import { CONFIGURATION_ADDRESS } from './configuration-search.ts';
import {
  fieldState,
  freshDraft,
  isDirty,
  sectionCounts,
  toDraft,
  withEdit,
  withoutEdit,
  withUnfinished,
} from './draft.ts';
import { FIELDS, fieldId } from './model/fields.ts';
import { summarize } from './model/summary.ts';
import { FIELD_TEXTS, SECTION_TEXTS } from './visual/field-texts.ts';

const TEXT = 'port: 1\ndebug: "x"\n';
const summarized = summarize(TEXT);
if (!summarized.ok) throw new Error('not readable');
const { summary } = summarized;
const draft = freshDraft(TEXT);

describe('a draft', () => {
  test('is clean until a field differs from the text', () => {
    expect(isDirty(draft)).toBe(false);
    const changed = withEdit(draft, 'port', 2, summary);
    expect(isDirty(changed)).toBe(true);
    expect(toDraft(changed).edits).toEqual([{ path: ['port'], value: 2 }]);
    expect(isDirty(withEdit(changed, 'port', 1, summary))).toBe(false);
    expect(isDirty(withoutEdit(changed, 'port', summary, summary))).toBe(false);
  });

  test('marks changed and invalid fields, also by section', () => {
    const changed = withEdit(draft, 'port', undefined, summary);
    expect(fieldState(changed, 'port', summary, summary)).toEqual({
      value: { state: 'unset' },
      changed: true,
      unfinished: undefined,
    });
    expect(sectionCounts(changed, 'server', summary, summary)).toEqual({ changed: 1, invalid: 0 });
    expect(sectionCounts(changed, 'system', summary, summary)).toEqual({ changed: 0, invalid: 1 });
    const unfinished = withUnfinished(draft, 'antigravity', 'a: [');
    expect(isDirty(unfinished)).toBe(true);
    expect(sectionCounts(unfinished, 'providers', summary, summary)).toEqual({ changed: 1, invalid: 1 });
    expect(withEdit(unfinished, 'antigravity', undefined, summary).unfinished.size).toBe(0);
  });
});

test('every field and section has a label', () => {
  expect(Object.keys(FIELD_TEXTS).sort()).toEqual(FIELDS.map(fieldId).sort());
  expect(FIELDS.every(({ section }) => section in SECTION_TEXTS)).toBe(true);
});

test('the address keeps mode, section and search, and what belongs to others', () => {
  const { read, write } = CONFIGURATION_ADDRESS;
  expect(read({ mode: ['source'], section: ['routing'], q: [' port '] })).toEqual({
    mode: 'source',
    section: 'routing',
    text: 'port',
  });
  expect(write(read({ mode: ['other'], section: ['x'] }), { x: ['1'], mode: ['other'] })).toEqual({ x: ['1'] });
});
