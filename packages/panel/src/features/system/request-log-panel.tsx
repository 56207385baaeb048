import { Switch } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { fromQuery } from '../../platform/api/data-source.ts';
import { useText } from '../../platform/i18n/index.ts';
import { ConfirmDialog } from '../../ui/dialog/dialog.tsx';
import { SourceAge, SourceView } from '../../ui/feedback/source-view.tsx';
import { failureText } from '../../ui/feedback/states.tsx';
import { useRequestLog } from './use-gateway.ts';

/** Enables the gateway's log of whole requests; confirmed first, because prompts end up in files. */
export function RequestLogPanel() {
  const { t } = useText();
  const { state, change } = useRequestLog();
  const [asking, setAsking] = useState(false);
  const source = fromQuery(state);
  const failure = failureText(change.error);
  return (
    <section className="panel" aria-label={t('system.requestLog')}>
      <div className="panel-head">
        <h2>{t('system.requestLog')}</h2>
        <SourceAge source={source} />
        <span className="spacer" />
        <Link to="/logs" search={{}} className="link">
          {t('nav.logs')}
        </Link>
      </div>
      <div className="panel-body">
        <SourceView
          source={source}
          loading={<span className="skeleton" style={{ display: 'block', width: 240 }} />}
          errorTitle={t('system.requestLogFailed')}
          unsupported={{ title: t('system.requestLogOld'), text: t('system.modelsOldText') }}
        >
          {(on) => (
            <Switch
              checked={on}
              disabled={change.isPending}
              label={t('system.requestLogSwitch')}
              description={t('system.requestLogHint')}
              onChange={(event) => {
                if (event.currentTarget.checked) setAsking(true);
                else change.mutate(false);
              }}
            />
          )}
        </SourceView>
        {change.error !== null && (
          <p className="form-error" role="alert">
            {t(failure.key, failure.values)}
          </p>
        )}
      </div>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('system.requestLogAsk')}
        confirmLabel={t('system.requestLogOn')}
        onConfirm={async () => {
          await change.mutateAsync(true);
        }}
      >
        <p>{t('system.requestLogAskText')}</p>
      </ConfirmDialog>
    </section>
  );
}
