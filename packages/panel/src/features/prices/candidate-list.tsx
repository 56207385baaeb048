import type { ModelPriceSyncResponse } from '@manager/core/contract/prices';
import { PLAIN } from '../../platform/format/mask.ts';
import { shown } from '../../platform/format/shown.ts';
import { useText } from '../../platform/i18n/index.ts';
import { reasonText } from '../../platform/wording/reason-codes.ts';
import { Button } from '../../ui/controls/button.tsx';
import { rateOf, rateText } from './price-words.ts';

export type ModelCandidates = NonNullable<ModelPriceSyncResponse['candidates']>[number];
export type Candidate = ModelCandidates['candidates'][number];

/** Possible prices from catalogs, the most likely first. */
export function CandidateList({
  of,
  disabled,
  onAccept,
  onDismiss,
}: {
  readonly of: ModelCandidates;
  readonly disabled: boolean;
  readonly onAccept: (candidate: Candidate) => void;
  readonly onDismiss: () => void;
}) {
  const { t } = useText();
  return (
    <div>
      <div className="row">
        <b className="ellipsis">{shown(of.model)}</b>
        <span className="spacer" />
        <Button kind="quiet" disabled={disabled} onClick={onDismiss}>
          {t('prices.dismiss')}
        </Button>
      </div>
      <ul className="lines">
        {of.candidates.map((candidate) => (
          <li className="row" key={`${candidate.price.source ?? ''} ${candidate.sourceModelId}`}>
            <span className="two-lines">
              <span className="ellipsis">{shown(candidate.sourceModelId)}</span>
              <span className="ellipsis second-line">
                {t('prices.candidateFacts', {
                  source: candidate.price.source ?? '',
                  score: Math.round(candidate.score * 100),
                  reason: reasonText(candidate.reason, '', t, PLAIN),
                })}
              </span>
            </span>
            <span className="spacer" />
            <span className="nowrap">
              {rateText(rateOf(candidate.price, 'prompt'))} / {rateText(rateOf(candidate.price, 'completion'))}
            </span>
            <Button
              disabled={disabled}
              aria-label={t('prices.acceptOf', { candidate: candidate.sourceModelId, model: of.model })}
              onClick={() => onAccept(candidate)}
            >
              {t('prices.accept')}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
