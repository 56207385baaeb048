import { INSPECTION_TARGETS } from '@manager/core/contract/constants';
import type { InspectionResponse } from '@manager/core/contract/inspection/config';
import type { InspectionRun } from '@manager/core/contract/inspection/runs';
import { Group, SimpleGrid } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { fromQuery, mapSource } from '../../platform/api/data-source.ts';
import { useNow } from '../../platform/browser/clock.ts';
import { formatDuration, formatShare } from '../../platform/format/format.ts';
import { type TextKey, type Translate, useText } from '../../platform/i18n/index.ts';
import { useConfig } from '../../platform/queries/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Status } from '../../ui/display/status.tsx';
import { SourceAge, SourceView } from '../../ui/feedback/source-view.tsx';
import { Icon } from '../../ui/icons.tsx';
import { NextRunText } from '../../ui/inspection/next-run-text.tsx';
import { AUTO_MODE_LABELS, canRecoverAll, nextRun, scheduleText } from '../../ui/inspection/schedule-view.ts';

/** Summary of the inspection settings, with a link to the form. */
export function SettingsSummary({ runs }: { readonly runs: readonly InspectionRun[] | undefined }) {
  const { t } = useText();
  const config = useConfig();
  const now = useNow();
  const [open, setOpen] = useState(false);
  const source = mapSource(fromQuery(config), (answer) => answer.config.codexInspection);
  return (
    <section className="panel" aria-label={t('inspection.settings')} aria-busy={source.busy}>
      <Group gap="4px 12px" mih={44} py={4} className="panel-head">
        <h2>{t('inspection.settings')}</h2>
        {source.data !== undefined && <span className="small ink-2 wrap">{summaryLine(source.data, t)}</span>}
        <SourceAge source={source} />
        <span className="spacer" />
        {source.data !== undefined && (
          <Button kind="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
            {t('common.details')}
            <Icon name={open ? 'chevronDown' : 'chevronRight'} />
          </Button>
        )}
        <Link to="/settings" search={{ tab: ['inspection'] }} className="link small">
          {t('inspection.changeSettings')}
        </Link>
      </Group>
      <SourceView
        source={source}
        loading={null}
        errorTitle={t('settings.loadFailed')}
        errorScope={t('error.otherPanels')}
      >
        {(inspection) => {
          if (!open) return null;
          const { autoActionMode: mode, sampleSize = 0, retries = 0 } = inspection;
          const facts: readonly (readonly [string, ReactNode])[] = [
            [t('inspectionSettings.schedule'), scheduleText(inspection, t)],
            [
              t('inspectionSettings.next'),
              <NextRunText
                key="next"
                next={nextRun(inspection, runs, now)}
                scheduleZone={inspection.schedule.timeZone}
              />,
            ],
            [t('inspectionSettings.targets'), inspection.targetTypes.join(', ')],
            [t('inspectionSettings.sample'), sampleSize === 0 ? t('inspectionSettings.sampleAll') : String(sampleSize)],
            [t('inspectionSettings.threshold'), formatShare(inspection.usedPercentThreshold / 100)],
            [
              t('inspectionSettings.atOnce'),
              t('inspectionSettings.atOnceValue', { probes: inspection.workers, actions: inspection.deleteWorkers }),
            ],
            [
              t('inspectionSettings.timeout'),
              retries === 0
                ? formatDuration(inspection.timeout)
                : t('inspectionSettings.timeoutRetries', { time: formatDuration(inspection.timeout), count: retries }),
            ],
            [
              t('inspectionSettings.automatic'),
              <Status key="mode" tone={mode === 'delete' ? 'bad' : mode === 'disable' ? 'warn' : 'off'}>
                {t(AUTO_MODE_LABELS[mode])}
              </Status>,
            ],
            [t('inspectionSettings.recover'), t(recoverWord(inspection))],
            [
              t('inspectionSettings.inference'),
              inspection.xaiInferenceEnabled === true ? (
                <Status key="inference" tone="warn">
                  {t('inspectionSettings.inferenceOn')}
                </Status>
              ) : (
                t('common.off')
              ),
            ],
          ];
          return (
            <SimpleGrid component="dl" minColWidth={176} spacing="lg" verticalSpacing="sm" p="4px 12px 12px">
              {facts.map(([label, value]) => (
                <div key={label}>
                  <dt className="small ink-3">{label}</dt>
                  <dd className="wrap">{value}</dd>
                </div>
              ))}
            </SimpleGrid>
          );
        }}
      </SourceView>
    </section>
  );
}

/** Which accounts are inspected, when, and which actions are automatic. */
function summaryLine(inspection: InspectionResponse, t: Translate): string {
  const isAll = INSPECTION_TARGETS.every((target) => inspection.targetTypes.includes(target));
  const providers = inspection.targetTypes.join(', ');
  return [
    isAll ? providers : t('inspectionSettings.lineOnly', { providers }),
    t('inspectionSettings.lineThreshold', { threshold: formatShare(inspection.usedPercentThreshold / 100) }),
    t('inspectionSettings.lineSchedule', { schedule: scheduleText(inspection, t) }),
    t('inspectionSettings.lineAutomatic', { mode: t(AUTO_MODE_LABELS[inspection.autoActionMode]) }),
    ...(inspection.xaiInferenceEnabled === true ? [t('inspectionSettings.lineInference')] : []),
  ].join(' · ');
}

function recoverWord({ autoRecoverEnabled, targetTypes, xaiInferenceEnabled }: InspectionResponse): TextKey {
  if (autoRecoverEnabled !== true) return 'common.off';
  const forAll = canRecoverAll({ targets: targetTypes, xaiInferenceEnabled: xaiInferenceEnabled === true });
  return forAll ? 'common.on' : 'inspectionSettings.recoverOnNotXai';
}
