import { VIEWER_STATUSES } from '@manager/core/contract/viewer-links/words';
import type { Address } from '../../platform/browser/address.ts';
import type { RangeChoice } from '../../platform/range/range.ts';
import { type RangeRules, readRange, writeRange } from '../../platform/range/range-url.ts';

export const VIEWER_RANGES: RangeRules = {
  names: ['24h', 'today', '7d', '30d', 'month', 'last_month'],
  fallback: '7d',
  parameter: 'time_range',
  rolling: true,
};

export type ViewerStatus = (typeof VIEWER_STATUSES)[number];

export interface ViewerSearch {
  readonly range: RangeChoice;
  /** Hash of a client key; '' = all. */
  readonly key: string;
  /** '' = all. */
  readonly model: string;
  readonly status: ViewerStatus;
}

export const VIEWER_ADDRESS: Address<ViewerSearch> = {
  read: (url) => ({
    range: readRange(url, VIEWER_RANGES),
    key: url.key?.[0] ?? '',
    model: url.model?.[0] ?? '',
    status: VIEWER_STATUSES.find((status) => status === url.status?.[0]) ?? 'all',
  }),
  write: ({ range, key, model, status }, others) => {
    const { key: _, model: _model, status: _status, ...url } = writeRange(range, VIEWER_RANGES, others);
    return {
      ...url,
      ...(key === '' ? {} : { key: [key] }),
      ...(model === '' ? {} : { model: [model] }),
      ...(status === 'all' ? {} : { status: [status] }),
    };
  },
};
