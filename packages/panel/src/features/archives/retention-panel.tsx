import { Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useText } from '../../platform/i18n/index.ts';
import { Marked } from '../../ui/display/marked.tsx';
import { Status } from '../../ui/display/status.tsx';
import type { Maintenance } from './wire.ts';

/** Automatic archiving: the settings of the environment, which cannot be changed here. */
export function RetentionPanel({ maintenance }: { readonly maintenance: Maintenance }) {
  const { t } = useText();
  const { retention, readiness } = maintenance;
  const on = retention?.enabled === true;
  const works = readiness.archive_delete_enabled;
  return (
    <section className="panel" aria-label={t('archives.retention')}>
      <div className="panel-head">
        <h2>{t('archives.retention')}</h2>
        <span className="spacer" />
        {retention !== undefined && (
          <Status tone={on ? (works ? 'ok' : 'warn') : 'off'} pill>
            {t(on ? 'common.on' : 'common.off')}
          </Status>
        )}
      </div>
      <Stack className="panel-body">
        {on && <p>{t(works ? 'archives.retentionOn' : 'archives.retentionStuck', { count: retention?.days ?? 0 })}</p>}
        {retention?.enabled === false && <p>{t('archives.retentionOff')}</p>}
        <p className="ink-2">
          <Marked text={t('archives.retentionText')} />
        </p>
        <Link to="/usage-maintenance" search={{ tab: ['runs'], mode: ['retention'] }} className="link">
          {t('archives.retentionRuns')}
        </Link>
      </Stack>
    </section>
  );
}
