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
import { firstEqual } from './first-equal.ts';

const ORIGINS: Readonly<Record<ConfigurationVersion['origin'], TextKey>> = {
  seen: 'config.originSeen',
  saved: 'config.originSaved',
  elsewhere: 'config.originElsewhere',
};

/** Of a row with three lines, px. */
const NARROW_HEIGHT = 80;
const NO_VERSIONS: readonly ConfigurationVersion[] = [];

interface Compared {
  readonly version: ConfigurationVersion;
  /** The one that it is compared with. */
  readonly current: ConfigurationVersion;
  readonly text: string;
  readonly review: Review;
}

interface HistoryModeProps {
  readonly state: ConfigurationState;
  /** Puts a version into the editor, to be reviewed and saved. */
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
  const versions = query.data?.items ?? NO_VERSIONS;
  const [current] = versions;

  const at = useCallback((ms: number) => shortTime(ms, Date.now(), zone, locale), [zone, locale]);
  const time = useCallback(({ firstSeenAtMs }: ConfigurationVersion) => at(firstSeenAtMs), [at]);
  const equal = useMemo(() => firstEqual(versions), [versions]);
  const origin = useCallback(
    (version: ConfigurationVersion) => {
      const first = equal.get(version.id);
      const name = t(ORIGINS[version.origin]);
      return first === undefined ? name : t('config.originEqual', { origin: name, time: time(first) });
    },
    [t, equal, time],
  );
  const changes = useCallback(
    ({ changed }: ConfigurationVersion) => (changed === null ? '–' : changed.join(', ') || t('config.changedNone')),
    [t],
  );
  const columns = useMemo((): readonly TableColumn<ConfigurationVersion>[] => {
    const textOf = async ({ id }: ConfigurationVersion) => (await calls.version(id)).text;
    const act = async (version: ConfigurationVersion, then: (text: string) => void | Promise<void>) => {
      setFailure(null);
      try {
        await then(await textOf(version));
      } catch (error) {
        setFailure(error);
      }
    };
    const actions = (version: ConfigurationVersion) =>
      current === undefined || version.digest === current.digest ? null : (
        <span className="row config-actions">
          <Button
            kind="quiet"
            aria-label={`${t('config.compare')}: ${time(version)}`}
            onClick={() =>
              void act(version, async (text) =>
                setCompared({
                  version,
                  current,
                  text,
                  review: await thread.reviewChange(await textOf(current), text, null),
                }),
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
      { id: 'when', label: t('config.when'), width: 130, cell: time },
      { id: 'last', label: t('config.lastSeen'), width: 130, cell: ({ lastSeenAtMs }) => at(lastSeenAtMs) },
      {
        id: 'origin',
        label: t('config.origin'),
        width: 380,
        cell: (version) => (
          <span className="row">
            <span className="ellipsis">{origin(version)}</span>
            {version === current && <Status tone="ok">{t('config.current')}</Status>}
          </span>
        ),
        title: origin,
      },
      {
        id: 'changes',
        label: t('config.changes'),
        width: null,
        cell: changes,
        title: changes,
      },
      { id: 'size', label: t('config.size'), width: 80, right: true, cell: ({ bytes }) => formatBytes(bytes) },
      { id: 'actions', label: t('config.actions'), width: 190, right: true, cell: actions },
    ];
  }, [t, at, time, origin, calls, thread, current, onRestore, changes]);

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
        rowName={time}
        narrow={(version) => ({
          main: (
            <span className="row">
              {time(version)}
              {version === current && <Status tone="ok">{t('config.current')}</Status>}
            </span>
          ),
          mainBelow: origin(version),
          more: (
            <span className="small ink-2 ellipsis" style={{ display: 'block' }}>
              {changes(version)}
            </span>
          ),
          action: columns.at(-1)?.cell(version),
        })}
        narrowHeight={() => NARROW_HEIGHT}
        twoLineBelow={1040}
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
        title={compared === null ? '' : t('config.compareTitle', { time: time(compared.version) })}
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
            <p className="ink-2">
              {t('config.compareSides', { current: time(compared.current), time: time(compared.version) })}
            </p>
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
