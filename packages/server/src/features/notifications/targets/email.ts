import { messageOf } from '../../../platform/logging/error-text.ts';
import { plainText } from '../render.ts';
import { HIDDEN } from '../secrets.ts';
import type { Delivery, OptionsOf, Outgoing } from './delivery.ts';

const TIMEOUT_MS = 15_000;
/** Of a whole attempt: a server that never ends an answer would hold up every other target. */
const ATTEMPT_MS = 60_000;
/** Until a server that goes on sending is cut off. */
const CLOSE_MS = 1_000;

/** One connection per message: they are few. The client is loaded with the first one. */
export async function sendEmail(
  options: OptionsOf<'email'>,
  outgoing: Outgoing,
  attemptMs = ATTEMPT_MS,
): Promise<Delivery> {
  const { createTransport } = await import('nodemailer');
  const { host, port, security, username } = options;
  const password = outgoing.secrets.password ?? '';
  const transport = createTransport({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(username === '' ? {} : { auth: { user: username, pass: password } }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    socketCloseTimeout: CLOSE_MS,
    // Nothing of a message may be read from a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // How they are sent, with AUTH PLAIN and with AUTH LOGIN: a server may repeat its line.
  const sent = [`\0${username}\0${password}`, ...(password === '' ? [] : [password])];
  const withoutCredentials = (text: string) =>
    sent.reduce((left, form) => left.replaceAll(Buffer.from(form).toString('base64'), HIDDEN), text);
  const tooLong = AbortSignal.timeout(attemptMs);
  try {
    const { response, rejected } = await transport.sendMail({
      from: options.from,
      to: [...options.to],
      subject: outgoing.message.title,
      text: plainText(outgoing.message, outgoing.language),
      messageId: `<${outgoing.id}@${options.from.slice(options.from.indexOf('@') + 1)}>`,
      date: new Date(outgoing.createdAtMs),
      headers: { 'Auto-Submitted': 'auto-generated' },
      signal: AbortSignal.any([outgoing.signal, tooLong]),
    });
    const missed = rejected.length === 0 ? '' : ` (${rejected.length} recipients were refused)`;
    const answer = withoutCredentials(`${response}${missed}`);
    return { outcome: 'sent', status: replyCode(response), answer, retryAfterMs: null };
  } catch (error) {
    const status = codeOf(error);
    // 4xx replies are temporary there, 5xx are final.
    const outcome = status !== null && status >= 500 ? 'refused' : 'retry';
    const answer = tooLong.aborted
      ? `not finished within ${attemptMs / 1_000} seconds`
      : withoutCredentials(messageOf(error));
    return { outcome, status, answer, retryAfterMs: null };
  } finally {
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
