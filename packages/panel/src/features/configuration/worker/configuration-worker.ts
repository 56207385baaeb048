import { type Answer, OPERATIONS, type Question } from './operations.ts';

// Each error of a text is an `Error`: with their stacks, those of a long text take 300 MB.
Object.assign(Error, { stackTraceLimit: 0 });

globalThis.onmessage = ({ data }: MessageEvent<Question>) => {
  globalThis.postMessage(answer(data));
};

function answer({ id, name, args }: Question): Answer {
  try {
    return { id, result: (OPERATIONS[name] as (...given: readonly unknown[]) => unknown)(...args) };
  } catch (error) {
    return { id, failure: error instanceof Error ? error.message : String(error) };
  }
}
