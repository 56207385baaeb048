import type { range as english } from '../en/range.ts';

export const range = {
  'range.14d': '14 天',
  'range.1h': '1 小时',
  'range.24h': '24 小时',
  'range.30d': '30 天',
  'range.7d': '7 天',
  'range.all': '全部',
  'range.apply': '应用范围',
  'range.custom': '自定义',
  'range.from': '开始，{{zone}}',
  'range.invalid': '开始必须早于结束。',
  'range.label': '时间范围',
  'range.to': '结束，{{zone}}',
  'range.today': '今天',
  'range.yesterday': '昨天',
} as const satisfies Partial<Record<keyof typeof english, string>>;
