import type { TargetLanguage } from '@manager/core/contract/notifications/kinds';
import { EN } from './en.ts';
import type { MessageTexts } from './message-texts.ts';
import { ZH_CN } from './zh-cn.ts';

export const MESSAGE_TEXTS: Readonly<Record<TargetLanguage, MessageTexts>> = { en: EN, 'zh-CN': ZH_CN };
