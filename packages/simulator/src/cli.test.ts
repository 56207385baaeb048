import { expect, test } from 'bun:test';
import { callSimulator } from './control/client.ts';

test('runs alone with traffic and a control port, and reports on SIGTERM', async () => {
  const child = Bun.spawn({
    cmd: [
      process.execPath,
      `${import.meta.dir}/cli.ts`,
      ...['--port', '0', '--control-port', '0', '--profile', 'v7.1.39', '--key', 'other-key', '--rate', '500'],
      ...['--accounts', '5', '--auth-files', '30', '--numbered'],
    ],
    stdout: 'pipe',
    stderr: 'pipe',
  });
  try {
    const reader = child.stdout.getReader();
    const first = await reader.read();
    const { url, controlUrl, profile } = JSON.parse(Buffer.from(first.value ?? []).toString());
    expect(profile).toBe('v7.1.39');
    const files = await fetch(`${url}/v0/management/auth-files`, { headers: { Authorization: 'Bearer other-key' } });
    expect(await files.json()).toMatchObject({ files: { length: 30 } });
    let published = 0;
    while (published < 50) {
      await Bun.sleep(20);
      const deliveries = (await callSimulator(controlUrl, 'deliveries')) as { published: number };
      published = deliveries.published;
    }
    expect(await callSimulator(controlUrl, 'fate', 1)).toEqual({ state: 'queued' });
  } finally {
    child.kill('SIGTERM');
  }
  expect(await child.exited).toBe(0);
  expect(JSON.parse(await new Response(child.stderr).text()).published).toBeGreaterThanOrEqual(50);
});
