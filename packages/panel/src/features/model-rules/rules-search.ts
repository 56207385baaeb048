import type { Address } from '../../platform/browser/address.ts';
import { isPrivateText } from '../../platform/browser/private-text.ts';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { CHANNELS, RULE_KINDS, type RuleKind } from './model/rules.ts';

/** Address parameters of the page. */
export interface RulesSearch {
  readonly editor: RuleKind;
  readonly editorProvider: string;
  /** Model to look up. */
  readonly model: string;
}

const MAX_TEXT = 200;

export const RULES_ADDRESS: Address<RulesSearch> = {
  read: (url) => {
    const channel = (url.editorProvider?.[0] ?? '').trim().toLowerCase();
    const model = (url.model?.[0] ?? '').trim();
    return {
      editor: RULE_KINDS.find((kind) => kind === url.editor?.[0]) ?? 'excluded',
      editorProvider: /^[a-z0-9._-]{1,64}$/.test(channel) ? channel : CHANNELS[0],
      model: model.length > MAX_TEXT ? '' : model,
    };
  },
  write: ({ editor, editorProvider, model }, before: UrlSearch) => {
    const { editor: _editor, editorProvider: _provider, model: _model, ...others } = before;
    return {
      ...others,
      ...(editor === 'excluded' ? {} : { editor: [editor] }),
      ...(editorProvider === CHANNELS[0] ? {} : { editorProvider: [editorProvider] }),
      ...(model === '' || isPrivateText(model) ? {} : { model: [model] }),
    };
  },
};
