import type { ReactNode } from 'react';

/** Names and values inside a `dl`. */
export function FactLines({ facts }: { readonly facts: readonly (readonly [label: string, value: ReactNode])[] }) {
  return facts.map(([label, value]) => (
    <div key={label} style={{ display: 'contents' }}>
      <dt>{label}</dt>
      <dd>
        <span className="value">{value}</span>
      </dd>
    </div>
  ));
}
