import { useEffect, useRef } from 'react';
import type { Account } from '../../platform/accounts/account.ts';
import type { AccountRow } from '../../platform/accounts/rows.ts';
import { successorOf } from './model/successor.ts';

/** An open account that got another index or file name stays open under its new key. */
export function useFollowedAccount(
  rows: readonly AccountRow[] | undefined,
  open: AccountRow | null,
  key: string,
  onMove: (key: string) => void,
): void {
  const last = useRef<Account | null>(null);
  const move = useRef(onMove);
  useEffect(() => {
    move.current = onMove;
    if (open !== null) last.current = open.account;
  });
  useEffect(() => {
    const before = last.current;
    if (rows === undefined || open !== null || before === null || before.key !== key) return;
    const next = successorOf(
      before,
      rows.map(({ account }) => account),
    );
    if (next !== null) move.current(next.key);
  }, [rows, open, key]);
}
