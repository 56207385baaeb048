import type { ApiKeyStats, KeyContext } from '@manager/core/contract/monitoring/sections';
import { Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { formatCompact, formatCostSum, formatCount, knownCost, NONE } from '../../platform/format/format.ts';
import { shown } from '../../platform/format/shown.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import type { RangeChoice } from '../../platform/range/range.ts';
import { writeRange } from '../../platform/range/range-url.ts';
import { unpricedTitle } from '../../platform/requests/sum-texts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { CopyButton, useCopied } from '../../ui/controls/copy.tsx';
import { Icon } from '../../ui/icons.tsx';
import { UseFacts } from '../../ui/requests/use-facts.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { moneyCells } from '../../ui/table/money-column.ts';
import type { TableColumn } from '../../ui/table/types.ts';
import { usePhone } from '../../ui/use-phone.ts';
import { KEY_RANGES } from './client-keys-search.ts';
import type { KeyRow } from './key-rows.ts';
import { maskedKey } from './key-words.ts';
import { useWholeKey } from './use-client-keys.ts';

/** Both ends of the key and its hash; the whole key only for the clipboard. */
export function IdentitySection({ row }: { readonly row: KeyRow }) {
  const { t } = useText();
  return (
    <section>
      <dl className="definitions">
        <dt>{t('clientKeys.key')}</dt>
        <dd>
          {row.key === null ? (
            <span className="value ink-3">
              {t(row.state === 'orphan' ? 'clientKeys.keyGone' : 'clientKeys.keyUnread')}
            </span>
          ) : (
            <span className="value mono">{maskedKey(row)}</span>
          )}
        </dd>
        <dt>{t('clientKeys.hash')}</dt>
        <dd>
          <span className="value mono">{row.hash}</span>
          <CopyButton text={row.hash} label={t('clientKeys.hash')} />
        </dd>
        {row.listed > 1 && (
          <>
            <dt>{t('clientKeys.state')}</dt>
            <dd>
              <span className="value tone-warn">{t('clientKeys.listedTwice', { count: row.listed })}</span>
            </dd>
          </>
        )}
      </dl>
      {row.key !== null && <CopyKeyButton text={row.key} />}
    </section>
  );
}

function CopyKeyButton({ text }: { readonly text: string }) {
  const { t } = useText();
  const [copied, copy] = useCopied();
  return (
    <Button style={{ marginTop: 8 }} onClick={() => copy(text)}>
      <Icon name={copied ? 'check' : 'copy'} />
      {copied ? t('common.copied') : t('clientKeys.copyKey')}
    </Button>
  );
}

/** Its use in the range, and links to the requests. */
export function UseSection({
  row,
  earlier,
  range,
  rangeName,
}: {
  readonly row: KeyRow;
  /** Keys that it replaced, whose history is part of its own. */
  readonly earlier: readonly KeyRow[];
  readonly range: RangeChoice;
  readonly rangeName: string;
}) {
  const { t } = useText();
  const { use } = row;
  const monitoring = { ...writeRange(range, { ...KEY_RANGES, fallback: 'today' }, {}), api_key_hash: [row.hash] };
  const analytics = {
    ...writeRange(range.name === 'all' ? { name: '30d', fromMs: null, toMs: null } : range, ANALYTICS_RANGES, {}),
    tab: ['apiKeys'],
    api_key_hash: [row.hash],
  };
  return (
    <section>
      <h2>
        {t('clientKeys.use')} <span className="small ink-3">{rangeName}</span>
      </h2>
      {use === undefined && <p className="ink-2">{t('clientKeys.useUnknown')}</p>}
      {use === null && <p className="ink-2">{t('clientKeys.usedNever', { range: rangeName })}</p>}
      {use && (
        <UseFacts
          calls={use.calls}
          successRate={use.success_rate}
          tokens={use.total_tokens}
          cost={use.cost}
          unpriced={use.unpriced_calls}
          lastMs={use.last_seen_ms}
        />
      )}
      <Group gap="8px 16px" mt="sm">
        <Link to="/monitoring" search={monitoring} className="link">
          {t('clientKeys.openRequests')}
        </Link>
        {use && use.failure_calls > 0 && (
          <Link to="/monitoring" search={{ ...monitoring, status: ['failed'] }} className="link">
            {t('clientKeys.openFailed', { count: use.failure_calls, value: formatCompact(use.failure_calls) })}
          </Link>
        )}
        <Link to="/usage-analytics" search={analytics} className="link">
          {t('clientKeys.openAnalytics')}
        </Link>
      </Group>
      <EarlierKeys row={row} earlier={earlier} search={monitoring} />
    </section>
  );
}

/** What the keys before the last rotations used, and the requests of all keys of this name. */
function EarlierKeys({
  row,
  earlier,
  search,
}: {
  readonly row: KeyRow;
  readonly earlier: readonly KeyRow[];
  readonly search: UrlSearch;
}) {
  const { t } = useText();
  if (earlier.length === 0) return null;
  const uses = earlier.flatMap(({ use }) => use ?? []);
  const sum = (of: (use: ApiKeyStats) => number) => uses.reduce((total, use) => total + of(use), 0);
  const unpriced = sum(({ unpriced_calls }) => unpriced_calls ?? 0);
  const cost = sum((use) => use.cost);
  return (
    <p className="ink-2">
      {t('clientKeys.earlier', {
        count: earlier.length,
        requests: formatCount(sum(({ calls }) => calls)),
        cost: knownCost(cost, unpriced) === null ? t('clientKeys.noCost') : formatCostSum(cost, unpriced),
      })}{' '}
      <Link
        to="/monitoring"
        search={{ ...search, api_key_hash: [row.hash, ...earlier.map(({ hash }) => hash)] }}
        className="link"
      >
        {t('clientKeys.openAll')}
      </Link>
    </p>
  );
}

/** Ranges of the analytics page, as in its address. */
const ANALYTICS_RANGES = { ...KEY_RANGES, fallback: '24h', parameter: 'time_range' } as const;

type PartRow = Pick<KeyContext, 'calls' | 'cost' | 'unpriced_calls'> & { readonly name: string };

/** Models and accounts of its requests, the most expensive first. */
export function PartsSections({ use, range }: { readonly use: ApiKeyStats; readonly range: RangeChoice }) {
  const { t } = useText();
  const masker = useMasker();
  const models = (use.models ?? []).map((row) => ({ ...row, name: shown(row.model) }));
  const { whole, isError } = useWholeKey(use, range);
  const accounts = (whole?.contexts ?? []).map((context) => ({
    ...context,
    name: shown(
      masker.account(context.account_snapshot || context.auth_label_snapshot || '') ||
        masker.source(context.source ?? '') ||
        context.auth_index ||
        NONE,
    ),
  }));
  return (
    <>
      <PartsSection title={t('clientKeys.models')} part={t('filter.model')} rows={models} />
      {isError && whole === undefined ? (
        <section>
          <h2>{t('clientKeys.accounts')}</h2>
          <p className="ink-2">{t('clientKeys.useUnknown')}</p>
        </section>
      ) : (
        <PartsSection title={t('clientKeys.accounts')} part={t('filter.account')} rows={accounts} />
      )}
    </>
  );
}

function PartsSection({
  title,
  part,
  rows,
}: {
  readonly title: string;
  /** Heading of the first column. */
  readonly part: string;
  readonly rows: readonly PartRow[];
}) {
  const { t } = useText();
  const columns = useMemo(
    (): readonly TableColumn<PartRow>[] => [
      { id: 'name', label: part, width: null, minWidth: 120, cell: (row) => row.name, title: (row) => row.name },
      {
        id: 'requests',
        label: t('clientKeys.requests'),
        width: 88,
        right: true,
        cell: (row) => formatCompact(row.calls),
        title: (row) => formatCount(row.calls),
      },
      {
        id: 'cost',
        label: t('clientKeys.cost'),
        width: 88,
        ...moneyCells((row) => knownCost(row.cost, row.unpriced_calls)),
        title: (row) => unpricedTitle(row.unpriced_calls, t),
      },
    ],
    [part, t],
  );
  const phone = usePhone();
  if (rows.length === 0) return null;
  const sorted = rows.toSorted((a, b) => b.cost - a.cost || b.calls - a.calls);
  return (
    <section>
      <h2>{title}</h2>
      <DataTable
        label={title}
        columns={columns}
        rows={sorted}
        // Two accounts may look the same while masked.
        rowKey={(row) => `${sorted.indexOf(row)}`}
        rowName={(row) => row.name}
        narrow={(row) => ({
          main: row.name,
          value: formatCostSum(row.cost, row.unpriced_calls),
          valueBelow: t('clientKeys.requestsOf', { value: formatCompact(row.calls), count: row.calls }),
        })}
        twoLineBelow={0}
        // On a phone only the drawer scrolls.
        {...(phone ? {} : { maxHeight: 240 })}
      />
    </section>
  );
}
