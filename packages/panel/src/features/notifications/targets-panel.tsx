import { NOTIFICATION_EVENTS } from '@manager/core/contract/notifications/kinds';
import type { NotificationTarget } from '@manager/core/contract/notifications/targets';
import { useMemo } from 'react';
import type { DataSource } from '../../platform/api/data-source.ts';
import { shown } from '../../platform/format/shown.ts';
import { type Translate, useText } from '../../platform/i18n/index.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Status } from '../../ui/display/status.tsx';
import { TablePanel } from '../../ui/table/table-panel.tsx';
import type { TableColumn } from '../../ui/table/types.ts';
import { EVENT_LABELS, KIND_LABELS } from './notification-words.ts';

interface TargetsPanelProps {
  readonly source: DataSource<readonly NotificationTarget[]>;
  /** Id of the target that is being tested. */
  readonly testing: string | null;
  readonly onAdd: () => void;
  readonly href: (target: NotificationTarget) => string;
  readonly onOpen: (target: NotificationTarget) => void;
  readonly onTest: (target: NotificationTarget) => void;
}

/** Where messages go. */
export function TargetsPanel({ source, testing, onAdd, href, onOpen, onTest }: TargetsPanelProps) {
  const { t } = useText();
  const columns = useMemo(
    (): readonly TableColumn<NotificationTarget>[] => [
      {
        id: 'name',
        label: t('notifications.name'),
        width: null,
        minWidth: 140,
        cell: ({ name }) => shown(name),
        title: ({ name }) => name,
      },
      { id: 'kind', label: t('notifications.kind'), width: 96, cell: ({ kind }) => t(KIND_LABELS[kind]) },
      { id: 'state', label: t('notifications.state'), width: 150, cell: (row) => <TargetState target={row} /> },
      {
        id: 'events',
        label: t('notifications.events'),
        width: null,
        minWidth: 160,
        priority: 2,
        cell: (row) => eventsText(row, t),
        title: ({ events }) => events.map((event) => t(EVENT_LABELS[event])).join(', '),
      },
      {
        id: 'quiet',
        label: t('notifications.quietHours'),
        width: 120,
        priority: 1,
        cell: ({ quietHours }) => (quietHours === null ? '–' : `${quietHours.from}–${quietHours.to}`),
        title: ({ timeZone }) => timeZone || 'UTC',
      },
      {
        id: 'test',
        label: t('notifications.test'),
        width: 112,
        cell: (row) => <TestButton target={row} testing={testing} onTest={onTest} />,
      },
    ],
    [t, testing, onTest],
  );
  return (
    <TablePanel
      title={t('notifications.targets')}
      source={source}
      actions={<Button onClick={onAdd}>{t('notifications.add')}</Button>}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      rowHeight={36}
      href={href}
      onOpen={onOpen}
      narrow={(row) => ({
        main: shown(row.name),
        mainBelow: `${t(KIND_LABELS[row.kind])} · ${eventsText(row, t)}`,
        value: <TargetState target={row} />,
        action: (
          <span style={{ marginRight: 12 }}>
            <TestButton target={row} testing={testing} onTest={onTest} />
          </span>
        ),
      })}
      empty={{ title: t('notifications.none'), text: t('notifications.noneText') }}
      errorTitle={t('notifications.loadFailed')}
      expectedRows={2}
    />
  );
}

function TestButton({
  target,
  testing,
  onTest,
}: { readonly target: NotificationTarget } & Pick<TargetsPanelProps, 'testing' | 'onTest'>) {
  const { t } = useText();
  const busy = testing === target.id;
  return (
    <Button
      disabled={testing !== null}
      aria-busy={busy}
      aria-label={t('notifications.sendTestTo', { name: target.name })}
      onClick={(event) => {
        event.stopPropagation();
        onTest(target);
      }}
    >
      {t('notifications.sendTest')}
    </Button>
  );
}

function TargetState({ target }: { readonly target: NotificationTarget }) {
  const { t } = useText();
  if (!target.secretsReadable) return <Status tone="bad">{t('notifications.unreadable')}</Status>;
  if (!target.enabled) return <Status tone="off">{t('common.off')}</Status>;
  if (target.queued > 0) return <Status tone="warn">{t('notifications.waiting', { count: target.queued })}</Status>;
  return <Status tone="okQuiet">{t('common.on')}</Status>;
}

function eventsText({ events }: NotificationTarget, t: Translate): string {
  const [first] = events;
  if (first === undefined) return t('notifications.noEvents');
  if (events.length === NOTIFICATION_EVENTS.length) return t('notifications.allEvents');
  return events.length === 1 ? t(EVENT_LABELS[first]) : t('notifications.someEvents', { count: events.length });
}
