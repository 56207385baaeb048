import type { PolicyField } from '@manager/core/contract/settings/processing-policy';
import { Stack, Switch } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { fromQuery } from '../../platform/api/data-source.ts';
import { dateAndTime } from '../../platform/format/time.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { isPolicyLocked, useChangePolicy, useProcessingPolicy } from '../../platform/queries/processing-policy.ts';
import { ConfirmDialog } from '../../ui/dialog/dialog.tsx';
import { Marked } from '../../ui/display/marked.tsx';
import { Status } from '../../ui/display/status.tsx';
import { SourceAge, SourceView } from '../../ui/feedback/source-view.tsx';
import { failureText } from '../../ui/feedback/states.tsx';
import { isBlocked, needsConfirmation, type PolicySwitch, policySwitches } from './automation-view.ts';

/** Automatic actions of the manager on accounts. */
export function AutomationPanel() {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const policy = useProcessingPolicy();
  const change = useChangePolicy();
  const [asking, setAsking] = useState(false);
  const source = fromQuery(policy);
  const turn = (field: PolicyField, on: boolean) => {
    if (needsConfirmation(field, on)) setAsking(true);
    else change.mutate({ field, on });
  };
  const failure = failureText(change.error);
  const updatedAtMs = policy.data?.updatedAtMs;
  return (
    <section className="panel" aria-label={t('automation.title')} aria-busy={policy.isFetching}>
      <div className="panel-head">
        <h2>{t('automation.title')}</h2>
        {updatedAtMs !== undefined && (
          <span className="tiny ink-3">
            {t('automation.savedAt', { time: dateAndTime(updatedAtMs, zone, locale, true) })}
          </span>
        )}
        <SourceAge source={source} />
      </div>
      <SourceView
        source={source}
        loading={
          <div className="panel-body">
            {[240, 320, 280].map((width) => (
              <div key={width} className="skeleton" style={{ width, margin: '8px 0 16px' }} />
            ))}
          </div>
        }
        errorTitle={t('automation.loadFailed')}
        unsupported={{ title: t('automation.old'), text: t('automation.oldText') }}
      >
        {(data) => (
          <Stack gap="lg" maw={640} pt="xs" className="panel-body">
            {policySwitches(data).map((one) => (
              <PolicyRow
                key={one.field}
                one={one}
                wanted={change.isPending && change.variables.field === one.field ? change.variables.on : null}
                onTurn={(on) => turn(one.field, on)}
              />
            ))}
            <Link to="/accounts/actions" search={{}} className="link">
              {t('automation.openQueue')}
            </Link>
            {change.error !== null && (
              <p className="form-error" role="alert">
                {isPolicyLocked(change.error) ? t('automation.failLocked') : t(failure.key, failure.values)}
              </p>
            )}
          </Stack>
        )}
      </SourceView>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('automation.confirmTitle')}
        confirmLabel={t('automation.confirm')}
        onConfirm={async () => {
          // A refusal is shown below the switches.
          await change.mutateAsync({ field: 'authIssueAutoDisableEnabled', on: true }).catch(() => undefined);
        }}
      >
        <p>{t('automation.confirmText')}</p>
      </ConfirmDialog>
    </section>
  );
}

function PolicyRow({
  one,
  wanted,
  onTurn,
}: {
  readonly one: PolicySwitch;
  /** The change being sent; null = none. */
  readonly wanted: boolean | null;
  readonly onTurn: (on: boolean) => void;
}) {
  const { t } = useText();
  const { capability } = one;
  const blocked = isBlocked(capability);
  return (
    <div>
      <Switch
        checked={wanted ?? capability.configured}
        disabled={capability.locked}
        aria-busy={wanted !== null}
        label={t(one.label)}
        description={t(one.hint)}
        onChange={(event) => onTurn(event.currentTarget.checked)}
      />
      <Stack gap="xs" p="4px 0 0 39px" align="flex-start" className="small ink-2">
        <Status tone={blocked ? 'warn' : capability.enabled ? 'okQuiet' : 'off'}>
          {blocked ? t('automation.blocked') : capability.enabled ? t('common.on') : t('common.off')}
        </Status>
        {capability.locked && (
          <span>
            <Marked text={t('automation.locked', { environment: capability.envKey, file: capability.configFileKey })} />
          </span>
        )}
      </Stack>
    </div>
  );
}
