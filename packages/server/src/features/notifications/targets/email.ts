import { messageOf } from '../../../platform/logging/error-text.ts';
import { plainText } from '../render.ts';
import type { Delivery, OptionsOf, Outgoing } from './delivery.ts';

const TIMEOUT_MS = 15_000;

/** One connection per message: they are few. The client is loaded with the first one. */
export async function sendEmail(options: OptionsOf<'email'>, outgoing: Outgoing): Promise<Delivery> {
  const { createTransport } = await import('nodemailer');
  const { host, port, security, username } = options;
  const transport = createTransport({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(username === '' ? {} : { auth: { user: username, pass: outgoing.secrets.password ?? '' } }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // Nothing of a message may be read from a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const stop = () => transport.close();
  outgoing.signal.addEventListener('abort', stop, { once: true });
  try {
    const { response, rejected } = await transport.sendMail({
      from: options.from,
      to: [...options.to],
      subject: outgoing.message.title,
      text: plainText(outgoing.message, outgoing.language),
      messageId: `<${outgoing.id}@${options.from.slice(options.from.indexOf('@') + 1)}>`,
      date: new Date(outgoing.createdAtMs),
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    const missed = rejected.length === 0 ? '' : ` (${rejected.length} recipients were refused)`;
    return { outcome: 'sent', status: replyCode(response), answer: `${response}${missed}`, retryAfterMs: null };
  } catch (error) {
    const status = codeOf(error);
    // 4xx replies are temporary there, 5xx are final.
    const outcome = status !== null && status >= 500 ? 'refused' : 'retry';
    return { outcome, status, answer: messageOf(error), retryAfterMs: null };
  } finally {
    outgoing.signal.removeEventListener('abort', stop);
    transport.close();
  }
}

function replyCode(text: string): number | null {
  return /^\d{3}/.test(text) ? Number(text.slice(0, 3)) : null;
}

function codeOf(error: unknown): number | null {
  const code: unknown = error instanceof Error && 'responseCode' in error ? error.responseCode : null;
  return typeof code === 'number' ? code : null;
}
