import type { ModelPrice, PriceMap } from '@manager/core/pricing/price';
import { Group } from '@mantine/core';
import { useState } from 'react';
import { useServices } from '../../platform/api/services.ts';
import { shown } from '../../platform/format/shown.ts';
import { useText } from '../../platform/i18n/index.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../ui/dialog/dialog.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { type Candidate, CandidateList, type ModelCandidates } from './candidate-list.tsx';
import { RateChanges } from './change-list.tsx';
import { PriceEditor } from './editor/price-editor.tsx';
import { LookupSection } from './lookup-section.tsx';
import { rateChanges } from './price-changes.ts';
import { PriceDrawer } from './price-drawer.tsx';
import { type PriceState, priceOf } from './price-rows.ts';
import type { SavePrices } from './save-prices.ts';

interface PricePaneProps {
  /** '' = a new one. */
  readonly model: string;
  readonly state: PriceState | null;
  readonly prices: PriceMap;
  readonly candidates: ModelCandidates | null;
  readonly docked: boolean;
  readonly save: SavePrices;
  readonly onDirty: (dirty: boolean) => void;
  readonly onConflict: (model: string | null) => void;
  readonly onDismiss: (model: string) => void;
  /** Stored or deleted. */
  readonly onDone: () => void;
  readonly onClose: () => void;
}

interface Conflict {
  readonly current: PriceMap;
  /** null = it was to be deleted. */
  readonly mine: ModelPrice | null;
  readonly model: string;
}

/** The price of one model, with all actions. */
export function PricePane(props: PricePaneProps) {
  const { model, prices, candidates } = props;
  const { t } = useText();
  const { client } = useServices();
  // The shown state: a later answer must not hide that somebody else changed the price.
  const [base, setBase] = useState(prices);
  const [version, setVersion] = useState(0);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const [removing, setRemoving] = useState(false);
  const [busy, setBusy] = useState(false);
  const price = priceOf(base, model);

  const store = async (name: string, mine: ModelPrice | null, from: PriceMap): Promise<boolean> => {
    const outcome = await props.save(from, new Map([[name, mine]]));
    if (outcome.kind === 'saved') {
      props.onConflict(null);
      props.onDone();
      return true;
    }
    setConflict({ current: outcome.prices, mine, model: name });
    props.onConflict(name);
    return false;
  };
  const takeTheirs = () => {
    if (conflict === null) return;
    setBase(conflict.current);
    setConflict(null);
    props.onConflict(null);
    setVersion(version + 1);
  };
  const accept = async (candidate: Candidate) => {
    setBusy(true);
    try {
      await store(model, { ...candidate.price, syncedAtMs: Math.floor(client.now()) }, base);
    } finally {
      setBusy(false);
    }
  };
  return (
    <PriceDrawer model={model} state={props.state} docked={props.docked} onClose={props.onClose}>
      <PriceEditor
        key={version}
        model={model}
        price={price}
        prices={prices}
        onDirty={props.onDirty}
        onSave={(name, mine) => store(name, mine, base)}
        onRemove={() => setRemoving(true)}
        onCancel={props.onClose}
        above={
          <>
            {conflict !== null && (
              <section role="alert">
                <Note tone="bad" fact={t('prices.conflictFact')}>
                  {t('prices.conflictText')}
                </Note>
                <RateChanges
                  rates={rateChanges(priceOf(conflict.current, conflict.model), conflict.mine)}
                  tiers={false}
                />
                <Group mt="sm">
                  <Button onClick={takeTheirs}>{t('prices.takeTheirs')}</Button>
                  <Button onClick={() => void store(conflict.model, conflict.mine, conflict.current)}>
                    {t('prices.saveMine')}
                  </Button>
                </Group>
              </section>
            )}
            {candidates !== null && (
              <section>
                <h2>{t('prices.candidates')}</h2>
                <CandidateList
                  of={candidates}
                  disabled={busy}
                  onAccept={(candidate) => void accept(candidate)}
                  onDismiss={() => props.onDismiss(model)}
                />
              </section>
            )}
          </>
        }
        below={model !== '' && <LookupSection model={model} prices={prices} />}
      />
      <ConfirmDialog
        opened={removing}
        onClose={() => setRemoving(false)}
        title={t('prices.removeTitle')}
        confirmLabel={t('prices.remove')}
        danger
        onConfirm={async () => {
          await store(model, null, base);
        }}
      >
        {t('prices.removeText', { model: shown(model) })}
      </ConfirmDialog>
    </PriceDrawer>
  );
}
