import { afterAll, describe, expect, test } from 'bun:test';
import { until } from '@manager/core/testing/until';
import { makeEvents } from '@manager/simulator';
import { ManagerProcess } from '../support/manager-process.ts';
import { readExport, readStatus } from '../support/status.ts';
import { boundTo, startTestGateway } from '../support/test-gateway.ts';

const managers: ManagerProcess[] = [];
afterAll(async () => {
  for (const manager of managers) await manager.remove();
});

describe('100 events of which four are odd', () => {
  test.each(['subscribe', 'http', 'resp'])(
    'over %s: the good ones are stored, each odd one is stored repaired or kept as a dead letter, and the counts add up',
    async (mode) => {
      const gateway = await startTestGateway();
      const manager = await ManagerProcess.start({ env: boundTo(gateway, mode) });
      managers.push(manager);
      await until(async () => (await readStatus(manager)).collector.collector === 'running');

      const events = makeEvents({ seed: 3, numberFrom: 0 });
      const good = Array.from({ length: 96 }, () => events.next().value.text);
      const spoil = (spoiler: (text: string) => string) => spoiler(events.next().value.text);
      const odd = [
        spoil((text) => text.replace('"model":"', '"model":"nul\\u0000')),
        spoil((text) => text.replace('"model":"', '"model":"lone\\ud800')),
        'this is not JSON',
        spoil((text) =>
          text
            .replace(/"fail":\{[^}]*\}/, `"fail":{"status_code":500,"body":"${'x'.repeat(11 * 1024 * 1024)}"}`)
            .replace('"failed":false', '"failed":true'),
        ),
      ];
      for (const [index, text] of [...good.slice(0, 50), ...odd, ...good.slice(50)].entries())
        await gateway.publish(text, { number: 1000 + index });

      const status = await until(async () => {
        const now = await readStatus(manager);
        return now.events + now.deadLetters >= 100 ? now : null;
      });
      expect(status.events).toBe(99);
      expect(status.deadLetters).toBe(1);
      expect(status.collector.totalInserted + status.collector.totalSkipped + status.collector.deadLetters).toBe(100);
      expect(status.collector.totalRepaired).toBeGreaterThanOrEqual(2);
      const exported = await readExport(manager);
      expect(exported).toHaveLength(99);
      await gateway.stop();
      await manager.stop();
    },
    180_000,
  );
});
