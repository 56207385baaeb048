import type { ReactNode } from 'react';
import { CopyButton } from '../../../ui/controls/copy.tsx';

export interface Fact {
  readonly label: string;
  /** '' and null = the line is left out. */
  readonly value: ReactNode;
  /** Copied text: masked as on screen. */
  readonly copied?: string;
  readonly mono?: boolean;
}

/** Known names and values. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="definitions">
      {facts
        .filter(({ value }) => value !== '' && value !== null && value !== undefined)
        .map(({ label, value, copied, mono }) => (
          <div key={label} style={{ display: 'contents' }}>
            <dt>{label}</dt>
            <dd>
              <span className={mono === true ? 'value mono' : 'value'}>{value}</span>
              {copied !== undefined && copied !== '' && <CopyButton text={copied} label={label} />}
            </dd>
          </div>
        ))}
    </dl>
  );
}
