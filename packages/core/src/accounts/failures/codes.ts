import { objectsWithin } from '../../json/embedded-json.ts';
import { isJsonObject, type JsonObject } from '../../json/json.ts';
import { readText } from '../../json/readers.ts';
import { trimText } from '../../json/text.ts';
import type { UsageEvent } from '../../usage/event.ts';
import type { ResponseMetadata } from '../../usage/metadata-schema.ts';
import { failureValues, jsonValues } from '../stored-texts.ts';

type CodedEvent = Pick<
  UsageEvent,
  'header_error_code' | 'header_error_kind' | 'fail_body' | 'fail_summary' | 'raw_json'
>;

/** Code and type of an error; '' = unknown. */
export interface FailureCodes {
  readonly code: string;
  readonly type: string;
}

const CODE_SPELLINGS = ['code', 'error_code', 'errorCode'];
const TYPE_SPELLINGS = ['type', 'error_type', 'errorType'];

/** A header that only asks to wait is no evidence about the login, and must not hide the body. */
const WAITING_KIND = 'rate_limit';

function codesOf(object: JsonObject): FailureCodes {
  const inner = isJsonObject(object.error) ? object.error : {};
  return {
    code: readText(inner, CODE_SPELLINGS) || readText(object, CODE_SPELLINGS),
    type: readText(inner, TYPE_SPELLINGS) || readText(object, TYPE_SPELLINGS),
  };
}

function codesOfTexts(event: CodedEvent): FailureCodes {
  const sources = [
    () => jsonValues(event.fail_body),
    () => failureValues(event.raw_json),
    () => jsonValues(event.fail_summary),
  ];
  for (const values of sources) {
    for (const value of values()) {
      for (const object of objectsWithin(value)) {
        const codes = codesOf(object);
        if (codes.code !== '' || codes.type !== '') return codes;
      }
    }
  }
  return { code: '', type: '' };
}

/**
 * Code and type of the error of a failed event: from its header columns, else from its metadata, else from the first
 * JSON in its failure texts that has either. An inner `error` object wins over the outer object.
 */
export function failureCodes(event: CodedEvent, { errors = {} }: ResponseMetadata): FailureCodes {
  const columnsCount = event.header_error_kind !== WAITING_KIND;
  const derivedCount = errors.kind !== WAITING_KIND;
  const first = (...values: readonly (string | undefined)[]): string =>
    values.map((value) => trimText(value ?? '')).find((value) => value !== '') ?? '';
  const code = first(
    columnsCount ? event.header_error_code : '',
    errors.ide_root_error_code,
    errors.ide_error_code,
    errors.authorization_error,
    derivedCount ? errors.code : '',
  );
  const type = first(columnsCount ? event.header_error_kind : '', derivedCount ? errors.kind : '');
  if (code !== '' && type !== '') return { code, type };
  const ofTexts = codesOfTexts(event);
  return { code: code || ofTexts.code, type: type || ofTexts.type };
}
