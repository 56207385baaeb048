import { Group, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ACCOUNTS_KEY } from '../../platform/accounts/account-calls.ts';
import { isUnsupported } from '../../platform/api/data-source.ts';
import { ApiError, isLostAnswer } from '../../platform/api/errors.ts';
import { useServices } from '../../platform/api/services.ts';
import { shown } from '../../platform/format/shown.ts';
import { type TextKey, useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { Button } from '../../ui/controls/button.tsx';
import { FilePick } from '../../ui/controls/file-pick.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { UnsupportedState } from '../../ui/feedback/states.tsx';
import { type ImportedVertex, importVertex } from './flow/sign-in-calls.ts';
import { VERTEX } from './providers.ts';
import { failureWords } from './sign-in-words.ts';

const DEFAULT_LOCATION = 'us-central1';
const MAX_BYTES = 10 * 1024 * 1024;

type ImportState =
  | { readonly kind: 'idle' | 'sending' }
  | { readonly kind: 'done'; readonly imported: ImportedVertex }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Errors of the import with a cause that can be named. */
const CAUSES: Readonly<Record<string, TextKey>> = {
  'invalid json': 'vertexImport.noJson',
  'invalid service account': 'vertexImport.noServiceAccount',
  'project_id missing': 'vertexImport.noProject',
};

/** Vertex AI has no sign-in page: a service account's key file is imported. */
export function VertexCard({ count }: { readonly count: number | undefined }) {
  const { t } = useText();
  const masker = useMasker();
  const { client } = useServices();
  const queries = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [location, setLocation] = useState(DEFAULT_LOCATION);
  const [state, setState] = useState<ImportState>({ kind: 'idle' });
  const sending = state.kind === 'sending';
  const tooLarge = file !== null && file.size > MAX_BYTES;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (file === null || tooLarge || sending) return;
    setState({ kind: 'sending' });
    try {
      const imported = await importVertex(client, file, location.trim() || DEFAULT_LOCATION);
      setState({ kind: 'done', imported });
      setFile(null);
    } catch (error) {
      setState({ kind: 'failed', error });
    }
    // After a lost answer the list shows what happened.
    await queries.invalidateQueries({ queryKey: [ACCOUNTS_KEY, 'files'] });
  };
  const failed = state.kind === 'failed' ? state.error : null;
  const cause = failed instanceof ApiError ? CAUSES[failed.message] : undefined;
  const lost = isLostAnswer(failed);
  return (
    <section className="panel" aria-label={VERTEX.name}>
      <div className="panel-head">
        <h2>{VERTEX.name}</h2>
        {count !== undefined && <span className="small ink-3">{t('providerSignIn.accounts', { count })}</span>}
      </div>
      {isUnsupported(failed) ? (
        <UnsupportedState
          title={t('providerSignIn.unsupported', { name: VERTEX.name })}
          text={t('providerSignIn.unsupportedText')}
        />
      ) : (
        <Stack component="form" className="panel-body" gap="sm" onSubmit={(event) => void submit(event)}>
          <p className="ink-2">{t('vertexImport.text')}</p>
          <Group align="flex-end" gap="sm">
            <FilePick
              label={t('vertexImport.file')}
              accept=".json,application/json"
              disabled={sending}
              onFiles={([picked]) => {
                setFile(picked ?? null);
                setState({ kind: 'idle' });
              }}
            />
            <span className="mono ellipsis">{file === null ? '' : shown(masker.file(file.name))}</span>
          </Group>
          {tooLarge && (
            <p className="form-error" role="alert">
              {t('vertexImport.tooLarge')}
            </p>
          )}
          <TextInput
            size="md"
            maw={320}
            label={t('vertexImport.location')}
            description={t('vertexImport.locationText')}
            value={location}
            autoComplete="off"
            spellCheck={false}
            disabled={sending}
            onChange={(event) => setLocation(event.currentTarget.value)}
          />
          {state.kind === 'done' && (
            <Note tone="ok" fact={t('vertexImport.done')}>
              {[masker.project(state.imported.project), masker.account(state.imported.email), state.imported.location]
                .map((part) => shown(part))
                .filter(Boolean)
                .join(' · ')}
            </Note>
          )}
          {failed !== null && (
            <Note tone="bad" fact={t('vertexImport.failed')}>
              {cause === undefined ? failureWords(failed, t, masker) : t(cause)}
              {lost && ` ${t('vertexImport.lost')}`}
            </Note>
          )}
          <Group>
            <Button type="submit" disabled={file === null || tooLarge || sending} aria-busy={sending}>
              {t('vertexImport.import')}
            </Button>
          </Group>
        </Stack>
      )}
    </section>
  );
}
