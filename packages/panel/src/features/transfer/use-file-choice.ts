import { useRef, useState } from 'react';
import { useTransfers } from './transfers.ts';
import { toProblem, type UploadProblem } from './upload/problem.ts';
import type { UploadSession } from './upload/session.ts';
import { checkChoice, type UploadSource } from './upload/source.ts';

export interface FileChoice {
  /** Waits for confirmation. */
  readonly file: UploadSource | null;
  /** Why a file is rejected. */
  readonly refused: UploadProblem | null;
  /** The last one started from this page: it can be imported again. */
  readonly last: UploadSource | null;
  /** Opens the browser's dialog. @param session the one that the file has to belong to */
  readonly open: (session?: UploadSession) => void;
  /** The file that was picked in it. */
  readonly take: (file: UploadSource) => void;
  /** A file for a new import. */
  readonly offer: (file: UploadSource) => void;
  /** Imports the waiting file. */
  readonly confirm: () => void;
  readonly discard: () => void;
  readonly bindInput: (input: HTMLInputElement | null) => void;
}

/** @param quotaBytes of the server; null when unknown */
export function useFileChoice(quotaBytes: number | null): FileChoice {
  const { uploads } = useTransfers();
  const input = useRef<HTMLInputElement>(null);
  const wanted = useRef<UploadSession | null>(null);
  const [file, setFile] = useState<UploadSource | null>(null);
  const [last, setLast] = useState<UploadSource | null>(null);
  const [refused, setRefused] = useState<UploadProblem | null>(null);

  function start(source: UploadSource, session?: UploadSession): void {
    setFile(null);
    setRefused(null);
    setLast(source);
    uploads.controller.start(source, session);
  }

  function offer(source: UploadSource): void {
    setRefused(null);
    try {
      checkChoice(source, quotaBytes);
      setFile(source);
    } catch (error) {
      setRefused(toProblem(error));
    }
  }

  return {
    file,
    refused,
    last,
    open: (session) => {
      wanted.current = session ?? null;
      input.current?.click();
    },
    take: (source) => {
      const session = wanted.current;
      wanted.current = null;
      // The upload itself checks whether the file belongs to its session.
      if (session === null) offer(source);
      else start(source, session);
    },
    offer,
    confirm: () => {
      if (file !== null) start(file);
    },
    discard: () => setFile(null),
    bindInput: (element) => {
      input.current = element;
    },
  };
}
