import type { Masker } from '../../platform/format/mask.ts';
import type { TextKey, Translate } from '../../platform/i18n/index.ts';
import type { Misfit } from './model/misfits.ts';
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

/** A value that the gateway does not accept, with its place. */
export function misfitText(t: Translate, masker: Masker, { id, value, line }: Misfit): string {
  return t('config.badYaml', { line, message: `${id}: ${t('config.invalidValue', { value: masker.log(value) })}` });
}
