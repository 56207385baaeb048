import type { ReactNode } from 'react';
import { formatShare, successTone } from '../../platform/format/format.ts';
import type { TextKey } from '../../platform/i18n/index.ts';

export type StatusTone = 'ok' | 'okQuiet' | 'warn' | 'bad' | 'wait' | 'unknown' | 'off';

/** A status in words. */
export interface Word {
  readonly tone: StatusTone;
  readonly label: TextKey;
}

/** The shape of a tone, for people who do not see its color. */
export function Shape({ tone }: { readonly tone: StatusTone }) {
  return (
    <svg className="shape" viewBox="0 0 12 12" aria-hidden="true" fill="none">
      {SHAPES[tone]}
    </svg>
  );
}

const ring = (dash?: string) => (
  <circle cx="6" cy="6" r="4.75" stroke="var(--mute)" strokeWidth="1.5" {...(dash ? { strokeDasharray: dash } : {})} />
);

const SHAPES: Readonly<Record<StatusTone, ReactNode>> = {
  ok: (
    <>
      <circle cx="6" cy="6" r="5.5" fill="var(--ok-fill)" />
      <path d="M3.5 6.2l1.8 1.8L8.6 4.5" stroke="var(--surface)" strokeWidth="1.5" />
    </>
  ),
  okQuiet: (
    <>
      <circle cx="6" cy="6" r="4.75" stroke="var(--line-strong)" strokeWidth="1.3" />
      <path d="M3.8 6.2l1.6 1.6L8.3 4.6" stroke="var(--ink-3)" strokeWidth="1.3" />
    </>
  ),
  warn: (
    <>
      <path d="M6 .8l5.6 10.2H.4z" fill="var(--warn-fill)" />
      <path d="M6 4.3v3M6 8.6v1.1" stroke="var(--surface)" strokeWidth="1.4" />
    </>
  ),
  bad: (
    <>
      <path d="M3.7.5h4.6l3.2 3.2v4.6l-3.2 3.2H3.7L.5 8.3V3.7z" fill="var(--bad-fill)" />
      <path d="M4 4l4 4M8 4l-4 4" stroke="var(--surface)" strokeWidth="1.4" />
    </>
  ),
  wait: (
    <>
      {ring()}
      <path d="M6 3.2V6l1.8 1.2" stroke="var(--mute)" strokeWidth="1.4" />
    </>
  ),
  unknown: ring('2 1.7'),
  off: (
    <>
      {ring()}
      <path d="M3.5 6h5" stroke="var(--mute)" strokeWidth="1.5" />
    </>
  ),
};

/** A success rate, or by `failed` the matching failure rate; colored only where it is not good. */
export function SuccessRate({ rate, failed = false }: { readonly rate: number | null; readonly failed?: boolean }) {
  const tone = successTone(rate);
  const shown = rate !== null && failed ? 1 - rate : rate;
  return <span className={tone === null ? undefined : `tone-${tone}`}>{formatShare(shown)}</span>;
}

/** Shape, text and color. At most one pill per view, in its header. */
export function Status({
  tone,
  pill = false,
  children,
}: {
  readonly tone: StatusTone;
  readonly pill?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <span className={pill ? 'status pill' : 'status'} data-tone={tone}>
      <Shape tone={tone} />
      {children}
    </span>
  );
}
