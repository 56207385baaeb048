import type { edits as english } from '../en/edits.ts';

export const edits = {
  'edits.altered': '网关保存的以下内容与发送的不同：{{fields}}。',
  'edits.conflict': '{{name}} 同时在别处被更改。',
  'edits.conflictFields': '双方都更改了：{{fields}}。',
  'edits.deleted': '{{name}} 已删除。',
  'edits.gone': '{{name}} 已在别处被删除。',
  'edits.kept': '此后在别处被更改，保持不变：{{fields}}。',
  'edits.notSaved': '{{name}} 未保存。',
  'edits.notWritten': '没有写入任何内容。',
  'edits.same': '{{name}}：网关中已是如此。',
  'edits.saved': '{{name}} 已保存。',
  'edits.takeTheirs': '使用已保存的值',
  'edits.taken': '另一个条目有相同的名称，或相同的密钥和地址。',
  'edits.unconfirmed': '网关确认了对 {{name}} 的更改，但没有列出它。',
  'edits.unconfirmedText': '可能有人在同一时刻更改了列表。请检查后重试。',
  'edits.unknown': '不知道 {{name}} 是否已更改。',
  'edits.unknownText': '响应丢失，且无法读取列表。请刷新以查看网关中的内容。',
} as const satisfies Partial<Record<keyof typeof english, string>>;
