import { Group, Stack, Switch } from '@mantine/core';
import { formatCount } from '../../platform/format/format.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useStatus } from '../../platform/queries/queries.ts';
import { CollectorFields } from '../../ui/collector/collector-fields.tsx';
import { CollectorStatus } from '../../ui/collector/collector-status.tsx';
import { NumberField } from '../../ui/controls/number-field.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import type { ManagerPanelProps } from './connection-panel.tsx';
import { collectorWarnings, pollingAdvice, pollRangeOf } from './settings-form.ts';

/** Settings of the collector beside its present state. */
export function CollectorPanel({ config, form, locked, onChange }: ManagerPanelProps) {
  const { t } = useText();
  const usage = config.cpaUsage;
  const range = pollRangeOf(form, usage?.redisUsageQueueRetentionSeconds);
  const status = useStatus();
  const advice = pollingAdvice(form, status.data?.collector.transport);
  const warnings = collectorWarnings(form, usage?.redisUsageQueueRetentionSeconds);
  return (
    <>
      <Group gap="0 8px" className="panel-head">
        <h2>{t('settings.collection')}</h2>
        {usage !== undefined && (
          <span className="tiny ink-3">
            {usage.usageStatisticsEnabled ? t('settings.statisticsOn') : t('settings.statisticsOff')} ·{' '}
            {t('settings.retention', { seconds: usage.redisUsageQueueRetentionSeconds })}
          </span>
        )}
        <span className="spacer" />
        <CollectorStatus />
      </Group>
      <Stack gap="lg" maw={640} pt="xs" className="panel-body">
        <Switch
          checked={form.enabled}
          disabled={locked}
          label={t('setup.monitoring')}
          description={t('setup.monitoringHint')}
          onChange={(event) => onChange({ enabled: event.currentTarget.checked })}
        />
        <NumberField
          label={t('setup.pollLabel')}
          description={t('setup.pollHint', { most: formatCount(range.most) })}
          value={form.pollIntervalMs}
          range={range}
          unit="ms"
          disabled={locked}
          onChange={(pollIntervalMs) => onChange({ pollIntervalMs })}
        />
        <CollectorFields form={form} locked={locked} onChange={onChange} />
        {warnings.map((warning) => (
          <Note key={warning} tone="warn" fact={t('settings.warning')}>
            {t(warning)}
          </Note>
        ))}
        {advice !== null && (
          <Note tone="wait" fact={t('settings.pollingFact')}>
            {t(advice)}
          </Note>
        )}
      </Stack>
    </>
  );
}
