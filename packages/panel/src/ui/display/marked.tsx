import { Fragment } from 'react';

/** Text in which `words between backticks` are names of files, settings or commands. */
export function Marked({ text }: { readonly text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text keep their order.
      <Fragment key={index}>{part}</Fragment>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text keep their order.
      <code key={index} className="mono">
        {part}
      </code>
    ),
  );
}
