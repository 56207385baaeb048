import type { ReactNode } from 'react';
import { type Translate, useText } from '../../platform/i18n/index.ts';
import { type Change, changeNumber } from '../../platform/wording/changes.ts';
import { JUDGED_REQUESTS, JUDGED_SHARE, type Verdict } from '../../platform/wording/judge-change.ts';

/** Colors of a verdict; neutral has none of its own. */
export const VERDICT_TONES = { better: 'tone-ok', worse: 'tone-bad' } as const;

/** The rule of verdicts, for pages that show them. */
export const judgedFrom = (t: Translate): string =>
  t('change.rule', { count: JUDGED_REQUESTS, share: JUDGED_SHARE * 100 });

/** The word of a verdict, with its color; nothing for a neutral one. */
export function VerdictWord({ verdict }: { readonly verdict: Verdict }) {
  const { t } = useText();
  if (verdict === 'neutral') return null;
  return (
    <span className={VERDICT_TONES[verdict]} title={judgedFrom(t)}>
      {t(verdict === 'better' ? 'change.better' : 'change.worse')}
    </span>
  );
}

/** `+16.9%`; a verdict shows by color and word. */
export function ChangeText({
  change,
  verdict = 'neutral',
}: {
  readonly change: Change;
  readonly verdict?: Verdict | undefined;
}) {
  const { t } = useText();
  if (change.kind === 'none') return null;
  if (change.kind === 'new') return <span className="tag">{t('change.new')}</span>;
  return (
    <small className={`change ${verdict === 'neutral' ? 'ink-3' : VERDICT_TONES[verdict]}`}>
      {changeNumber(change)} <VerdictWord verdict={verdict} />
    </small>
  );
}

/** The third line of a tile: the change, which never wraps, then the usual text. */
export function Changed({
  change,
  verdict,
  text,
}: {
  readonly change: Change | undefined;
  readonly verdict?: Verdict | undefined;
  readonly text: ReactNode;
}) {
  if (change === undefined || change.kind === 'none') return text;
  return (
    <>
      <ChangeText change={change} verdict={verdict} />
      {text !== undefined && text !== '' && <span className="ink-3"> · {text}</span>}
    </>
  );
}
