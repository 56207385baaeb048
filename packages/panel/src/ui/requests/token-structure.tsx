import { type TokenMixPart, type TokenSums, tokenMix } from '@manager/core/usage/token-mix';
import { Group, SimpleGrid } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { formatCompact, formatCount, formatShare } from '../../platform/format/format.ts';
import { type TextKey, useText } from '../../platform/i18n/index.ts';
import type { ChartColor } from '../chart/types.ts';
import { Explain } from '../display/explain.tsx';

const EXPLAINED = 'explain.tokenMix';

interface Part {
  readonly label: TextKey;
  readonly color: ChartColor;
  readonly tokens: number;
}

/** The total in parts without overlap; the last one is the unexplained rest, if any. */
export function tokenParts(sums: TokenSums, mix: readonly TokenMixPart[] = tokenMix(sums)): readonly Part[] {
  const tokensOf = (key: TokenMixPart['key']) => mix.find((part) => part.key === key)?.tokens ?? 0;
  const written = sums.cache_creation_tokens;
  const parts: readonly Part[] = [
    { label: 'cost.uncached', color: 'series-1', tokens: tokensOf('input') },
    { label: 'tokens.cacheRead', color: 'series-1-soft', tokens: tokensOf('cached') - written },
    { label: 'tokens.cacheCreation', color: 'series-7', tokens: written },
    { label: 'mix.output', color: 'series-3', tokens: tokensOf('output') },
    { label: 'tokens.reasoning', color: 'series-4', tokens: tokensOf('reasoning') },
  ];
  const rest = sums.total_tokens - parts.reduce((sum, { tokens }) => sum + tokens, 0);
  return rest <= 0 ? parts : [...parts, { label: 'mix.rest', color: 'series-8', tokens: rest }];
}

/** The token mix, the same on every page. */
export function TokenMix({
  sums,
  mix,
  linkOf,
}: {
  readonly sums: TokenSums | undefined;
  readonly mix?: readonly TokenMixPart[];
  /** Requests behind a part; null = none alone. */
  readonly linkOf?: (label: TextKey) => UrlSearch | null;
}) {
  const { t } = useText();
  if (sums === undefined || sums.total_tokens === 0) return <p className="small ink-3">{t('analytics.noTokens')}</p>;
  const parts = tokenParts(sums, mix);
  return (
    <>
      <Group gap={1} wrap="nowrap" mb="sm" h={12} bg="var(--track)" aria-hidden="true">
        {parts.map(({ label, color, tokens }) => (
          <i key={label} style={{ flexGrow: tokens / sums.total_tokens, height: 12, background: `var(--${color})` }} />
        ))}
      </Group>
      <SimpleGrid component="dl" className="mix" minColWidth={168} spacing="xl" verticalSpacing="xs">
        {parts.map(({ label, color, tokens }) => (
          <Group key={label} gap={6} wrap="nowrap">
            <dt className="row ink-2" style={{ flex: 1, gap: 6 }}>
              <i style={{ width: 8, height: 8, borderRadius: 2, background: `var(--${color})` }} />
              <PartName name={t(label)} search={linkOf?.(label) ?? null} />
            </dt>
            <dd className="nowrap" title={formatCount(tokens)}>
              {formatCompact(tokens)}{' '}
              <span className="ink-3" style={{ display: 'inline-block', minWidth: 40, textAlign: 'right' }}>
                {formatShare(tokens / sums.total_tokens)}
              </span>
            </dd>
          </Group>
        ))}
        <Group gap={6} wrap="nowrap">
          <dt className="ink-2" style={{ flex: 1 }}>
            {t('tokens.total')}
          </dt>
          <dd title={formatCount(sums.total_tokens)} className="row">
            {formatCompact(sums.total_tokens)}
            <Explain name={t('mix.title')} text={EXPLAINED} />
          </dd>
        </Group>
      </SimpleGrid>
    </>
  );
}

function PartName({ name, search }: { readonly name: string; readonly search: UrlSearch | null }) {
  if (search === null) return name;
  return (
    <Link to="/monitoring" search={search} className="stat-link">
      {name}
    </Link>
  );
}
