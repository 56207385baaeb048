import { useMemo } from 'react';
import { isRecord, readStored, writeStored } from '../../platform/browser/storage.ts';
import {
  costColumn,
  formatCompact,
  formatCost,
  formatCostSum,
  formatCount,
  NONE,
} from '../../platform/format/format.ts';
import { createStore, useStore } from '../../platform/store.ts';
import { axisCost, axisCount } from '../../ui/chart/axis-format.ts';

/** How this browser shows costs: US dollars times a factor, with its own label. Files and links contain US dollars. */
export interface MoneySetting {
  readonly factor: number;
  /** '' = US dollars. */
  readonly label: string;
}

const DOLLARS: MoneySetting = { factor: 1, label: '' };
const MAX_LABEL = 8;

function parseMoney(stored: unknown): MoneySetting {
  const money = isRecord(stored) ? stored.money : undefined;
  if (!isRecord(money)) return DOLLARS;
  return validMoney(Number(money.factor), typeof money.label === 'string' ? money.label : '');
}

export function validMoney(factor: number, label: string): MoneySetting {
  const known = Number.isFinite(factor) && factor > 0 && factor <= 1e6;
  return { factor: known ? factor : 1, label: label.trim().slice(0, MAX_LABEL) };
}

const setting = createStore(parseMoney(readStored('browser', 'ui')));

export function setMoney(next: MoneySetting): void {
  setting.set(next);
  const stored = readStored('browser', 'ui');
  writeStored('browser', 'ui', { ...(isRecord(stored) ? stored : {}), money: next });
}

export interface Money {
  readonly setting: MoneySetting;
  /** Three significant decimals below 100, as everywhere. */
  readonly format: (usd: number | null | undefined) => string;
  /** A sum that may lack unpriced requests. */
  readonly sum: (usd: number, unpricedCalls: number | undefined) => string;
  /** Format of all costs of a column. */
  readonly column: typeof costColumn;
  /** A sum in its short form for tiles. */
  readonly tile: (usd: number, unpricedCalls: number | undefined) => string;
  readonly axis: (usd: number) => string;
  /** After names of costs: ` ×7.1`; '' in US dollars. */
  readonly mark: string;
}

/** From here on a tile shows three digits. */
const COMPACT_FROM = 100_000;
/** From here on `≥` replaces the cents. */
const MARKED_WHOLE_FROM = 10_000;

export function moneyOf(current: MoneySetting): Money {
  const { factor, label } = current;
  const symbol = label === '' ? '$' : label;
  const put = (text: string) => text.replace('$', () => symbol);
  const format = (usd: number | null | undefined) =>
    usd === null || usd === undefined ? NONE : put(formatCost(usd * factor));
  return {
    setting: current,
    format,
    sum: (usd, unpricedCalls) => formatCostSum(usd, unpricedCalls, format),
    column: (costs) => {
      const show = costColumn(Array.from(costs, (usd) => (usd === null ? null : usd * factor)));
      return (usd) => (usd === null ? NONE : put(show(usd * factor)));
    },
    tile: (usd, unpricedCalls) =>
      formatCostSum(usd, unpricedCalls, (known) => {
        if (known === null) return NONE;
        if (known * factor >= COMPACT_FROM) return `${symbol}${formatCompact(known * factor)}`;
        return unpricedCalls && known * factor >= MARKED_WHOLE_FROM
          ? `${symbol}${formatCount(known * factor)}`
          : format(known);
      }),
    axis: (usd) => (symbol === '$' ? axisCost(usd * factor) : `${symbol}${axisCount(usd * factor)}`),
    mark: factor === 1 ? '' : ` ×${factor}`,
  };
}

export function useMoney(): Money {
  const current = useStore(setting);
  return useMemo(() => moneyOf(current), [current]);
}
