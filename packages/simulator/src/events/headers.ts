import type { Random } from '../random.ts';
import type { EventAccount } from './accounts.ts';

type ResponseHeaders = Record<string, string[]>;

/** Headers of a successful provider answer: quota windows, request ids, and what a front server adds. */
export function responseHeaders(
  account: EventAccount,
  random: Random,
  atMs: number,
  isStream: boolean,
): ResponseHeaders {
  const seconds = Math.floor(atMs / 1000);
  const id = random.hex(16);
  const shared: ResponseHeaders = {
    'Content-Type': [isStream ? 'text/event-stream; charset=utf-8' : 'application/json'],
    Date: [new Date(atMs).toUTCString()],
  };
  switch (account.provider) {
    case 'codex':
      return { ...shared, ...codexHeaders(account.plan, random, seconds, id) };
    case 'claude':
      return {
        ...shared,
        'Anthropic-Ratelimit-Unified-Status': ['allowed'],
        'Anthropic-Ratelimit-Unified-5h-Status': ['allowed'],
        'Anthropic-Ratelimit-Unified-5h-Reset': [String(nextMultiple(seconds, 18_000))],
        'Anthropic-Ratelimit-Unified-5h-Utilization': [usedShare(seconds, 18_000, account.weight).toFixed(2)],
        'Anthropic-Ratelimit-Unified-7d-Status': ['allowed'],
        'Anthropic-Ratelimit-Unified-7d-Reset': [String(nextMultiple(seconds, 604_800))],
        'Anthropic-Ratelimit-Unified-7d-Utilization': [usedShare(seconds, 604_800, account.weight).toFixed(2)],
        'Request-Id': [`req_sim_${id}`],
        'Cf-Ray': [`${id}-FRA`],
        Server: ['cloudflare'],
        Via: ['1.1 google'],
        'Strict-Transport-Security': ['max-age=31536000; includeSubDomains; preload'],
      };
    case 'antigravity':
      return {
        ...shared,
        Server: ['ESF'],
        'X-Content-Type-Options': ['nosniff'],
        'Server-Timing': ['gfet4t7; dur=812'],
      };
    case 'xai':
      return {
        ...shared,
        'X-Ratelimit-Limit-Requests': ['480'],
        'X-Ratelimit-Remaining-Requests': [String(random.integer(100, 479))],
        'X-Request-Id': [id],
      };
    default:
      return { ...shared, 'X-Request-Id': [`nw-req-${id}`] };
  }
}

function codexHeaders(plan: string, random: Random, seconds: number, id: string): ResponseHeaders {
  const primaryReset = nextMultiple(seconds, 18_000);
  const weeklyReset = nextMultiple(seconds, 604_800);
  return {
    'Cf-Ray': [`${id}-FRA`],
    Server: ['cloudflare'],
    'X-Oai-Request-Id': [`req_sim_${id}`],
    'X-Codex-Plan-Type': [plan],
    'X-Codex-Active-Limit': ['premium'],
    'X-Codex-Primary-Used-Percent': [String(Math.round(usedShare(seconds, 18_000, 0.7) * 100))],
    'X-Codex-Primary-Reset-At': [String(primaryReset)],
    'X-Codex-Primary-Reset-After-Seconds': [String(primaryReset - seconds)],
    'X-Codex-Primary-Window-Minutes': ['300'],
    'X-Codex-Secondary-Used-Percent': [String(Math.round(usedShare(seconds, 604_800, 0.8) * 100))],
    'X-Codex-Secondary-Reset-At': [String(weeklyReset)],
    'X-Codex-Secondary-Reset-After-Seconds': [String(weeklyReset - seconds)],
    'X-Codex-Secondary-Window-Minutes': ['10080'],
    'X-Codex-Credits-Has-Credits': ['false'],
    'X-Codex-Credits-Unlimited': ['false'],
    'Set-Cookie': [`sim_session=${random.hex(24)}; Path=/; HttpOnly`],
  };
}

function nextMultiple(seconds: number, window: number): number {
  return (Math.floor(seconds / window) + 1) * window;
}

/** Grows over a quota window. */
function usedShare(seconds: number, window: number, most: number): number {
  return Math.min(1, ((seconds % window) / window) * Math.min(1, most + 0.1));
}
