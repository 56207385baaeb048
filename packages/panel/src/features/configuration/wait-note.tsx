import { useEffect, useState } from 'react';
import { useManaged, useServices } from '../../platform/api/services.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useConfig } from '../../platform/queries/queries.ts';
import { useSession } from '../../platform/session/session.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { PATIENCE_MS, type Wait } from './patient-read.ts';

/** What a read waits for, and what can be done about it. */
export function WaitNote({ wait }: { readonly wait: Wait | undefined }) {
  return wait === undefined ? null : <Waiting key={wait.id} wait={wait} />;
}

function Waiting({ wait }: { readonly wait: Wait }) {
  const { t } = useText();
  const { client, session } = useServices();
  const connected = useConfig().data?.config.cpaConnection.cpaBaseUrl;
  const own = useSession(session)?.base ?? client.page;
  const address = useManaged() ? connected : own;
  const [steps, setSteps] = useState(1);
  // In steps, because each text is read aloud.
  useEffect(() => {
    const timer = setInterval(() => setSteps((before) => before + 1), PATIENCE_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <Note
      tone="warn"
      fact={t('config.waiting', { address: address ?? '…', seconds: (steps * PATIENCE_MS) / 1_000 })}
      action={
        <>
          <Button onClick={wait.cancel}>{t('common.cancel')}</Button>
          <Button onClick={wait.again}>{t('common.tryAgain')}</Button>
        </>
      }
    />
  );
}
