import { useState } from 'react';
import { useServices } from '../../../platform/api/services.ts';
import { maskKey } from '../../../platform/format/mask-key.ts';
import { modelsOf } from '../../../platform/gateway/providers/entry.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog/dialog.tsx';
import { Drawer } from '../../../ui/dialog/drawer.tsx';
import { Status } from '../../../ui/display/status.tsx';
import { onlyHere, type ProviderRow } from '../model/rows.ts';
import { askProvider } from '../probe/ask-provider.ts';
import { ModelField } from '../probe/model-field.tsx';
import { TestResult } from '../probe/test-result.tsx';
import { rowTitle } from '../provider-columns.tsx';
import { type Checked, checkAll, type Disable, hasFailed } from './bulk-check.ts';

/** Tests several entries, each with a model, and disables those that fail once confirmed. */
export function CheckDrawer({
  rows,
  all,
  docked,
  disable,
  onClose,
}: {
  readonly rows: readonly ProviderRow[];
  readonly all: readonly ProviderRow[];
  readonly docked: boolean;
  readonly disable: Disable;
  readonly onClose: () => void;
}) {
  const { t } = useText();
  const { client } = useServices();
  const [models, setModels] = useState<ReadonlyMap<string, string>>(new Map());
  const [checked, setChecked] = useState<ReadonlyMap<string, Checked>>(new Map());
  const [ended, setEnded] = useState<ReadonlyMap<string, string>>(new Map());
  const [running, setRunning] = useState(false);
  const [asking, setAsking] = useState(false);
  const modelOf = (row: ProviderRow) => (models.get(row.id) ?? modelsOf(row.entry)[0]?.name ?? '').trim();
  const ready = rows.filter((row) => modelOf(row) !== '');
  const failing = rows.filter((row) => row.enabled && hasFailed(checked.get(row.id)) && ended.get(row.id) !== '');
  const lost = [...new Set(failing.flatMap((row) => onlyHere(row, all)))];

  const start = async () => {
    setRunning(true);
    setChecked(new Map());
    setEnded(new Map());
    await checkAll(
      ready,
      modelOf,
      (call) => askProvider(client, call),
      (id, answers) => setChecked((before) => new Map([...before, [id, answers]])),
    );
    setRunning(false);
  };
  /** One after the other: the gateway reloads at each. */
  const disableAll = async () => {
    for (const row of failing) {
      const problem = await disable(row);
      setEnded((before) => new Map([...before, [row.id, problem ?? '']]));
    }
  };
  return (
    <Drawer
      label={t('providers.check')}
      docked={docked}
      onClose={onClose}
      head={<b>{t('providers.check')}</b>}
      foot={
        <>
          <Button
            {...(checked.size === 0 ? { kind: 'primary' as const } : {})}
            disabled={running || ready.length === 0}
            aria-busy={running}
            onClick={() => void start()}
          >
            {t('providers.checkStart', { count: ready.length })}
          </Button>
          {!running && failing.length > 0 && (
            <Button kind="danger" onClick={() => setAsking(true)}>
              {t('providers.disableFailing', { count: failing.length })}
            </Button>
          )}
        </>
      }
    >
      <section>
        <p className="ink-2">{t('providers.checkText')}</p>
      </section>
      {rows.map((row) => {
        const answers = checked.get(row.id) ?? [];
        const end = ended.get(row.id);
        return (
          <section key={row.id} className="form-fields">
            <h2 className="ellipsis">
              {rowTitle(row)} <span className="small ink-3">{row.kind.name}</span>
            </h2>
            <ModelField
              kind={row.kind}
              entry={row.entry}
              value={models.get(row.id) ?? modelsOf(row.entry)[0]?.name ?? ''}
              disabled={running}
              onChange={(model) => setModels(new Map([...models, [row.id, model]]))}
            />
            {answers.map(
              (answer, at) =>
                answer !== undefined && (
                  // biome-ignore lint/suspicious/noArrayIndexKey: identified by position.
                  <div key={at}>
                    {row.keys.length > 1 && <span className="mono small">{maskKey(row.keys[at]?.key ?? '')}</span>}
                    <TestResult answer={answer} />
                  </div>
                ),
            )}
            {end !== undefined && (
              <Status tone={end === '' ? 'off' : 'bad'}>{end === '' ? t('providers.nowOff') : end}</Status>
            )}
          </section>
        );
      })}
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('providers.disableFailing', { count: failing.length })}
        confirmLabel={t('providers.disableFailing', { count: failing.length })}
        onConfirm={disableAll}
      >
        <p>{t('providers.disableText')}</p>
        <ul>
          {failing.map((row) => (
            <li key={row.id}>
              {rowTitle(row)} · {row.kind.name}
            </li>
          ))}
        </ul>
        {lost.length > 0 && <p>{t('providers.lostModels', { models: lost.slice(0, 12).join(', ') })}</p>}
      </ConfirmDialog>
    </Drawer>
  );
}
