import type { ConfigurationVersion } from '@manager/core/contract/gateway-configuration';
import { Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { fromQuery, mapSource } from '../../../platform/api/data-source.ts';
import { useManaged } from '../../../platform/api/services.ts';
import { formatBytes } from '../../../platform/format/format.ts';
import { shortTime } from '../../../platform/format/time.ts';
import { type TextKey, useText } from '../../../platform/i18n/index.ts';
import { useTimeZone } from '../../../platform/preferences/preferences.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { ConfirmDialog, Dialog } from '../../../ui/dialog/dialog.tsx';
import { Status } from '../../../ui/display/status.tsx';
import { Note } from '../../../ui/feedback/note.tsx';
import { failureText, UnsupportedState } from '../../../ui/feedback/states.tsx';
import { TablePanel } from '../../../ui/table/table-panel.tsx';
import type { TableColumn } from '../../../ui/table/types.ts';
import { DifferenceView } from '../difference-view.tsx';
import { EffectNotes } from '../effect-notes.tsx';
import type { Review } from '../model/review.ts';
import { type ConfigurationState, VERSIONS } from '../use-configuration.ts';

const ORIGINS: Readonly<Record<ConfigurationVersion['origin'], TextKey>> = {
  seen: 'config.originSeen',
  saved: 'config.originSaved',
  elsewhere: 'config.originElsewhere',
};

interface Compared {
  readonly version: ConfigurationVersion;
  readonly text: string;
  readonly review: Review;
}

interface HistoryModeProps {
  readonly state: ConfigurationState;
  /** Puts a version into the editor. */
  readonly onRestore: (text: string, version: ConfigurationVersion) => void;
}

/** Versions of the configuration, which the manager keeps. */
export function HistoryMode(props: HistoryModeProps) {
  const { t } = useText();
  if (!useManaged()) {
    return (
      <section className="panel">
        <UnsupportedState title={t('config.historyAlone')} text={t('config.historyAloneText')} />
      </section>
    );
  }
  return <Versions {...props} />;
}

function Versions({ state, onRestore }: HistoryModeProps) {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const queries = useQueryClient();
  const { calls, thread } = state;
  const query = useQuery({ queryKey: [VERSIONS], queryFn: ({ signal }) => calls.versions(signal) });
  const [compared, setCompared] = useState<Compared | null>(null);
  const [asking, setAsking] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const current = query.data?.items[0]?.id;
  const base = state.draft?.base;

  const changes = useCallback(
    ({ changed }: ConfigurationVersion) => (changed === null ? '–' : changed.join(', ') || t('config.changedNone')),
    [t],
  );
  const columns = useMemo((): readonly TableColumn<ConfigurationVersion>[] => {
    const at = (ms: number) => shortTime(ms, Date.now(), zone, locale);
    const time = (version: ConfigurationVersion) => at(version.firstSeenAtMs);
    const act = async (version: ConfigurationVersion, then: (text: string) => void | Promise<void>) => {
      setFailure(null);
      try {
        await then((await calls.version(version.id)).text);
      } catch (error) {
        setFailure(error);
      }
    };
    const actions = (version: ConfigurationVersion) =>
      version.id === current ? null : (
        <span className="row config-actions">
          <Button
            kind="quiet"
            aria-label={`${t('config.compare')}: ${time(version)}`}
            onClick={() =>
              void act(version, async (text) =>
                setCompared({ version, text, review: await thread.reviewChange(base ?? '', text, null) }),
              )
            }
          >
            {t('config.compare')}
          </Button>
          <Button
            kind="quiet"
            aria-label={`${t('config.restore')}: ${time(version)}`}
            onClick={() => void act(version, (text) => onRestore(text, version))}
          >
            {t('config.restore')}
          </Button>
        </span>
      );
    return [
      { id: 'when', label: t('config.when'), width: 150, cell: time },
      { id: 'last', label: t('config.lastSeen'), width: 150, cell: ({ lastSeenAtMs }) => at(lastSeenAtMs) },
      {
        id: 'origin',
        label: t('config.origin'),
        width: 290,
        cell: (version) => (
          <span className="row">
            {t(ORIGINS[version.origin])}
            {version.id === current && <Status tone="ok">{t('config.current')}</Status>}
          </span>
        ),
      },
      {
        id: 'changes',
        label: t('config.changes'),
        width: null,
        cell: changes,
        title: changes,
      },
      { id: 'size', label: t('config.size'), width: 90, right: true, cell: ({ bytes }) => formatBytes(bytes) },
      { id: 'actions', label: t('config.actions'), width: 200, right: true, cell: actions },
    ];
  }, [t, zone, locale, calls, thread, base, current, onRestore, changes]);

  const problem = failure === null ? null : failureText(failure);
  return (
    <>
      {problem !== null && (
        <Note tone="bad" fact={t('config.historyFailed')} onDismiss={() => setFailure(null)}>
          {t(problem.key, problem.values)}
        </Note>
      )}
      <TablePanel<ConfigurationVersion>
        title={t('config.history')}
        subtitle={t('config.historyHint')}
        source={mapSource(fromQuery(query), ({ items }) => items)}
        columns={columns}
        rowKey={({ id }) => String(id)}
        rowName={({ firstSeenAtMs }) => shortTime(firstSeenAtMs, Date.now(), zone, locale)}
        narrow={(version) => ({
          main: shortTime(version.firstSeenAtMs, Date.now(), zone, locale),
          mainBelow: `${t(version.id === current ? 'config.current' : ORIGINS[version.origin])} · ${changes(version)}`,
          action: columns.at(-1)?.cell(version),
        })}
        empty={{ title: t('config.historyEmpty'), text: t('config.historyEmptyText') }}
        errorTitle={t('config.historyFailed')}
        actions={
          <Button kind="quiet" disabled={current === undefined} onClick={() => setAsking(true)}>
            {t('config.deleteHistory')}
          </Button>
        }
      />
      <Dialog
        opened={compared !== null}
        onClose={() => setCompared(null)}
        title={t('config.compareTitle')}
        size="review"
        actions={
          <>
            <Button data-autofocus onClick={() => setCompared(null)}>
              {t('config.close')}
            </Button>
            <Button kind="primary" onClick={() => compared !== null && onRestore(compared.text, compared.version)}>
              {t('config.restore')}
            </Button>
          </>
        }
      >
        {compared !== null && (
          <Stack gap="sm">
            <EffectNotes effects={compared.review.effects} restored />
            <DifferenceView difference={compared.review.difference} secrets={compared.review.secrets} />
          </Stack>
        )}
      </Dialog>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('config.deleteHistory')}
        confirmLabel={t('config.deleteHistory')}
        danger
        onConfirm={async () => {
          await calls.removeVersions();
          await queries.invalidateQueries({ queryKey: [VERSIONS] });
        }}
      >
        {t('config.deleteHistoryText')}
      </ConfirmDialog>
    </>
  );
}
