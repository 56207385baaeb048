import { isRecord } from '../browser/storage.ts';

/** A message may hold the JSON of the provider behind it, and that another. */
const DEEPEST = 3;
/** A member `message` of JSON that was cut, so that it cannot be read as a whole. */
const CUT_MESSAGE = /"message"\s*:\s*"((?:[^"\\]|\\.)*)/;

/**
 * What a failure text says to people: the message in it where it is JSON, else the text. Headers, which follow in a line of
 * their own, say nothing to them.
 *
 * @example failureMessage('{"error":{"message":"Overloaded"}}\n{"Retry-After":["2"]}') // 'Overloaded'
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
