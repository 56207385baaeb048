import type { PolicyCapability, ProcessingPolicyResponse } from '@manager/core/contract/settings/processing-policy';
import { Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useText } from '../../platform/i18n/index.ts';
import { Marked } from '../../ui/display/marked.tsx';
import { Status } from '../../ui/display/status.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { UnsupportedState } from '../../ui/feedback/states.tsx';

/** Link to the settings of the queue. */
function SwitchesLink({ label }: { readonly label: string }) {
  return (
    <Link to="/settings" search={{ tab: ['automation'] }} className="link">
      {label}
    </Link>
  );
}

/** The queue is disabled, and old items remain. */
export function QueueOffNote({ queue }: { readonly queue: PolicyCapability }) {
  const { t } = useText();
  return (
    <Note
      tone="wait"
      fact={t('accountActions.off')}
      action={<SwitchesLink label={queue.locked ? t('accountActions.openSwitches') : t('accountActions.switchOn')} />}
    >
      <Marked
        text={`${t('accountActions.offText')}${queue.locked ? ` ${t('accountActions.offLocked', { name: queue.envKey })}` : ''}`}
      />
    </Note>
  );
}

/** The queue is disabled and empty. */
export function QueueOffState({ queue }: { readonly queue: PolicyCapability }) {
  const { t } = useText();
  return (
    <section className="panel" aria-label={t('accountActions.title')}>
      <UnsupportedState
        title={t('accountActions.off')}
        text={
          <Marked
            text={
              queue.locked
                ? `${t('accountActions.offEmpty')} ${t('accountActions.offLocked', { name: queue.envKey })}`
                : `${t('accountActions.offEmpty')} ${t('accountActions.offSwitch')}`
            }
          />
        }
        action={<SwitchesLink label={queue.locked ? t('accountActions.openSwitches') : t('accountActions.switchOn')} />}
      />
    </section>
  );
}

/** State of both settings below the list. */
export function SwitchStates({ policy }: { readonly policy: ProcessingPolicyResponse }) {
  const { t } = useText();
  const { authIssueQueue: queue, authIssueAutoDisable: autoDisable } = policy;
  return (
    <Group component="span" gap="4px 16px">
      <Status tone={queue.enabled ? 'okQuiet' : 'off'}>
        {queue.enabled ? t('accountActions.queueOn') : t('accountActions.queueOff')}
      </Status>
      <Status tone={autoDisable.enabled ? 'okQuiet' : 'off'}>
        {autoDisable.enabled ? t('accountActions.autoOn') : t('accountActions.autoOff')}
      </Status>
      <SwitchesLink label={t('accountActions.openSwitches')} />
    </Group>
  );
}
