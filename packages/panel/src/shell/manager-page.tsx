import { fromSources } from 'virtual:shared-modules';
import { MANAGER_PAGES_PATH } from '@manager/core/contract/constants';
import { useQuery } from '@tanstack/react-query';
import { fromQuery } from '../platform/api/data-source.ts';
import { ApiError } from '../platform/api/errors.ts';
import { loadPartFile, RUN_PART } from '../platform/api/part-file.ts';
import { useServices } from '../platform/api/services.ts';
import { useText } from '../platform/i18n/index.ts';
import { Block } from '../ui/feedback/block.tsx';
import { SourceView } from '../ui/feedback/source-view.tsx';

type ManagerPages = typeof import('../manager-pages/manager-pages.ts');

/** A page of the file beside the panel, which is loaded with the first of them. */
export function ManagerPage({ name }: { readonly name: keyof ManagerPages }) {
  const { client } = useServices();
  const { t } = useText();
  const pages = useQuery({
    queryKey: ['manager-pages'],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    queryFn: async (): Promise<ManagerPages> => {
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
    },
  });
  return (
    <SourceView
      source={fromQuery(pages)}
      loading={<Block height={240} />}
      errorTitle={t('shell.pageNotLoaded')}
      errorScope={t('shell.pageOfOtherVersion')}
    >
      {({ [name]: Page }) => <Page />}
    </SourceView>
  );
}
