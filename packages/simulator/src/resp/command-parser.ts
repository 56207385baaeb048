/** Result of the parser: a command, or why the connection must end. */
interface CommandSink {
  command(elements: readonly string[]): void;
  /** `*0`; the connection stays open. */
  empty(): void;
  /** Invalid bytes; nothing after them is read. */
  malformed(): void;
}

interface CommandParser {
  push(bytes: Uint8Array): void;
  /** Whether the stream stops inside a bulk string. */
  insideBulk(): boolean;
}

const LF = 0x0a;

/** Incremental reader of RESP2 commands: arrays of bulk, simple or integer elements. */
export function createCommandParser(sink: CommandSink): CommandParser {
  let pending: Buffer = Buffer.alloc(0);
  let elements: string[] = [];
  let expected = 0;
  let bulkLength: number | null = null;
  let isBroken = false;

  function fail(): false {
    isBroken = true;
    pending = Buffer.alloc(0);
    sink.malformed();
    return false;
  }

  function takeLine(): string | null {
    const end = pending.indexOf(LF);
    if (end < 0) return null;
    const line = pending.toString('utf8', 0, end).replace(/\r$/, '');
    pending = pending.subarray(end + 1);
    return line;
  }

  function add(element: string): void {
    elements.push(element);
    if (elements.length < expected) return;
    const complete = elements;
    elements = [];
    expected = 0;
    sink.command(complete);
  }

  /** Reads one unit; false when more bytes are needed or the stream is broken. */
  function step(): boolean {
    if (bulkLength !== null) {
      if (pending.length < bulkLength + 2) return false;
      const text = pending.toString('utf8', 0, bulkLength);
      if (pending[bulkLength] !== 0x0d || pending[bulkLength + 1] !== LF) return fail();
      pending = pending.subarray(bulkLength + 2);
      bulkLength = null;
      add(text);
      return true;
    }
    if (pending.length === 0) return false;
    const isHeader = expected === 0;
    if (isHeader && pending[0] !== 0x2a) return fail();
    const line = takeLine();
    if (line === null) return false;
    const value = line.slice(1);
    if (isHeader || line.startsWith('$')) {
      if (!/^\d{1,10}$/.test(value)) return fail();
      if (!isHeader) bulkLength = Number(value);
      else if (Number(value) === 0) sink.empty();
      else expected = Number(value);
      return true;
    }
    if (!line.startsWith('+') && !line.startsWith(':')) return fail();
    add(value);
    return true;
  }

  return {
    push(bytes) {
      if (isBroken) return;
      pending = pending.length === 0 ? Buffer.from(bytes) : Buffer.concat([pending, bytes]);
      while (!isBroken && step()) {
        // Each step takes one line or one bulk string.
      }
    },
    insideBulk: () => bulkLength !== null,
  };
}
