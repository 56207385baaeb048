import type { parts as english } from '../en/parts.ts';

export const parts = {
  'dialog.typeWord': '输入 {{word}} 以确认',
  'export.csv': '保存为 CSV',
  'export.csvMark': '保存为电子表格用 CSV',
  'export.json': '保存为 JSON',
  'export.open': '导出',
  'export.rows_other': '{{rows}} 行',
  'export.unmaskedSave': '保存',
  'export.unmaskedText': '脱敏已关闭，文件将包含完整的名称、地址和哈希。此标签页只询问一次。',
  'export.unmaskedTitle': '保存未脱敏的数据',
  'grid.ascending': '{{column}}，升序',
  'grid.descending': '{{column}}，降序',
  'grid.fold': '{{name}} 的明细',
  'grid.select': '选择 {{name}}',
  'grid.selectAll': '全选',
  'grid.sort': '排序',
  'grid.sortedBy': '排序：{{column}}',
  'table.loading': '加载中',
} as const satisfies Partial<Record<keyof typeof english, string>>;
