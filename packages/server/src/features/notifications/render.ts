import type { NotificationEvent, TargetLanguage } from '@manager/core/contract/notifications/kinds';
import type { Zone } from '@manager/core/time/zones';
import { ACCOUNT_EVENTS } from './condition.ts';
import type { ChangedCondition, ChangeGroup, MessageContent } from './content.ts';
import { eventLink, panelLink } from './panel-links.ts';
import type { MessageTexts } from './texts/message-texts.ts';
import { MESSAGE_TEXTS } from './texts/texts.ts';

/** Where the notifications themselves are set. */
const SETTINGS_PAGE = '/notifications';

interface TextOptions {
  readonly language: TargetLanguage;
  readonly zone: Zone;
  /** False: accounts are named by their provider alone. */
  readonly showAccounts: boolean;
}

export interface RenderOptions extends TextOptions {
  readonly baseUrl: string;
}

/** A message in words. */
export interface RenderedMessage {
  /** One line. */
  readonly title: string;
  /** One line per group of changes, each with its link. */
  readonly lines: readonly RenderedLine[];
  /** Of the page that explains the first change; '' = no base URL. */
  readonly url: string;
}

export interface RenderedLine {
  readonly text: string;
  readonly url: string;
}

export function renderMessage(content: MessageContent, options: RenderOptions): RenderedMessage {
  const texts = MESSAGE_TEXTS[options.language];
  const lines = content.groups.map((group) => ({
    text: lineOf(group, texts, options),
    url: eventLink(options.baseUrl, group.event),
  }));
  return { title: titleOf(content, options), lines, url: lines[0]?.url ?? '' };
}

/** The title of `renderMessage`. */
export function titleOf({ groups }: MessageContent, options: TextOptions): string {
  const texts = MESSAGE_TEXTS[options.language];
  const [first] = groups;
  if (first === undefined) throw new Error('a message without changes');
  const head = headline(first, texts, options);
  if (groups.length === 1) return head;
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  return `${fill(texts.digest, { count })}${texts.colon}${head}`;
}

export function renderTest({ language, baseUrl }: Pick<RenderOptions, 'language' | 'baseUrl'>): RenderedMessage {
  const { test } = MESSAGE_TEXTS[language];
  const url = panelLink(baseUrl, SETTINGS_PAGE);
  return { title: test.title, lines: [{ text: test.text, url }], url };
}

/** The lines with their links, as plain text. A link that several lines share is named once. */
export function plainText({ lines }: RenderedMessage, language: TargetLanguage): string {
  const { link } = MESSAGE_TEXTS[language];
  return lines
    .map(({ text, url }, index) => {
      const isLast = url !== '' && lines[index + 1]?.url !== url;
      return isLast ? `${text}\n${fill(link, { url })}` : text;
    })
    .join('\n');
}

const unchanged = (text: string): string => text;

/**
 * Title and text as one, for services without a title of their own. A title that begins the text is not repeated.
 *
 * @param escaped makes plain what means something there
 * @param strong marks the title
 */
export function chatText(
  message: RenderedMessage,
  language: TargetLanguage,
  { escaped = unchanged, strong = unchanged }: ChatMarks = {},
): string {
  const { title } = message;
  const text = plainText(message, language);
  const rest = text.startsWith(title) ? text.slice(title.length) : `\n${text}`;
  return strong(escaped(title)) + escaped(rest);
}

interface ChatMarks {
  readonly escaped?: (text: string) => string;
  readonly strong?: (text: string) => string;
}

function headline(group: ChangeGroup, texts: MessageTexts, options: TextOptions): string {
  const [first] = group.items;
  const sentences = texts.events[group.event][group.change];
  if (group.count > 1 || first === undefined) return fill(sentences.many, { count: group.count });
  return fill(sentences.one, valuesOf(group.event, first, texts, options));
}

function lineOf(group: ChangeGroup, texts: MessageTexts, options: TextOptions): string {
  const head = headline(group, texts, options);
  const [first] = group.items;
  if (group.count === 1 && first !== undefined) {
    return [head, ...followUps(first, group, texts, options)].join(texts.sentenceSeparator);
  }
  const names = options.showAccounts
    ? group.items.map((item) => nameOf(group.event, item, texts, options)).filter((name) => name !== '')
    : [];
  if (names.length === 0) return head;
  const rest = group.count - names.length;
  const more = rest > 0 ? [fill(texts.more, { count: rest })] : [];
  return `${head}${texts.colon}${[...names, ...more].join(texts.listSeparator)}`;
}

/** Sentences about what is known beyond the name. */
function followUps(
  item: ChangedCondition,
  { change }: ChangeGroup,
  { resets, reasons }: MessageTexts,
  { zone }: TextOptions,
): readonly string[] {
  const { resetAtMs, reason } = item.facts;
  if (change !== 'raised') return [];
  return [
    ...(resetAtMs === undefined ? [] : [fill(resets, { time: timeText(resetAtMs, zone) })]),
    ...(reason === undefined ? [] : [reasons[reason]]),
  ];
}

function valuesOf(
  event: NotificationEvent,
  item: ChangedCondition,
  texts: MessageTexts,
  options: TextOptions,
): Record<string, string> {
  const { facts, sinceMs, untilMs } = item;
  const time = (ms: number | null | undefined) => (ms == null ? texts.unknown : timeText(ms, options.zone));
  return {
    name: nameOf(event, item, texts, options) || texts.unknown,
    from: time(sinceMs),
    until: time(untilMs),
    to: time(facts.toMs),
    left: facts.leftPercent === undefined ? texts.unknown : `${Math.floor(facts.leftPercent)}%`,
    free: facts.freeBytes === undefined ? texts.unknown : bytesText(facts.freeBytes),
    used: facts.usedUsd === undefined ? texts.unknown : dollarText(facts.usedUsd),
    limit: facts.limitUsd === undefined ? texts.unknown : dollarText(facts.limitUsd),
    running: facts.running ?? texts.unknown,
  };
}

function nameOf(
  event: NotificationEvent,
  item: ChangedCondition,
  texts: MessageTexts,
  { showAccounts }: TextOptions,
): string {
  const { name, provider, facts } = item;
  if (facts.scope === 'all') return texts.allRequests;
  if (facts.scope === 'client_key' && !showAccounts) return texts.someClientKey;
  const isHidden = ACCOUNT_EVENTS.has(event) && !showAccounts;
  const hidden = provider === '' ? '' : fill(texts.someAccount, { provider });
  const shown = isHidden ? hidden : name;
  const length = facts.windowSeconds === undefined ? '' : windowLength(facts.windowSeconds, texts);
  return [shown, length].filter((part) => part !== '').join(' ');
}

function windowLength(seconds: number, texts: MessageTexts): string {
  if (seconds % 86_400 === 0 && seconds > 86_400) return fill(texts.days, { value: seconds / 86_400 });
  if (seconds % 3_600 === 0) return fill(texts.hours, { value: seconds / 3_600 });
  return fill(texts.minutes, { value: Math.round(seconds / 60) });
}

/** Local, with the offset: the zone of the reader may be another one. */
function timeText(ms: number, zone: Zone): string {
  const offsetMs = zone.offsetAt(ms);
  const local = new Date(ms + offsetMs).toISOString().slice(0, 16).replace('T', ' ');
  const minutes = Math.round(offsetMs / 60_000);
  const sign = minutes < 0 ? '-' : '+';
  const two = (value: number) => String(value).padStart(2, '0');
  return `${local} ${sign}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
}

function bytesText(bytes: number): string {
  const gib = bytes / 2 ** 30;
  return gib >= 1 ? `${gib.toFixed(1)} GiB` : `${Math.round(bytes / 2 ** 20)} MiB`;
}

function dollarText(usd: number): string {
  return `$${usd.toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ',')}`;
}

function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
