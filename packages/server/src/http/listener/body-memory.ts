import { AppError } from '@manager/core/contract/errors';

const MEBIBYTE = 1024 * 1024;
/** All request bodies in memory of callers without the admin key. */
const STRANGERS_BYTES = 32 * MEBIBYTE;
/** One of them must not take it all. */
const STRANGER_BYTES = 16 * MEBIBYTE;
/** Of the operator, whom strangers must not starve. Bodies that are streamed or written to files do not count. */
const OPERATOR_BYTES = 64 * MEBIBYTE;
const RETRY_SECONDS = 5;

/** What one request keeps in memory. */
export interface BodyAccount {
  /** @throws AppError 503 when the memory for bodies is used up. */
  take(bytes: number): void;
  /** The request has proven the admin key. */
  moveToOperator(): void;
  release(): void;
}

export interface BodyMemory {
  open(address: string): BodyAccount;
}

export interface BodyMemoryLimits {
  readonly strangers: number;
  readonly stranger: number;
  readonly operator: number;
}

/** Counts the request bodies that the process keeps in memory. */
export function createBodyMemory(
  limits: BodyMemoryLimits = { strangers: STRANGERS_BYTES, stranger: STRANGER_BYTES, operator: OPERATOR_BYTES },
): BodyMemory {
  const used = { strangers: 0, operator: 0 };
  const byAddress = new Map<string, number>();

  function count(address: string, bytes: number): void {
    used.strangers += bytes;
    const now = (byAddress.get(address) ?? 0) + bytes;
    if (now > 0) byAddress.set(address, now);
    else byAddress.delete(address);
  }

  return {
    open(address) {
      let taken = 0;
      let isOperator = false;
      return {
        take(bytes) {
          const isFull = isOperator
            ? used.operator + bytes > limits.operator
            : used.strangers + bytes > limits.strangers || (byAddress.get(address) ?? 0) + bytes > limits.stranger;
          if (isFull) throw new AppError('body_memory_full', { headers: { 'Retry-After': String(RETRY_SECONDS) } });
          taken += bytes;
          if (isOperator) used.operator += bytes;
          else count(address, bytes);
        },
        moveToOperator() {
          if (isOperator) return;
          isOperator = true;
          count(address, -taken);
          used.operator += taken;
        },
        release() {
          if (isOperator) used.operator -= taken;
          else count(address, -taken);
          taken = 0;
        },
      };
    },
  };
}

const accounts = new WeakMap<Request, BodyAccount>();

/** Binds what is read of a request to its account. */
export function accountBody(request: Request, account: BodyAccount): void {
  accounts.set(request, account);
}

/** @throws AppError 503 when the memory for bodies is used up. */
export function keepInMemory(request: Request, bytes: number): void {
  accounts.get(request)?.take(bytes);
}
