import { NONE } from '../../../platform/format/format.ts';
import type { Translate } from '../../../platform/i18n/index.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Status } from '../../../ui/display/status.tsx';
import type { NarrowRow, TableColumn } from '../../../ui/table/types.ts';
import type { StorePlugin } from '../model/store.ts';

export interface StoreCellContext {
  readonly t: Translate;
  readonly onInstall: (offer: StorePlugin) => void;
}

function Source({ offer, t }: { readonly offer: StorePlugin; readonly t: Translate }) {
  return (
    <span title={offer.sourceUrl}>
      <Status tone={offer.official ? 'okQuiet' : 'warn'}>
        {offer.official ? t('plugin.official') : t('plugin.thirdParty', { source: offer.sourceName })}
      </Status>
    </span>
  );
}

function installedText({ installed, installedVersion, otherSource }: StorePlugin, t: Translate): string {
  if (!installed) return NONE;
  if (otherSource) return t('plugin.otherSource');
  return installedVersion || t('plugin.installedMark');
}

function InstallButton({ offer, context }: { readonly offer: StorePlugin; readonly context: StoreCellContext }) {
  const { t, onInstall } = context;
  const verb = offer.updateAvailable ? 'plugin.update' : offer.installed ? 'plugin.changeVersion' : 'plugin.install';
  return (
    <Button
      aria-label={`${t(verb)}: ${offer.name}`}
      disabled={offer.otherSource}
      title={offer.otherSource ? t('plugin.sourceConflict') : undefined}
      onClick={() => onInstall(offer)}
    >
      {t(verb)}
    </Button>
  );
}

export function storeColumns(context: StoreCellContext): readonly TableColumn<StorePlugin>[] {
  const { t } = context;
  return [
    {
      id: 'name',
      label: t('plugin.plugin'),
      width: null,
      minWidth: 180,
      cell: (offer) => (
        <span className="two-lines" title={[offer.name, offer.description].filter(Boolean).join('\n')}>
          <span className="ellipsis medium">
            {offer.repository === '' ? (
              offer.name
            ) : (
              <a className="link" href={offer.repository} target="_blank" rel="noreferrer noopener">
                {offer.name}
              </a>
            )}
          </span>
          <span className="ellipsis second-line">{offer.description || offer.id}</span>
        </span>
      ),
      sort: ({ name }) => name,
      exported: ({ id }) => id,
    },
    {
      id: 'source',
      label: t('plugin.source'),
      width: null,
      minWidth: 150,
      priority: 1,
      cell: (offer) => <Source offer={offer} t={t} />,
      sort: ({ sourceName }) => sourceName,
      exported: ({ sourceUrl }) => sourceUrl,
    },
    {
      id: 'author',
      label: t('plugin.author'),
      width: 120,
      priority: 3,
      cell: ({ author }) => author || NONE,
      exported: ({ author }) => author,
    },
    {
      id: 'version',
      label: t('plugin.newest'),
      width: 84,
      priority: 2,
      cell: ({ version }) => version || NONE,
      exported: ({ version }) => version,
    },
    {
      id: 'installed',
      label: t('plugin.installed'),
      width: 130,
      cell: (offer) => installedText(offer, t),
      sort: ({ installed }) => Number(installed),
      exported: ({ installedVersion }) => installedVersion,
    },
    {
      id: 'action',
      label: '',
      width: 132,
      right: true,
      cell: (offer) => <InstallButton offer={offer} context={context} />,
    },
  ];
}

export function narrowOffer(offer: StorePlugin, context: StoreCellContext): NarrowRow {
  return {
    main: offer.name,
    mainBelow: <Source offer={offer} t={context.t} />,
    value: offer.installed ? installedText(offer, context.t) : offer.version,
    action: (
      <span className="row" style={{ paddingRight: 12 }}>
        <InstallButton offer={offer} context={context} />
      </span>
    ),
  };
}
