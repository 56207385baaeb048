import { describe, expect, test } from 'bun:test';
import { exportFileName, rowsToCsv, rowsToJson } from './export.ts';

interface Row {
  readonly model: string;
  readonly cost: number | null;
}
const columns = [
  { name: 'model', value: (row: Row) => row.model },
  { name: 'cost', value: (row: Row) => row.cost },
];

describe('files of a table', () => {
  test('CSV has a head and a line for each row, numbers unformatted', () => {
    const rows = [
      { model: 'a,b', cost: 1234.5 },
      { model: '=x', cost: null },
    ];
    expect(rowsToCsv(columns, rows)).toBe(`model,cost\r\n"a,b",1234.5\r\n'=x,\r\n`);
  });

  test('JSON holds the same values by name', () => {
    expect(JSON.parse(rowsToJson(columns, [{ model: '=x', cost: null }]))).toEqual([{ model: '=x', cost: null }]);
  });

  test('the name of a file carries its time', () => {
    expect(exportFileName('models', Date.UTC(2025, 7, 27, 14, 32, 6))).toBe('models-20250827T143206Z');
  });
});
