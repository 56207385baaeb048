import { useState } from 'react';
import { useText } from '../../platform/i18n/index.ts';
import { CollectorStatus } from '../../ui/collector/collector-status.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Status } from '../../ui/display/status.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Page } from '../../ui/page/page.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { CheckRow } from './check-row.tsx';
import { splitGood, verdictOf } from './doctor-checks.ts';
import { useDoctor } from './use-doctor.ts';

/** Why are there no data? Every step from the manager over the gateway to this browser, with finding and solution. */
export function DoctorPage() {
  const { t } = useText();
  const doctor = useDoctor();
  useShortcuts({ r: doctor.again });
  const [showsGood, setShowsGood] = useState(false);
  const verdict = verdictOf(doctor.groups);
  const { open, good } = splitGood(doctor.groups);
  const { first } = verdict;
  return (
    <Page
      title={t('nav.doctor')}
      narrow
      // The checks show the same in more detail.
      banners={false}
      state={<CollectorStatus />}
      refresh={{ busy: doctor.busy, onRefresh: doctor.again, label: t('doctor.again') }}
    >
      <Note tone={verdict.tone} fact={t(FACTS[verdict.tone], { count: verdict.problems || verdict.warnings })}>
        {first === null ? t(TEXTS[verdict.tone]) : t('doctor.startAt', { check: t(first.title) })}
      </Note>
      {open.map((group) => (
        <section key={group.title} className="panel" aria-label={t(group.title)}>
          <div className="panel-head">
            <h2>{t(group.title)}</h2>
          </div>
          <ul className="lines panel-line" style={{ margin: '0 12px' }}>
            {group.results.map((result) => (
              <CheckRow key={result.id} result={result} doctor={doctor} />
            ))}
          </ul>
        </section>
      ))}
      {good.length > 0 && (
        <section className="panel" aria-label={t('doctor.wordOk')}>
          <div className="panel-head">
            <Status tone="ok">{t('doctor.goodChecks', { count: good.length })}</Status>
            <span className="spacer" />
            <Button kind="quiet" aria-expanded={showsGood} onClick={() => setShowsGood(!showsGood)}>
              {t('common.details')}
            </Button>
          </div>
          {showsGood && (
            <ul className="lines panel-line" style={{ margin: '0 12px' }}>
              {good.map((result) => (
                <CheckRow key={result.id} result={result} doctor={doctor} />
              ))}
            </ul>
          )}
        </section>
      )}
    </Page>
  );
}

const FACTS = {
  ok: 'doctor.factOk',
  wait: 'doctor.factWait',
  warn: 'doctor.factWarn',
  bad: 'doctor.factBad',
} as const;

const TEXTS = {
  ok: 'doctor.textOk',
  wait: 'doctor.textWait',
  warn: 'doctor.textOk',
  bad: 'doctor.textOk',
} as const;
