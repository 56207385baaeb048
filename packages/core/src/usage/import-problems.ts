/**
 * Why a file or a record cannot be imported: texts of answers and of the log. They are constants, so that a panel can show them in
 * its own language. None repeats anything of the file.
 */

/** The whole file has another form. */
export const FILE_PROBLEMS = {
  gzip: 'the file is compressed with gzip: decompress it first, for example with gunzip',
  zip: 'the file is a ZIP archive or a spreadsheet: unpack it first, and import the file with the events',
  compressed: 'the file is compressed: decompress it first',
  utf16: 'the file is UTF-16 text: save it as UTF-8 first, for example with iconv -f UTF-16 -t UTF-8',
  utf32: 'the file is UTF-32 text: save it as UTF-8 first, for example with iconv -f UTF-32 -t UTF-8',
  html: 'the file is a web page (HTML or XML), probably saved in place of an export: download the export again',
  csv: 'the file is a table (CSV), which has no complete events: export events as JSON lines instead',
  sqlite: 'the file is a database: the command manager-server import-database imports those of other managers',
} as const;
export type FileProblem = keyof typeof FILE_PROBLEMS;

/** A record is no valid event, and the others are imported. */
export const RECORD_PROBLEMS = {
  not_utf8: 'not valid UTF-8',
  not_json: 'not valid JSON',
  not_object: 'not a JSON object',
  no_event: 'not a usage event: no event_hash, time, model, request id or tokens',
  event_hash: 'event_hash: 1 to 256 characters without control characters expected',
  unreadable_time: 'timestamp: cannot be read',
  no_time: 'no time',
  no_models: 'no models',
} as const;
export type RecordProblem = keyof typeof RECORD_PROBLEMS;
