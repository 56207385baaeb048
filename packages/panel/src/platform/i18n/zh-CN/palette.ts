import type { palette as english } from '../en/palette.ts';

export const palette = {
  'palette.accounts': '账号',
  'palette.actions': '操作',
  'palette.findRequest': '查找包含“{{text}}”的请求',
  'palette.keys': '客户端密钥',
  'palette.loading': '加载中',
  'palette.models': '模型',
  'palette.nothing': '没有结果',
  'palette.openRequest': '打开此哈希的请求',
  'palette.pages': '页面',
  'palette.placeholder': '页面、设置、账号、模型、客户端密钥、请求 ID',
  'palette.refreshAll': '全部刷新',
  'palette.requests': '请求',
  'palette.settings': '网关设置',
} as const satisfies Partial<Record<keyof typeof english, string>>;
