import type { StoredTarget } from './target-row.ts';
import type { Delivery, OptionsOf, Outgoing, Secrets, Send } from './targets/delivery.ts';
import { SENDERS } from './targets/senders.ts';

export type Message = Pick<Outgoing, 'id' | 'message' | 'content' | 'isTest' | 'createdAtMs'>;

/** One attempt to deliver a message. Never rejects because of what the service does. */
export type Deliver = (target: StoredTarget, secrets: Secrets, message: Message) => Promise<Delivery>;

export function createDeliver(deps: { readonly now: () => number; readonly stopping: AbortSignal }): Deliver {
  return (target, secrets, message) => {
    // The options were checked for this kind when the target was stored.
    const send = SENDERS[target.kind] as Send<OptionsOf<StoredTarget['kind']>>;
    return send(target.config.options, {
      ...message,
      language: target.config.language,
      secrets,
      nowMs: deps.now(),
      signal: deps.stopping,
    });
  };
}
