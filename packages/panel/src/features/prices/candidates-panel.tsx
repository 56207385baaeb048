import { Group } from '@mantine/core';
import { useState } from 'react';
import { useServices } from '../../platform/api/services.ts';
import { useText } from '../../platform/i18n/index.ts';
import { Button } from '../../ui/controls/button.tsx';
import { failureText } from '../../ui/feedback/states.tsx';
import type { ModelCandidates } from './candidate-list.tsx';
import type { SaveEdits } from './save-prices.ts';

/** One line over the table while there are suggestions: models with a single one can be accepted together. */
export function CandidatesPanel({
  candidates,
  save,
  onDismissAll,
}: {
  readonly candidates: readonly ModelCandidates[];
  readonly save: SaveEdits;
  readonly onDismissAll: () => void;
}) {
  const { t } = useText();
  const { client } = useServices();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const unique = candidates.flatMap(({ model, candidates: list }) => {
    const [only, ...others] = list;
    return only === undefined || others.length > 0 ? [] : [[model, only.price] as const];
  });
  const acceptUnique = async () => {
    setBusy(true);
    setFailure(null);
    const syncedAtMs = Math.floor(client.now());
    try {
      await save(new Map(unique.map(([model, price]) => [model, { ...price, syncedAtMs }])));
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  const why = failureText(failure);
  return (
    <Group
      component="section"
      p="6px 12px"
      className="panel"
      style={{ flexDirection: 'row' }}
      aria-label={t('prices.candidates')}
    >
      <span>{t('prices.waiting', { count: candidates.length })}</span>
      {failure !== null && (
        <span className="form-error" role="alert">
          {t(why.key, why.values)}
        </span>
      )}
      <span className="spacer" />
      {unique.length > 0 && (
        <Button disabled={busy} aria-busy={busy} onClick={() => void acceptUnique()}>
          {t('prices.acceptUnique', { count: unique.length })}
        </Button>
      )}
      <Button kind="quiet" disabled={busy} onClick={onDismissAll}>
        {t('prices.dismissAll')}
      </Button>
    </Group>
  );
}
