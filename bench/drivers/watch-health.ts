// Asks `/health` of the manager at the given URL until it gets SIGTERM, then prints how long each answer took, in ms.

const EVERY_MS = 20;

const [url = ''] = process.argv.slice(2);
const times: number[] = [];
process.on('SIGTERM', () => {
  console.log(JSON.stringify(times));
  process.exit(0);
});
for (;;) {
  const beganMs = performance.now();
  await (await fetch(`${url}/health`)).arrayBuffer();
  times.push(performance.now() - beganMs);
  await Bun.sleep(EVERY_MS);
}
