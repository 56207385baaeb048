import type { Coverage } from '@manager/core/contract/monitoring/sections';
import { Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { formatCount } from '../../platform/format/format.ts';
import { shown } from '../../platform/format/shown.ts';
import { dateAndTime } from '../../platform/format/time.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { type CoverageView, coverageView } from '../../platform/wording/coverage.ts';
import { Button } from '../controls/button.tsx';
import { Note } from './note.tsx';

/**
 * Reports that a range, or its comparison range, reaches into history whose rows were archived and deleted. Belongs on the page
 * whose answer carries `coverage`.
 */
export function CoverageNote({ coverage }: { readonly coverage: Coverage | undefined }) {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const [open, setOpen] = useState(false);
  if (coverage === undefined) return null;
  const view = coverageView(coverage);
  const { untilMs, current, compared } = view;
  if (current === null && compared === null) return null;
  const fact =
    untilMs === null
      ? t('coverage.factCompared')
      : t('coverage.fact', { time: dateAndTime(untilMs, zone, locale, true) });
  const counts = (part: NonNullable<typeof current>) => ({
    deleted: formatCount(part.deleted),
    all: formatCount(part.all),
  });
  return (
    <Note
      tone="wait"
      fact={fact}
      action={
        <>
          <Button kind="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
            {t('common.details')}
          </Button>
          <Link to="/usage-maintenance" search={{ tab: ['runs'] }} className="link">
            {t('coverage.openArchives')}
          </Link>
        </>
      }
    >
      {current !== null && t('coverage.current', counts(current))}{' '}
      {compared !== null && t('coverage.compared', counts(compared))} {t('coverage.exactText')}
      {open && <Parts view={view} />}
    </Note>
  );
}

function Parts({ view }: { readonly view: CoverageView }) {
  const { t, language } = useText();
  const list = (parts: readonly string[]) => new Intl.ListFormat(language, { type: 'conjunction' }).format(parts);
  const words = (keys: CoverageView['exact']) => list(keys.map((key) => t(key)));
  return (
    <Stack component="span" gap={2} mt="xs" className="ink-2">
      <span>
        {t(view.nothingLeft ? 'coverage.nothingLeft' : 'coverage.lacks', { parts: t('coverage.eventDetails') })}
      </span>
      {view.exact.length > 0 && <span>{t('coverage.fromFacts', { parts: words(view.exact) })}</span>}
      {view.unknown.length > 0 && (
        <span>
          {t('coverage.others')} <span className="mono">{shown(view.unknown.join(', '))}</span>
        </span>
      )}
    </Stack>
  );
}
