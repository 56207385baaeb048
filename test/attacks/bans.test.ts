import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { ATTACK_MS, flood, PLUGIN_PATH, send, withstand } from './rig.ts';

setDefaultTimeout(120_000 + 3 * ATTACK_MS);

/** Of the manager's host, as other programs read them. */
const LOOPBACK_SPELLINGS = ['127.0.0.1', '::1', '::ffff:7f00:1', '0:0:0:0:0:ffff:127.0.0.1', '::1%lo', '0:0::1%25x'];

describe.each(['auto', 'http'])('a manager that collects in mode %s is not banned by', (mode) => {
  test('HEAD requests without a key', () =>
    withstand(
      (attacked) =>
        flood(attacked, 4, () => fetch(attacked.manager.url + PLUGIN_PATH, { method: 'HEAD' })).then(reached),
      { mode },
    ));

  test('requests that the caller aborts after a millisecond', () =>
    withstand(
      (attacked) =>
        flood(attacked, 4, async (count) => {
          const socket = await send(attacked.manager, `GET ${PLUGIN_PATH}?n=${count} HTTP/1.1\r\nHost: m\r\n\r\n`);
          await Bun.sleep(1);
          socket.destroy();
        }).then(reached),
      { mode },
    ));

  test('bodies with a broken chunk', () =>
    withstand(
      (attacked) =>
        flood(attacked, 4, async () => {
          const head = `POST ${PLUGIN_PATH} HTTP/1.1\r\nHost: m\r\nTransfer-Encoding: chunked\r\n\r\n`;
          const socket = await send(attacked.manager, `${head}5\r\nhello\r\nnonsense\r\n`);
          await Promise.race([new Promise((resolve) => socket.once('close', resolve)), Bun.sleep(200)]);
          socket.destroy();
        }).then(reached),
      { mode },
    ));

  test('a new wrong key in each request', () =>
    withstand(
      (attacked) =>
        flood(attacked, 4, async (count) => {
          const headers = { Authorization: `Bearer wrong-key-${count}` };
          await (await fetch(attacked.manager.url + PLUGIN_PATH, { headers })).arrayBuffer();
        }).then(reached),
      { mode },
    ));

  test('wrong keys of WebSocket handshakes', () =>
    withstand(
      (attacked) =>
        flood(attacked, 2, async () => {
          const socket = await send(
            attacked.manager,
            `GET ${PLUGIN_PATH} HTTP/1.1\r\nHost: m\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
          );
          await Promise.race([new Promise((resolve) => socket.once('data', resolve)), Bun.sleep(200)]);
          socket.destroy();
        }).then(reached),
      { mode },
    ));

  test('addresses that callers claim', () =>
    withstand(
      (attacked) =>
        flood(attacked, 4, async (count) => {
          const headers = {
            'X-Forwarded-For': LOOPBACK_SPELLINGS[count % LOOPBACK_SPELLINGS.length] ?? '',
            'X-Real-IP': '127.0.0.1',
            Authorization: `Bearer x${count}`,
          };
          await (await fetch(attacked.manager.url + PLUGIN_PATH, { headers })).arrayBuffer();
        }).then(reached),
      { mode },
    ));

  test('the address by which the gateway knows the manager, which is none of its own', () =>
    withstand(
      (attacked) => {
        // Behind NAT, where everybody behind a proxy of the same host has it too.
        attacked.gateway.setCallerAddress('203.0.113.9');
        return flood(attacked, 4, async (count) => {
          const headers = { 'X-Forwarded-For': '203.0.113.9', Authorization: `Bearer x${count}` };
          await (await fetch(attacked.manager.url + PLUGIN_PATH, { headers })).arrayBuffer();
        }).then(reached);
      },
      { mode },
    ));
});

const reached = (count: number): void => expect(count).toBeGreaterThan(3);
