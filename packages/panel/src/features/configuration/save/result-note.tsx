import { useState } from 'react';
import { useText } from '../../../platform/i18n/index.ts';
import { useTimeZone } from '../../../platform/preferences/preferences.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Note } from '../../../ui/feedback/note.tsx';
import { failureText, technicalLine } from '../../../ui/feedback/states.tsx';
import { DifferenceView } from '../difference-view.tsx';
import type { Difference } from '../model/review.ts';
import { problemText } from '../problem-text.ts';
import type { SaveResult } from './use-save.ts';

const NO_SECRETS: readonly string[] = [];

/** What came of a save: what is known, and what is not. */
export function ResultNote({
  result,
  secrets = NO_SECRETS,
  onDismiss,
  onReadAgain,
}: {
  readonly result: SaveResult;
  readonly secrets?: readonly string[];
  readonly onDismiss: () => void;
  readonly onReadAgain: () => void;
}) {
  const { t } = useText();
  const zone = useTimeZone();
  const again = <Button onClick={onReadAgain}>{t('config.readAgain')}</Button>;
  switch (result.kind) {
    case 'saved':
      return (
        <>
          <Note tone="ok" fact={t('config.saved')} onDismiss={onDismiss}>
            {t('config.savedText')}
          </Note>
          {result.adjusted !== null && <Adjusted difference={result.adjusted} secrets={secrets} />}
        </>
      );
    case 'unchanged':
      return <Note tone="ok" fact={t('config.nothing')} onDismiss={onDismiss} />;
    case 'unread':
      return (
        <Note tone="warn" fact={t('config.unread')} action={again}>
          {t('config.unreadText')}
        </Note>
      );
    case 'different':
      return (
        <>
          <Note tone="warn" fact={t('config.different')} onDismiss={onDismiss}>
            {t('config.differentText')}
          </Note>
          <section className="panel">
            <div className="panel-body">
              <DifferenceView difference={result.difference} secrets={secrets} />
            </div>
          </section>
        </>
      );
    case 'refused': {
      const { message } = result.error.about;
      return (
        <Note tone="bad" fact={t('config.refused')} onDismiss={onDismiss}>
          {[result.error.message, typeof message === 'string' ? message : ''].filter(Boolean).join(': ')}
        </Note>
      );
    }
    case 'not-saved':
      return (
        <Note tone="bad" fact={t('config.notSaved')} onDismiss={onDismiss}>
          {t('config.notSavedText')}
        </Note>
      );
    case 'unknown':
      return (
        <Note tone="bad" fact={t('config.unknown')} action={again}>
          {t('config.unknownText')}
        </Note>
      );
    case 'shared':
      return (
        <Note tone="bad" fact={t('config.sharedTitle')} onDismiss={onDismiss}>
          {t('config.sharedText')}
        </Note>
      );
    case 'unreadable':
      return (
        <Note tone="bad" fact={t('config.broken')} onDismiss={onDismiss}>
          {result.problems
            .slice(0, 3)
            .map((problem) => problemText(t, problem))
            .join(' ')}
        </Note>
      );
    case 'failed': {
      const failure = failureText(result.error);
      return (
        <Note tone="bad" fact={t('config.readFailed')} onDismiss={onDismiss}>
          {t(failure.key, failure.values)} <span className="ink-3">{technicalLine(result.error, zone)}</span>
        </Note>
      );
    }
  }
}

function Adjusted({ difference, secrets }: { readonly difference: Difference; readonly secrets: readonly string[] }) {
  const { t } = useText();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Note
        tone="wait"
        fact={t('config.adjusted')}
        action={
          <Button aria-expanded={open} onClick={() => setOpen(!open)}>
            {t(open ? 'config.hide' : 'config.show')}
          </Button>
        }
      />
      {open && (
        <section className="panel">
          <div className="panel-body">
            <DifferenceView difference={difference} secrets={secrets} />
          </div>
        </section>
      )}
    </>
  );
}
