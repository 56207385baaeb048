import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@manager/core/testing/until';
import { temporaryFolder } from './manager-process.ts';

export interface Nginx {
  readonly url: string;
  stop(): Promise<void>;
}

export interface NginxOptions {
  /** Target, such as `http://127.0.0.1:18317`. */
  readonly target: string;
  /** Lines of the server block, such as `client_max_body_size 1m;`. */
  readonly settings?: readonly string[];
  /** Towards the server; null = as nginx does without the setting. */
  readonly httpVersion?: '1.1' | null;
}

/** The distribution's nginx with its own configuration, in front of a server. */
export async function startNginx(options: NginxOptions): Promise<Nginx> {
  const folder = temporaryFolder();
  // Another program may take the port between the check and the start.
  for (let attempt = 0; ; attempt += 1) {
    const port = freePort();
    const child = launch(folder, port, options);
    const url = `http://127.0.0.1:${port}`;
    if (await answers(url, child)) {
      return {
        url,
        async stop() {
          child.kill('SIGTERM');
          await child.exited;
          rmSync(folder, { recursive: true, force: true });
        },
      };
    }
    if (attempt === 2) throw new Error(`nginx did not start:\n${readFileSync(join(folder, 'error.log'), 'utf8')}`);
  }
}

function launch(
  folder: string,
  port: number,
  { target, settings = [], httpVersion = '1.1' }: NginxOptions,
): Bun.Subprocess {
  mkdirSync(join(folder, 'temporary'), { recursive: true });
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/temporary/${name};`,
  );
  const configuration = `
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    worker_processes 1;
    pid ${folder}/nginx.pid;
    error_log ${folder}/error.log;
    events {}
    http {
      access_log off;
      ${temporary.join('\n')}
      server {
        listen 127.0.0.1:${port};
        ${settings.join('\n')}
        location / {
          proxy_pass ${target};
          ${httpVersion === null ? '' : `proxy_http_version ${httpVersion};`}
        }
      }
    }`;
  writeFileSync(join(folder, 'nginx.conf'), configuration);
  const command = [process.env.NGINX_PATH || '/usr/sbin/nginx', '-p', folder, '-c', 'nginx.conf', '-g', 'daemon off;'];
  return Bun.spawn([...command, '-e', join(folder, 'error.log')], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
  });
}

function freePort(): number {
  const listener = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } });
  listener.stop(true);
  return listener.port;
}

/** False when it has ended, for example because the port was taken. */
async function answers(url: string, child: Bun.Subprocess): Promise<boolean> {
  await until(async () => child.exitCode !== null || (await isThere(url)), 'nginx');
  return child.exitCode === null;
}

async function isThere(url: string): Promise<boolean> {
  const server = await fetch(url).then(
    (answer) => answer.headers.get('server'),
    () => null,
  );
  return server?.startsWith('nginx') ?? false;
}
