import type { TargetLanguage } from '@manager/core/contract/notifications/kinds';
import type { Zone } from '@manager/core/time/zones';
import type { ChangedCondition, ChangeGroup, MessageContent } from './content.ts';
import { eventLink, panelLink } from './panel-links.ts';
import type { MessageTexts } from './texts/message-texts.ts';
import { MESSAGE_TEXTS } from './texts/texts.ts';

/** Where the notifications themselves are set. */
const SETTINGS_PAGE = '/notifications';

export interface RenderOptions {
  readonly language: TargetLanguage;
  readonly zone: Zone;
  readonly baseUrl: string;
  /** False: accounts are named by their provider alone. */
  readonly showAccounts: boolean;
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
  const [first] = content.groups;
  if (first === undefined) throw new Error('a message without changes');
  const count = content.groups.reduce((sum, group) => sum + group.count, 0);
  const title =
    content.groups.length === 1
      ? headline(first, texts, options)
      : `${fill(texts.digest, { count })}${texts.colon}${headline(first, texts, options)}`;
  return { title, lines, url: eventLink(options.baseUrl, first.event) };
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

function headline(group: ChangeGroup, texts: MessageTexts, options: RenderOptions): string {
  const [first] = group.items;
  const sentences = texts.events[group.event][group.change];
  if (group.count > 1 || first === undefined) return fill(sentences.many, { count: group.count });
  return fill(sentences.one, valuesOf(first, texts, options));
}

function lineOf(group: ChangeGroup, texts: MessageTexts, options: RenderOptions): string {
  const head = headline(group, texts, options);
  const [first] = group.items;
  if (group.count === 1 && first !== undefined) {
    return [head, ...followUps(first, group, texts, options)].join(texts.sentenceSeparator);
  }
  const names = options.showAccounts
    ? group.items.map((item) => nameOf(item, texts, options)).filter((name) => name !== '')
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
  { zone }: RenderOptions,
): readonly string[] {
  const { resetAtMs, reason } = item.facts;
  if (change !== 'raised') return [];
  return [
    ...(resetAtMs === undefined ? [] : [fill(resets, { time: timeText(resetAtMs, zone) })]),
    ...(reason === undefined ? [] : [reasons[reason]]),
  ];
}

function valuesOf(item: ChangedCondition, texts: MessageTexts, options: RenderOptions): Record<string, string> {
  const { facts, sinceMs, untilMs } = item;
  const time = (ms: number | null | undefined) => (ms == null ? texts.unknown : timeText(ms, options.zone));
  return {
    name: nameOf(item, texts, options) || texts.unknown,
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

function nameOf(item: ChangedCondition, texts: MessageTexts, { showAccounts }: RenderOptions): string {
  const { name, provider, facts } = item;
  if (facts.scope === 'all') return texts.allRequests;
  if (facts.scope === 'client_key' && !showAccounts) return texts.someClientKey;
  const isAccount = provider !== '';
  const shown = isAccount && !showAccounts ? fill(texts.someAccount, { provider }) : name;
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
