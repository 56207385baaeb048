import { Modal, NumberInput, Switch } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { ApiError } from '../../api/errors.ts';
import { useConfig } from '../../api/queries.ts';
import { CollectorLive, MaskingButton, TimeZoneMenu } from '../../app/header-parts.tsx';
import { Page } from '../../app/page.tsx';
import { useServices } from '../../app/services.ts';
import type { UrlSearch } from '../../app/url-search.ts';
import { useText } from '../../i18n/index.ts';
import { Button } from '../../ui/button.tsx';
import { KeyField } from '../../ui/key-field.tsx';
import { Marked } from '../../ui/marked.tsx';
import { Note } from '../../ui/note.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { CollectorFields } from '../setup/setup-steps.tsx';
import { AppearancePanel } from './appearance-panel.tsx';
import { AutomationPanel } from './automation-panel.tsx';
import {
  collectorWarnings,
  connectionChanges,
  formOf,
  isDirty,
  type SettingsForm,
  saveFailure,
  toConfigRequest,
} from './settings-form.ts';

export function SettingsPage() {
  const { t } = useText();
  const url: UrlSearch = useSearch({ strict: false });
  const config = useConfig();
  return (
    <Page
      title={t('nav.settings')}
      narrow
      state={<CollectorLive />}
      actions={
        <>
          <TimeZoneMenu />
          <MaskingButton />
        </>
      }
    >
      {url.upstream?.[0] === 'failed' && (
        <Note tone="bad" fact={t('settings.upstreamFact')}>
          {t('settings.upstreamText')}
        </Note>
      )}
      <ManagerSettings key={config.data === undefined ? 'loading' : 'loaded'} config={config} />
      <AutomationPanel shown={url.tab?.[0] === 'automation' && !config.isPending} />
      <AppearancePanel />
    </Page>
  );
}

function ManagerSettings({ config }: { readonly config: ReturnType<typeof useConfig> }) {
  const { t } = useText();
  const { manager } = useServices();
  const queries = useQueryClient();
  const id = useId();
  const formElement = useRef<HTMLFormElement>(null);
  const [saved, setSaved] = useState<SettingsForm | null>(() =>
    config.data === undefined ? null : formOf(config.data),
  );
  const [form, setForm] = useState(saved);
  const [confirming, setConfirming] = useState(false);
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      formElement.current?.requestSubmit();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

  if (form === null || saved === null || config.data === undefined) {
    return (
      <section className="panel" aria-busy="true">
        <div className="panel-head">
          <h2>{t('settings.connection')}</h2>
        </div>
        {config.error === null ? (
          <div className="panel-body">
            {[240, 320, 200].map((width) => (
              <div key={width} className="skeleton" style={{ width, margin: '8px 0 16px' }} />
            ))}
          </div>
        ) : (
          <ErrorState title={t('settings.loadFailed')} error={config.error} onRetry={() => void config.refetch()} />
        )}
      </section>
    );
  }

  const locked = config.data.source === 'env';
  const dirty = isDirty(form, saved);
  const warnings = collectorWarnings(form, config.data.cpaUsage?.redisUsageQueueRetentionSeconds);
  const edit = (change: Partial<SettingsForm>) => {
    setForm({ ...form, ...change });
    setDone(false);
  };
  const save = async () => {
    setConfirming(false);
    setBusy(true);
    setFailure(null);
    try {
      const current = await manager.config();
      const answer = await manager.saveConfig(toConfigRequest(form, saved, current));
      // The server may have changed values; the form shows what is stored.
      const stored = formOf(answer);
      setSaved(stored);
      setForm(stored);
      setDone(true);
      await queries.invalidateQueries();
    } catch (error) {
      setFailure(error);
      if (error instanceof ApiError && error.code === 'connection_env_managed') await config.refetch();
    } finally {
      setBusy(false);
    }
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (busy || !dirty) return;
    if (connectionChanges(form, saved)) setConfirming(true);
    else void save();
  };
  const usage = config.data.cpaUsage;
  const answer = failure instanceof ApiError && failure.kind === 'status' ? failure.message : '';
  const progress = done ? t('settings.saved') : dirty ? t('settings.unsaved') : '';
  const message = failure === null ? progress : `${t(saveFailure(failure))} ${answer}`;
  return (
    <form ref={formElement} onSubmit={onSubmit} className="settings-form">
      {locked && (
        <Note tone="wait" fact={t('settings.lockedFact')}>
          {t('settings.lockedText')}
        </Note>
      )}
      <section className="panel">
        <div className="panel-head">
          <h2>{t('settings.connection')}</h2>
          <span className="tiny ink-3">
            {config.data.source === 'env'
              ? t('settings.sourceEnv')
              : config.data.source === 'db'
                ? t('settings.sourceDb')
                : t('settings.sourceNone')}
          </span>
        </div>
        <div className="panel-body settings-fields">
          <div className="form-row">
            <label className="form-label" htmlFor={`${id}-url`}>
              {t('setup.url')}
            </label>
            <div className="field large">
              <input
                id={`${id}-url`}
                className="mono"
                inputMode="url"
                autoComplete="off"
                spellCheck={false}
                disabled={locked}
                value={form.url}
                onChange={(event) => edit({ url: event.currentTarget.value })}
              />
            </div>
          </div>
          <div className="form-row">
            <label className="form-label" htmlFor={`${id}-key`}>
              {t('setup.managementKey')}
            </label>
            <KeyField
              id={`${id}-key`}
              value={form.managementKey}
              disabled={locked}
              autoComplete="off"
              placeholder={
                config.data.config.cpaConnection.managementKeyConfigured ? t('settings.keyKept') : t('settings.keyNone')
              }
              describedBy={`${id}-key-hint`}
              onChange={(managementKey) => edit({ managementKey })}
            />
            <span className="form-hint" id={`${id}-key-hint`}>
              {t('settings.keyHint')}
            </span>
          </div>
        </div>
      </section>
      <section className="panel">
        <div className="panel-head">
          <h2>{t('settings.collection')}</h2>
          {usage !== undefined && (
            <span className="tiny ink-3">
              {usage.usageStatisticsEnabled ? t('settings.statisticsOn') : t('settings.statisticsOff')} ·{' '}
              {t('settings.retention', { seconds: usage.redisUsageQueueRetentionSeconds })}
            </span>
          )}
        </div>
        <div className="panel-body settings-fields">
          <Switch
            checked={form.enabled}
            disabled={locked}
            label={t('setup.monitoring')}
            description={t('setup.monitoringHint')}
            onChange={(event) => edit({ enabled: event.currentTarget.checked })}
          />
          <NumberInput
            label={t('setup.pollLabel')}
            description={t('setup.pollHint')}
            inputWrapperOrder={['label', 'input', 'description']}
            value={form.pollIntervalMs}
            min={1}
            allowDecimal={false}
            suffix=" ms"
            hideControls
            disabled={locked}
            onChange={(value) => edit({ pollIntervalMs: typeof value === 'number' ? value : form.pollIntervalMs })}
          />
          <CollectorFields form={form} locked={locked} onChange={edit} />
          {warnings.map((warning) => (
            <Note key={warning} tone="warn" fact={t('settings.warning')}>
              {t(warning)}
            </Note>
          ))}
        </div>
        <div className="settings-foot">
          <span role="status" className={failure === null ? 'small ink-3' : 'form-error'}>
            <Marked text={message} />
          </span>
          <span className="spacer" />
          <Button large disabled={!dirty || busy} onClick={() => setForm(saved)}>
            {t('settings.discard')}
          </Button>
          <Button large kind="primary" type="submit" disabled={!dirty || busy} aria-busy={busy}>
            {busy ? t('settings.saving') : t('settings.save')}
          </Button>
        </div>
      </section>
      <Modal
        opened={confirming}
        onClose={() => setConfirming(false)}
        title={t('settings.confirmTitle')}
        size={480}
        closeButtonProps={{ 'aria-label': t('common.close') }}
        transitionProps={{ duration: 160 }}
      >
        <p className="ink-2">{t('settings.confirmText')}</p>
        <div className="row" style={{ marginTop: 20, justifyContent: 'flex-end' }}>
          <Button large data-autofocus onClick={() => setConfirming(false)}>
            {t('common.cancel')}
          </Button>
          <Button large kind="primary" onClick={() => void save()}>
            {t('settings.confirm')}
          </Button>
        </div>
      </Modal>
    </form>
  );
}
