import { ApiError } from '../../platform/api/errors.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { answerBeside, refusalValues, triesLeft } from '../../platform/wording/connection-failure.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Marked } from '../../ui/display/marked.tsx';
import { Shape } from '../../ui/display/status.tsx';
import type { SetupFailure } from './setup-form.ts';

export interface ShownFailure extends SetupFailure {
  readonly error: unknown;
}

/** Why a step was refused, with its solution and the server's own words. */
export function FailureNote({
  failure,
  onWithout,
}: {
  readonly failure: ShownFailure;
  /** Continues without usage statistics. */
  readonly onWithout: () => void;
}) {
  const { t } = useText();
  const zone = useTimeZone();
  const refusal = failure.error instanceof ApiError && failure.error.kind === 'status' ? failure.error : null;
  const tries = refusal === null ? null : triesLeft(refusal);
  const answer = refusal === null ? '' : answerBeside(failure.text, refusal);
  return (
    <div className="note" data-tone="bad">
      <Shape tone="bad" />
      <span className="wrap">
        <Marked text={t(failure.text, refusal === null ? {} : refusalValues(refusal, zone))} />
        {tries !== null && ` ${t('setup.triesLeft', { tries })}`}
        {answer !== '' && <span className="small ink-3"> {t('signIn.answer', { text: answer })}</span>}
      </span>
      {failure.text === 'setup.failStatistics' && <Button onClick={onWithout}>{t('setup.goWithout')}</Button>}
    </div>
  );
}
