import { evaluateXaiInference } from '@manager/core/accounts/inspection/xai/probes';
import { xaiInferenceRequest } from '@manager/core/accounts/inspection/xai/requests';
import { DEFAULT_INSPECTION_CONFIG } from '@manager/core/contract/constants';
import { Box } from '@mantine/core';
import { useState } from 'react';
import type { Account } from '../../../platform/accounts/account.ts';
import { useServices } from '../../../platform/api/services.ts';
import { formatDuration } from '../../../platform/format/format.ts';
import { shown } from '../../../platform/format/shown.ts';
import { useText } from '../../../platform/i18n/index.ts';
import type { CellContext } from '../../../ui/accounts/account-text.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Status } from '../../../ui/display/status.tsx';
import { askThrough } from '../refresh/ask.ts';

/** Providers whose models can be requested with the token of one account: the gateway itself would choose any account. */
export function canTestModels({ listed }: Account): boolean {
  return listed.provider === 'xai' && listed.authIndex !== '';
}

interface Outcome {
  readonly healthy: boolean;
  readonly text: string;
}

/** One short request to a model through the account, and its result. */
export function ModelTest({
  account,
  model,
  context,
}: {
  readonly account: Account;
  readonly model: string;
  readonly context: CellContext;
}) {
  const { t } = useText();
  const { client } = useServices();
  const [asking, setAsking] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const ask = async () => {
    setAsking(true);
    const startedMs = performance.now();
    const settings = { ...DEFAULT_INSPECTION_CONFIG, xaiInferenceModel: model };
    const answer = await askThrough(
      client,
      new AbortController().signal,
    )(xaiInferenceRequest(account.listed, settings, false));
    const check = evaluateXaiInference(answer);
    setOutcome({
      healthy: check.healthy,
      text: check.healthy
        ? `${t('modelsTab.answers')} · ${formatDuration(performance.now() - startedMs)}`
        : [check.failure.statusCode, check.failure.detail].filter(Boolean).join(' · '),
    });
    setAsking(false);
  };
  return (
    <>
      <span className="spacer" />
      <Button
        kind="quiet"
        disabled={asking}
        aria-busy={asking}
        aria-label={t('modelsTab.testOf', { model })}
        onClick={() => void ask()}
      >
        {t('modelsTab.test')}
      </Button>
      <Box component="span" flex="1 0 100%" miw={0} className="small" role="status">
        {outcome !== null && (
          <Status tone={outcome.healthy ? 'ok' : 'bad'}>{shown(context.masker.text(outcome.text), 160)}</Status>
        )}
      </Box>
    </>
  );
}
