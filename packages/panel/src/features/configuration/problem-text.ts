import type { TextKey, Translate } from '../../platform/i18n/index.ts';
import type { TextProblem } from './model/yaml-text.ts';

const KINDS: Readonly<Record<TextProblem['kind'], TextKey>> = {
  syntax: 'config.problemSyntax',
  duplicate: 'config.problemDuplicate',
  documents: 'config.problemDocuments',
  mapping: 'config.problemMapping',
  empty: 'config.problemEmpty',
};

/** What is wrong with a text, with its place. */
export function problemText(t: Translate, { kind, line, column, message }: TextProblem): string {
  const what = [t(KINDS[kind]), message === '' ? '' : `(${message})`].filter(Boolean).join(' ');
  return t('config.brokenText', { line, column, message: what });
}
