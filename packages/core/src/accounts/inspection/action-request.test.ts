import { describe, expect, test } from 'bun:test';
import { AppError } from '../../contract/errors.ts';
import { readRequestedActions } from './action-request.ts';
import { type Finding, inspectionResult } from './result.ts';
import { listedOf } from './testing.ts';

const finding = { action: 'keep', actionReason: '', isQuota: false, quotaWindows: [] } as unknown as Finding;
const results = (['reauth', 'disable'] as const).map((action, index) => ({
  ...inspectionResult(1, { listed: listedOf({ auth_index: index }), owned: false }, { ...finding, action }, 1),
  id: index + 1,
}));

describe('selected results', () => {
  test('are those that exist, with their overrides', () => {
    const { selected, overrides } = readRequestedActions(
      { resultIds: [2, 1, 1, 99, -1], actionOverrides: [{ resultId: 1, action: 'delete' }] },
      results,
    );
    expect([...selected].map(({ id }) => id)).toEqual([1, 2]);
    expect([...overrides].map(([{ id }, action]) => [id, action])).toEqual([[1, 'delete']]);
  });

  for (const [title, request] of [
    ['no positive id', { resultIds: [0, -3] }],
    ['nothing that exists', { resultIds: [99] }],
    ['an override that is no deletion', { resultIds: [1], actionOverrides: [{ resultId: 1, action: 'enable' }] }],
    [
      'an override of a result that is not selected',
      { resultIds: [2], actionOverrides: [{ resultId: 1, action: 'delete' }] },
    ],
    ['an override of another suggestion', { resultIds: [2], actionOverrides: [{ resultId: 2, action: 'delete' }] }],
  ] as const) {
    test(`are refused with ${title}`, () => {
      const read = () =>
        readRequestedActions(
          {
            resultIds: [...request.resultIds],
            actionOverrides: 'actionOverrides' in request ? [...request.actionOverrides] : null,
          },
          results,
        );
      expect(read).toThrow(AppError);
    });
  }
});
