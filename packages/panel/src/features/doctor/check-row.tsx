import { Link } from '@tanstack/react-router';
import { formatCount } from '../../platform/format/format.ts';
import { shown } from '../../platform/format/shown.ts';
import { shortTime } from '../../platform/format/time.ts';
import { type TextKey, type TextValues, useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Marked } from '../../ui/display/marked.tsx';
import { Status } from '../../ui/display/status.tsx';
import { failureText, technicalLine, useSpan } from '../../ui/feedback/states.tsx';
import type { CheckResult } from './doctor-checks.ts';
import type { CheckTone, DoctorAction, Finding } from './doctor-facts.ts';
import type { Doctor } from './use-doctor.ts';

const WORDS = {
  ok: 'doctor.wordOk',
  warn: 'doctor.wordWarn',
  bad: 'doctor.wordBad',
  wait: 'doctor.wordWait',
  unknown: 'doctor.wordUnknown',
  off: 'doctor.wordOff',
} as const satisfies Record<CheckTone, TextKey>;

/** State, finding, and solution. */
export function CheckRow({ result, doctor }: { readonly result: CheckResult; readonly doctor: Doctor }) {
  const { t } = useText();
  const masker = useMasker();
  const zone = useTimeZone();
  const { finding } = result;
  const values = useValues(finding);
  const { error, fix, detail = '', action } = finding;
  const failure = failureText(error);
  return (
    <li className="check" data-check={result.id} data-tone={finding.tone}>
      <span className="check-state">
        <Status tone={finding.tone}>{t(WORDS[finding.tone])}</Status>
      </span>
      <div className="check-text">
        <h3>{t(result.title)}</h3>
        <p>
          <Marked text={t(finding.text, values)} />
          {error !== undefined && ` ${t(failure.key, failure.values)}`}
        </p>
        {fix !== undefined && (
          <p className="ink-2">
            <Marked text={t(fix, values)} />
          </p>
        )}
        {detail !== '' && <p className="mono ink-3">{shown(masker.text(detail))}</p>}
        {error !== undefined && <p className="mono ink-3">{shown(masker.text(technicalLine(error, zone)))}</p>}
        {action?.kind === 'statistics' && doctor.enableError !== null && <EnableError error={doctor.enableError} />}
      </div>
      {action !== undefined && (
        <span className="check-action">
          <Action action={action} doctor={doctor} />
        </span>
      )}
    </li>
  );
}

/** The finding as one sentence. */
export function FindingText({ finding }: { readonly finding: Finding }) {
  const { t } = useText();
  return <Marked text={t(finding.text, useValues(finding))} />;
}

function EnableError({ error }: { readonly error: unknown }) {
  const { t } = useText();
  const failure = failureText(error);
  return (
    <p className="form-error" role="alert">
      {t('doctor.enableFailed')} {t(failure.key, failure.values)}
    </p>
  );
}

function Action({ action, doctor }: { readonly action: DoctorAction; readonly doctor: Doctor }) {
  const { t } = useText();
  switch (action.kind) {
    case 'link':
      return (
        <Link to={action.to} search={{ ...action.search }} className="link">
          {t(action.label)}
        </Link>
      );
    case 'statistics':
      return (
        <Button disabled={doctor.enabling} aria-busy={doctor.enabling} onClick={doctor.enableStatistics}>
          {t('doctor.enable')}
        </Button>
      );
    case 'reload':
      return <Button onClick={() => window.location.reload()}>{t('note.reload')}</Button>;
  }
}

/** Values of a finding as its texts show them. */
function useValues(finding: Finding): TextValues {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const span = useSpan();
  const { words = {}, names = {}, counts = {}, times = {}, spans = {} } = finding;
  const of = <V,>(values: Readonly<Record<string, V>>, text: (value: V) => string) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, text(value)]));
  return {
    ...words,
    ...of(names, (name: TextKey) => t(name)),
    ...of(counts, formatCount),
    ...of(times, (ms) => shortTime(ms, Date.now(), zone, locale)),
    ...of(spans, span),
  };
}
