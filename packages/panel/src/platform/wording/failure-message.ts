import { isRecord } from '../browser/storage.ts';

/** A message may contain the provider's JSON, and that another. */
const DEEPEST = 3;
/** A member `message` of truncated JSON. */
const CUT_MESSAGE = /"message"\s*:\s*"((?:[^"\\]|\\.)*)/;

/**
 * The readable part of a failure text: its message where it is JSON, else the text. Headers, which follow on their own line, are
 * left out.
 */
export function failureMessage(text: string, depth = DEEPEST): string {
  const body = withoutHeaders(text).trim();
  if (!body.startsWith('{') || depth === 0) return body;
  const json = parsed(body);
  const message = json === undefined ? cutMessage(body) : messageIn(json);
  return message === '' ? body : failureMessage(message, depth - 1);
}

function withoutHeaders(text: string): string {
  const end = text.lastIndexOf('\n');
  return end > 0 && isRecord(parsed(text.slice(end + 1))) ? text.slice(0, end) : text;
}

function messageIn(json: unknown): string {
  if (!isRecord(json)) return '';
  const { error, message, detail } = json;
  const said = [isRecord(error) ? error.message : error, message, detail];
  return said.find((one) => typeof one === 'string' && one.trim() !== '')?.toString() ?? '';
}

function cutMessage(body: string): string {
  const inside = CUT_MESSAGE.exec(body)?.[1] ?? '';
  const message = parsed(`"${inside}"`);
  return typeof message === 'string' ? message.trim() : inside;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
