import { type Answer, OPERATIONS, type Question } from './operations.ts';

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
