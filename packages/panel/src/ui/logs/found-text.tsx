import { Fragment } from 'react';

/** Matches of one text that are marked. */
const MAX_MARKS = 50;

/** A text with what was searched for marked, in any case. */
export function FoundText({ text, found }: { readonly text: string; readonly found: string }) {
  const lower = text.toLowerCase();
  const wanted = found.toLowerCase();
  // Some letters change their length with their case.
  if (wanted === '' || lower.length !== text.length || !lower.includes(wanted)) return text;
  const parts: { readonly start: number; readonly plain: string; readonly marked: string }[] = [];
  let from = 0;
  for (let at = lower.indexOf(wanted); at >= 0 && parts.length < MAX_MARKS; at = lower.indexOf(wanted, from)) {
    parts.push({ start: at, plain: text.slice(from, at), marked: text.slice(at, at + wanted.length) });
    from = at + wanted.length;
  }
  return (
    <>
      {parts.map(({ start, plain, marked }) => (
        <Fragment key={start}>
          {plain}
          <mark>{marked}</mark>
        </Fragment>
      ))}
      {text.slice(from)}
    </>
  );
}
