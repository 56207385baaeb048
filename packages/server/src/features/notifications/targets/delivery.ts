import type { SecretName, TargetLanguage } from '@manager/core/contract/notifications/kinds';
import type { TargetRequest } from '@manager/core/contract/notifications/targets';
import type { MessageContent } from '../content.ts';
import type { RenderedMessage } from '../render.ts';

/** What came of one attempt. */
export interface Delivery {
  /** `retry`: it may work later; `refused`: the same message never will. */
  readonly outcome: 'sent' | 'retry' | 'refused';
  /** HTTP status, or reply code of a mail server; null = no answer. */
  readonly status: number | null;
  /** What was answered, or why nothing was; may repeat secrets. */
  readonly answer: string;
  /** Until then another attempt is pointless; null = not said. */
  readonly retryAfterMs: number | null;
}

export type Secrets = Readonly<Partial<Record<SecretName, string>>>;

/** A message on its way to a target. */
export interface Outgoing {
  /** The same for every attempt, so that a receiver can skip a second copy. */
  readonly id: string;
  readonly message: RenderedMessage;
  readonly content: MessageContent;
  readonly isTest: boolean;
  readonly language: TargetLanguage;
  readonly createdAtMs: number;
  readonly secrets: Secrets;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

/** Delivers a message; never rejects because of what the service does. */
export type Send<Options> = (options: Options, outgoing: Outgoing) => Promise<Delivery>;

export type OptionsOf<Kind extends TargetRequest['kind']> = Extract<TargetRequest, { kind: Kind }>['options'];
export type Senders = { readonly [Kind in TargetRequest['kind']]: Send<OptionsOf<Kind>> };
