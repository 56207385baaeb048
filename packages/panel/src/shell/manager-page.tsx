import { fromSources } from 'virtual:shared-modules';
import { MANAGER_PAGES_PATH } from '@manager/core/contract/constants';
import { useEffect, useState } from 'react';
import type { Client } from '../platform/api/client.ts';
import { ApiError } from '../platform/api/errors.ts';
import { loadPartFile, RUN_PART } from '../platform/api/part-file.ts';
import { useServices } from '../platform/api/services.ts';
import { useText } from '../platform/i18n/index.ts';
import { Block } from '../ui/feedback/block.tsx';
import { ErrorState } from '../ui/feedback/states.tsx';

type ManagerPages = typeof import('../manager-pages/manager-pages.ts');

// Not a query: queries are asked again, and other pages from a second reading would lose what people typed.
let loaded: ManagerPages | null = null;

async function load(client: Client): Promise<ManagerPages> {
  if (fromSources !== null) return await fromSources();
  const pages = await loadPartFile<ManagerPages>({
    ...RUN_PART,
    page: client.page,
    path: MANAGER_PAGES_PATH,
    digest: __MANAGER_PAGES_DIGEST__,
  });
  if (pages !== null) return pages;
  throw new ApiError('shape', 'no file with the digest of this panel', {
    path: MANAGER_PAGES_PATH,
    atMs: client.now(),
  });
}

/** A page of the file beside the panel, which is loaded with the first of them. */
export function ManagerPage({ name }: { readonly name: keyof ManagerPages }) {
  const { client } = useServices();
  const { t } = useText();
  const [pages, setPages] = useState(loaded);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    if (pages !== null || error !== null) return;
    let isWanted = true;
    load(client).then(
      (found) => {
        loaded ??= found;
        if (isWanted) setPages(loaded);
      },
      (failure) => {
        if (isWanted) setError(failure);
      },
    );
    return () => {
      isWanted = false;
    };
  }, [pages, client, error]);
  if (pages !== null) {
    const Page = pages[name];
    return <Page />;
  }
  if (error === null) return <Block height={240} />;
  return (
    <ErrorState
      title={t('shell.pageNotLoaded')}
      scope={t('shell.pageOfOtherVersion')}
      error={error}
      onRetry={() => setError(null)}
    />
  );
}
