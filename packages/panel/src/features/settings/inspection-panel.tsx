import { INSPECTION_TARGETS } from '@manager/core/contract/constants';
import type { InspectionTarget } from '@manager/core/contract/inspection/config';
import { Box, Group, Stack, Switch, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { useNow } from '../../platform/browser/clock.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useInspectionRuns } from '../../platform/queries/inspection.ts';
import { NumberField } from '../../ui/controls/number-field.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { ZoneSelect } from '../../ui/controls/zone-select.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { NextRunText } from '../../ui/inspection/next-run-text.tsx';
import { FEW_RUNS, nextRun } from '../../ui/inspection/schedule-view.ts';
import { AutomaticFields } from './automatic-fields.tsx';
import {
  INSPECTION_RANGES,
  type InspectionFieldsProps,
  type InspectionForm,
  inspectionConfigOf,
} from './inspection-form.ts';

/** When and how accounts are inspected, and the automatic actions. */
export function InspectionPanel({ form, onChange }: InspectionFieldsProps) {
  const { t } = useText();
  return (
    <>
      <div className="panel-head">
        <h2>{t('inspectionSettings.title')}</h2>
        <span className="spacer" />
        <Link to="/accounts" search={{ view: ['health'] }} className="link small">
          {t('inspectionSettings.open')}
        </Link>
      </div>
      <Stack gap="lg" maw={640} pt="xs" className="panel-body">
        <ScheduleFields form={form} onChange={onChange} />
        <ScopeFields form={form} onChange={onChange} />
        <AutomaticFields form={form} onChange={onChange} />
        <ProbeFields form={form} onChange={onChange} />
      </Stack>
    </>
  );
}

/** A cleared number keeps the previous one. */
function ScheduleFields({ form, onChange }: InspectionFieldsProps) {
  const { t } = useText();
  const runs = useInspectionRuns(FEW_RUNS);
  const now = useNow();
  const id = useId();
  return (
    <Stack component="fieldset" className="group" aria-labelledby={id}>
      <h3 id={id}>{t('inspectionSettings.schedule')}</h3>
      <Switch
        checked={form.enabled}
        label={t('inspectionSettings.enabled')}
        description={t('inspectionSettings.enabledHint')}
        onChange={(event) => onChange({ enabled: event.currentTarget.checked })}
      />
      <div className="form-row">
        <span className="medium">{t('inspectionSettings.when')}</span>
        <span>
          <Segmented<InspectionForm['mode']>
            label={t('inspectionSettings.when')}
            value={form.mode}
            options={[
              { value: 'interval', label: t('inspectionSettings.interval') },
              { value: 'time_points', label: t('inspectionSettings.timePoints') },
            ]}
            onChange={(mode) => onChange({ mode })}
          />
        </span>
      </div>
      {form.mode === 'interval' ? (
        <NumberField
          label={t('inspectionSettings.minutes')}
          description={t('inspectionSettings.minutesHint')}
          value={form.intervalMinutes}
          range={INSPECTION_RANGES.intervalMinutes}
          onChange={(intervalMinutes) => onChange({ intervalMinutes })}
        />
      ) : (
        <>
          <TextInput
            label={t('inspectionSettings.times')}
            description={t('inspectionSettings.timesHint')}
            placeholder="06:00, 18:30"
            value={form.timePoints}
            onChange={(event) => onChange({ timePoints: event.currentTarget.value })}
          />
          <ZoneSelect
            label={t('shell.timeZone')}
            value={form.timeZone}
            defaultLabel={t('inspectionSettings.serverZone')}
            onChange={(timeZone) => onChange({ timeZone })}
          />
        </>
      )}
      <div className="form-row">
        <span className="medium">{t('inspectionSettings.next')}</span>
        <span className="ink-2">
          <NextRunText
            next={nextRun(inspectionConfigOf(form), runs.data?.items, now)}
            scheduleZone={form.mode === 'time_points' && form.timeZone !== '' ? form.timeZone : undefined}
          />
        </span>
      </div>
    </Stack>
  );
}

function ScopeFields({ form, onChange }: InspectionFieldsProps) {
  const { t } = useText();
  const id = useId();
  const toggle = (target: InspectionTarget, on: boolean) =>
    onChange({ targets: INSPECTION_TARGETS.filter((name) => (name === target ? on : form.targets.includes(name))) });
  const others = INSPECTION_TARGETS.filter((name) => !form.targets.includes(name));
  return (
    <Stack component="fieldset" className="group" aria-labelledby={id}>
      <h3 id={id}>{t('inspectionSettings.scope')}</h3>
      <Group component="fieldset" gap="4px 20px" aria-label={t('inspectionSettings.targets')}>
        <Box component="span" className="medium" w="100%">
          {t('inspectionSettings.targets')}
        </Box>
        {INSPECTION_TARGETS.map((target) => (
          <label key={target} className="tick">
            <input
              type="checkbox"
              checked={form.targets.includes(target)}
              onChange={(event) => toggle(target, event.currentTarget.checked)}
            />
            {target}
          </label>
        ))}
        {others.length > 0 && form.targets.length > 0 && (
          <Box component="span" className="small ink-3" w="100%">
            {t('inspectionSettings.targetsOnly', { providers: form.targets.join(', '), others: others.join(', ') })}
          </Box>
        )}
      </Group>
      <div className="form-grid">
        <NumberField
          label={t('inspectionSettings.sample')}
          description={t('inspectionSettings.sampleHint')}
          value={form.sampleSize}
          range={INSPECTION_RANGES.sampleSize}
          onChange={(sampleSize) => onChange({ sampleSize })}
        />
        <NumberField
          label={t('inspectionSettings.threshold')}
          description={t('inspectionSettings.thresholdHint')}
          value={form.usedPercentThreshold}
          range={INSPECTION_RANGES.usedPercentThreshold}
          unit="%"
          onChange={(usedPercentThreshold) => onChange({ usedPercentThreshold })}
        />
      </div>
    </Stack>
  );
}

function ProbeFields({ form, onChange }: InspectionFieldsProps) {
  const { t } = useText();
  const id = useId();
  const number = (name: 'workers' | 'deleteWorkers' | 'timeout' | 'retries', unit?: string) => (
    <NumberField
      label={t(NUMBER_LABELS[name])}
      value={form[name]}
      range={INSPECTION_RANGES[name]}
      unit={unit}
      onChange={(value) => onChange({ [name]: value })}
    />
  );
  return (
    <Stack component="fieldset" className="group" aria-labelledby={id}>
      <h3 id={id}>{t('inspectionSettings.probes')}</h3>
      <div className="form-grid">
        {number('workers')}
        {number('deleteWorkers')}
        {number('timeout', 'ms')}
        {number('retries')}
      </div>
      <TextInput
        label={t('inspectionSettings.userAgent')}
        value={form.userAgent}
        onChange={(event) => onChange({ userAgent: event.currentTarget.value })}
      />
      <Switch
        checked={form.xaiInferenceEnabled}
        label={t('inspectionSettings.inference')}
        description={t('inspectionSettings.inferenceHint')}
        onChange={(event) => onChange({ xaiInferenceEnabled: event.currentTarget.checked })}
      />
      {form.xaiInferenceEnabled && (
        <>
          <Note tone="warn" fact={t('inspectionSettings.inferenceCost')}>
            {t('inspectionSettings.inferenceCostText')}
          </Note>
          <div className="form-grid">
            <TextInput
              label={t('filter.model')}
              value={form.xaiInferenceModel}
              onChange={(event) => onChange({ xaiInferenceModel: event.currentTarget.value })}
            />
            <TextInput
              label={t('inspectionSettings.userAgent')}
              value={form.xaiInferenceUserAgent}
              onChange={(event) => onChange({ xaiInferenceUserAgent: event.currentTarget.value })}
            />
          </div>
          <TextInput
            label={t('inspectionSettings.prompt')}
            value={form.xaiInferencePrompt}
            onChange={(event) => onChange({ xaiInferencePrompt: event.currentTarget.value })}
          />
        </>
      )}
    </Stack>
  );
}

const NUMBER_LABELS = {
  workers: 'inspectionSettings.workers',
  deleteWorkers: 'inspectionSettings.actionWorkers',
  timeout: 'inspectionSettings.timeout',
  retries: 'inspectionSettings.retries',
} as const;
