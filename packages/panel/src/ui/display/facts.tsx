import type { ReactNode } from 'react';

export interface Fact {
  readonly label: string;
  /** undefined = loading. */
  readonly value: ReactNode | undefined;
}

/** A panel of names and values. */
export function Facts({
  title,
  facts,
  head,
  children,
}: {
  readonly title: string;
  readonly facts: readonly Fact[];
  /** Right end of the header. */
  readonly head?: ReactNode;
  /** Below the values. */
  readonly children?: ReactNode;
}) {
  return (
    <section className="panel" aria-label={title}>
      <div className="panel-head">
        <h2>{title}</h2>
        <span className="spacer" />
        {head}
      </div>
      <div className="panel-body">
        <dl className="definitions facts">
          {facts.map(({ label, value }) => (
            <div key={label} style={{ display: 'contents' }}>
              <dt>{label}</dt>
              <dd>
                <span className="value">
                  {value === undefined ? <span className="skeleton" style={{ display: 'block', width: 120 }} /> : value}
                </span>
              </dd>
            </div>
          ))}
        </dl>
        {children}
      </div>
    </section>
  );
}
