import { Group } from '@mantine/core';
import { ApiError } from '../../platform/api/errors.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { answerBeside, refusalValues, triesLeft } from '../../platform/wording/connection-failure.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Marked } from '../../ui/display/marked.tsx';
import { saveFailure } from './settings-form.ts';
import { TAB_LABELS } from './settings-search.ts';
import type { SettingsFormState } from './use-settings-form.ts';

/** One save button for all tabs of the form: unsaved tabs, result of the last attempt, and buttons. */
export function SaveFoot({ settings }: { readonly settings: SettingsFormState }) {
  const { t } = useText();
  const zone = useTimeZone();
  const { dirty, problem, ready, triesAgain, busy, done, failure } = settings;
  const refusal = failure instanceof ApiError && failure.kind === 'status' ? failure : null;
  const tries = refusal === null ? null : triesLeft(refusal);
  const left = tries === null ? '' : t('setup.triesLeft', { tries });
  const values = refusal === null ? {} : refusalValues(refusal, zone);
  const tabs = dirty.map((tab) => t(TAB_LABELS[tab])).join(', ');
  const progress = done ? t('settings.saved') : tabs === '' ? '' : t('settings.unsavedIn', { tabs });
  const isBad = failure !== null || problem !== null;
  const text = saveFailure(failure);
  const answer = refusal === null ? '' : answerBeside(text, refusal);
  const failed = [t(text, values), left, answer].filter(Boolean).join(' ');
  const message = failure !== null ? failed : problem !== null ? t(problem) : progress;
  return (
    <Group className="settings-foot panel-line" p="md">
      <span role="status" className={isBad ? 'form-error' : 'small ink-3'}>
        <Marked text={message} />
      </span>
      <span className="spacer" />
      <Button large disabled={dirty.length === 0 || busy} onClick={settings.discard}>
        {t('settings.discard')}
      </Button>
      <Button large kind="primary" type="submit" disabled={!ready} aria-busy={busy}>
        {busy ? t('settings.saving') : t(triesAgain ? 'settings.tryAgain' : 'settings.save')}
      </Button>
    </Group>
  );
}
