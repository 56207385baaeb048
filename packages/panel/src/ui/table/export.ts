import { csvField } from '@manager/core/csv/csv-field';

/** A value in a file: numbers unformatted, instants as ISO 8601 with the zone's offset. */
export type ExportValue = string | number | boolean | null;

export interface ExportColumn<R> {
  /** Name in the file. */
  readonly name: string;
  /** As shown: masked while masking is on. */
  readonly value: (row: R) => ExportValue;
}

/** RFC 4180: a header, then a line for each row, CRLF. */
export function rowsToCsv<R>(columns: readonly ExportColumn<R>[], rows: readonly R[]): string {
  const lines = [columns.map((column) => csvField(column.name)).join(',')];
  for (const row of rows) lines.push(columns.map((column) => csvField(column.value(row))).join(','));
  return `${lines.join('\r\n')}\r\n`;
}

export function rowsToJson<R>(columns: readonly ExportColumn<R>[], rows: readonly R[]): string {
  const objects = rows.map((row) => Object.fromEntries(columns.map((column) => [column.name, column.value(row)])));
  return `${JSON.stringify(objects, null, 1)}\n`;
}

/** `models-20250827T143206Z`; the time is UTC, so that names sort. */
export function exportFileName(name: string, nowMs: number): string {
  return `${name}-${new Date(nowMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/** Downloads a text as a file. */
export function saveFile(name: string, type: string, ...parts: readonly BlobPart[]): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }));
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
