import { useQuery } from '@tanstack/react-query';
import { useAccountList } from '../../platform/accounts/use-accounts.ts';
import { isUnsupported } from '../../platform/api/data-source.ts';
import { useServices } from '../../platform/api/services.ts';
import { useAddress } from '../../platform/browser/address.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { accountTitle } from '../../ui/accounts/account-text.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Page } from '../../ui/page/page.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { listPlugins } from './flow/sign-in-calls.ts';
import { ProviderCard } from './provider-card.tsx';
import { PROVIDER_SIGN_IN_ADDRESS } from './provider-sign-in-search.ts';
import { BUILT_IN, isOf, pluginProviders, VERTEX } from './providers.ts';
import { failureWords } from './sign-in-words.ts';
import { VertexCard } from './vertex-card.tsx';

const PLUGINS_FRESH_MS = 60_000;

/** Adds accounts by signing in at a provider, and signs accounts in again. */
export function ProviderSignInPage() {
  const { t } = useText();
  const masker = useMasker();
  const { client } = useServices();
  const { search, change } = useAddress(PROVIDER_SIGN_IN_ADDRESS);
  const accounts = useAccountList();
  const plugins = useQuery({
    queryKey: ['provider-sign-in', 'plugins'],
    staleTime: PLUGINS_FRESH_MS,
    queryFn: async ({ signal }) => pluginProviders(await listPlugins(client, signal)),
  });
  const refresh = () => {
    void accounts.refetch();
    void plugins.refetch();
  };
  useShortcuts({ r: refresh });

  const list = accounts.data;
  const providers = [...BUILT_IN, ...(plugins.data ?? [])];
  const again =
    search.account === ''
      ? null
      : (list?.find(({ key, listed }) => key === search.account || listed.authIndex === search.account) ?? null);
  const wanted = again?.listed.provider ?? search.provider;
  const first = providers.find((provider) => wanted !== '' && isOf(provider, wanted));
  const ordered = first === undefined ? providers : [first, ...providers.filter((provider) => provider !== first)];
  const vertexFirst = wanted !== '' && isOf(VERTEX, wanted);
  const asked = search.account !== '' || search.provider !== '';
  const countOf = (provider: Parameters<typeof isOf>[0]) =>
    list?.filter(({ listed }) => isOf(provider, listed.provider)).length;
  const vertex = <VertexCard key={VERTEX.id} count={countOf(VERTEX)} />;
  const cards = ordered.map((provider) => (
    <ProviderCard
      key={provider.id}
      provider={provider}
      count={countOf(provider)}
      again={provider === first ? again : null}
    />
  ));
  return (
    <Page
      title={t('nav.oauth')}
      narrow
      refresh={{ busy: accounts.isFetching || plugins.isFetching, onRefresh: refresh }}
    >
      <p className="ink-2">{t('providerSignIn.text')}</p>
      {asked && (
        <Note
          tone={again === null && list !== undefined && search.account !== '' ? 'warn' : 'wait'}
          fact={
            again !== null
              ? t('providerSignIn.again', { account: accountTitle(again, masker) })
              : t(list !== undefined && search.account !== '' ? 'providerSignIn.gone' : 'providerSignIn.againAny')
          }
          action={<Button onClick={() => change({ account: '', provider: '' })}>{t('providerSignIn.notAgain')}</Button>}
        >
          {again !== null && first === undefined && !vertexFirst ? t('providerSignIn.noWay') : ''}
        </Note>
      )}
      {accounts.error !== null && list === undefined && (
        <Note
          tone="bad"
          fact={t('accounts.loadFailed')}
          action={<Button onClick={refresh}>{t('common.tryAgain')}</Button>}
        >
          {failureWords(accounts.error, t, masker)}
        </Note>
      )}
      {plugins.error !== null && !isUnsupported(plugins.error) && (
        <Note
          tone="warn"
          fact={t('providerSignIn.pluginsFailed')}
          action={<Button onClick={() => void plugins.refetch()}>{t('common.tryAgain')}</Button>}
        >
          {failureWords(plugins.error, t, masker)}
        </Note>
      )}
      {vertexFirst ? [vertex, ...cards] : [...cards, vertex]}
    </Page>
  );
}
