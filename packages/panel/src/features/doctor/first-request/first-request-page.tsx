import { Group, Stack } from '@mantine/core';
import { Link, Navigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useManaged } from '../../../platform/api/services.ts';
import { useNow } from '../../../platform/browser/clock.ts';
import { maskKey } from '../../../platform/format/mask-key.ts';
import { shown } from '../../../platform/format/shown.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { START_PATH } from '../../../platform/preferences/preferences.ts';
import { useStatus } from '../../../platform/queries/queries.ts';
import { CollectorStatus } from '../../../ui/collector/collector-status.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { useCopied } from '../../../ui/controls/copy.tsx';
import { Marked } from '../../../ui/display/marked.tsx';
import { Note } from '../../../ui/feedback/note.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { Page } from '../../../ui/page/page.tsx';
import { CheckRow } from '../check-row.tsx';
import { type Doctor, useDoctor } from '../use-doctor.ts';
import { curlCommand } from './command.ts';
import { checksInTheWay, isBlocked } from './in-the-way.ts';
import { useFirstRequest } from './use-first-request.ts';

/** The first event should be seen at once, ms. */
const LOOK_MS = 2_000;
/** A request that was sent has arrived by then, ms. */
const PATIENCE_MS = 60_000;

/** After the setup: how to send a first request, until it arrives. Then the dashboard. */
export function FirstRequestPage() {
  const { t } = useText();
  const managed = useManaged();
  const stored = useStatus(LOOK_MS).data?.events ?? 0;
  const doctor = useDoctor();
  const nowMs = useNow(1_000);
  const [openedMs] = useState(() => Date.now());
  if (!managed || stored > 0) return <Navigate to={START_PATH} search={{}} replace />;
  const isLate = nowMs - openedMs >= PATIENCE_MS;
  return (
    <Page title={t('firstRequest.title')} narrow banners={false} state={<CollectorStatus />}>
      <Note tone="wait" fact={t('firstRequest.waiting')}>
        {t('firstRequest.waitingText')}
      </Note>
      {(isLate || isBlocked(doctor.groups)) && <InTheWay doctor={doctor} isLate={isLate} />}
      <SendPanel />
      <section className="panel" aria-label={t('firstRequest.history')}>
        <div className="panel-head">
          <h2>{t('firstRequest.history')}</h2>
        </div>
        <Stack className="panel-body" gap="md" maw={640}>
          <p className="ink-2">
            <Marked text={t('firstRequest.historyText')} />
          </p>
          <Group>
            <Link to="/import-export" search={{}} className="link">
              {t('firstRequest.import')}
            </Link>
            <Link to={START_PATH} search={{}} className="link">
              {t('firstRequest.skip')}
            </Link>
          </Group>
        </Stack>
      </section>
    </Page>
  );
}

function InTheWay({ doctor, isLate }: { readonly doctor: Doctor; readonly isLate: boolean }) {
  const { t } = useText();
  return (
    <section className="panel" aria-label={t('firstRequest.inTheWay')}>
      <div className="panel-head">
        <h2>{t('firstRequest.inTheWay')}</h2>
        {isLate && <span className="tiny ink-3 only-wide">{t('firstRequest.late')}</span>}
        <span className="spacer" />
        <Link to="/doctor" search={{}} className="link">
          {t('note.openDoctor')}
        </Link>
      </div>
      {!isBlocked(doctor.groups) && <p className="panel-body ink-2">{t('firstRequest.nothingFound')}</p>}
      <ul className="lines panel-line" style={{ margin: '0 12px' }}>
        {checksInTheWay(doctor.groups).map((result) => (
          <CheckRow key={result.id} result={result} doctor={doctor} />
        ))}
      </ul>
    </section>
  );
}

function SendPanel() {
  const { t } = useText();
  const { request, hasModels } = useFirstRequest();
  const [revealed, setRevealed] = useState(false);
  const [copied, copy] = useCopied();
  const key = request?.key ?? null;
  const visible = key === null || revealed ? key : shown(maskKey(key));
  return (
    <section className="panel" aria-label={t('firstRequest.send')}>
      <div className="panel-head">
        <h2>{t('firstRequest.send')}</h2>
      </div>
      <Stack className="panel-body" gap="md">
        <p className="ink-2">{t(key === null ? 'firstRequest.sendOpen' : 'firstRequest.sendText')}</p>
        {request === undefined ? (
          <span className="skeleton" style={{ display: 'block', height: 80 }} />
        ) : (
          <>
            <pre className="technical">{curlCommand({ ...request, key: visible })}</pre>
            <Group gap="sm">
              <Button kind="primary" onClick={() => copy(curlCommand(request))}>
                <Icon name={copied ? 'check' : 'copy'} />
                {copied ? t('common.copied') : t('firstRequest.copy')}
              </Button>
              {key !== null && (
                <Button kind="quiet" aria-pressed={revealed} onClick={() => setRevealed(!revealed)}>
                  <Icon name={revealed ? 'eye' : 'eyeOff'} />
                  {revealed ? t('common.hideKey') : t('common.showKey')}
                </Button>
              )}
            </Group>
          </>
        )}
        {!hasModels && (
          <p className="ink-2">
            {t('firstRequest.noModels')}{' '}
            <Link to="/oauth" search={{}} className="link">
              {t('firstRequest.addAccount')}
            </Link>
          </p>
        )}
      </Stack>
    </section>
  );
}
