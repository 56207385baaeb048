import type { AnswerTimes, WatchedPaths } from './answer-times.ts';

declare const self: Worker;

const PAUSE_MS = 20;

let running = true;

async function watch({ url, adminKey, paths }: WatchedPaths): Promise<AnswerTimes[]> {
  const headers = { Authorization: `Bearer ${adminKey}` };
  const watched = paths.map((path) => ({ path, times: [] as number[], failed: 0 }));
  while (running) {
    for (const one of watched) {
      const begunMs = performance.now();
      const isGood = await fetch(url + one.path, { headers }).then(
        async (answer) => (await answer.text()) !== '' && answer.ok,
        () => false,
      );
      one.times.push(performance.now() - begunMs);
      if (!isGood) one.failed += 1;
    }
    await Bun.sleep(PAUSE_MS);
  }
  for (const { times } of watched) times.sort((left, right) => left - right);
  return watched;
}

self.onmessage = (event: MessageEvent<WatchedPaths | null>) => {
  if (event.data === null) running = false;
  else void watch(event.data).then((answers) => self.postMessage(answers));
};
