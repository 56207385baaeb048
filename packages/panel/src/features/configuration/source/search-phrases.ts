/** Texts of the code editor's own controls, by the English ones that it has. */
const CHINESE: Readonly<Record<string, string>> = {
  Find: '查找',
  Replace: '替换',
  next: '下一个',
  previous: '上一个',
  all: '全部',
  'match case': '区分大小写',
  regexp: '正则表达式',
  'by word': '全词匹配',
  replace: '替换',
  'replace all': '全部替换',
  close: '关闭',
  'current match': '当前匹配',
  'on line': '所在行',
  'replaced $ matches': '已替换 $ 处',
  'replaced match on line $': '已替换第 $ 行的匹配',
  'Fold line': '折叠',
  'Unfold line': '展开',
  'folded code': '已折叠的内容',
  unfold: '展开',
  'Control character': '控制字符',
  'Go to line': '转到行',
  go: '转到',
};

export function searchPhrases(language: string): Readonly<Record<string, string>> {
  return language.startsWith('zh') ? CHINESE : {};
}
