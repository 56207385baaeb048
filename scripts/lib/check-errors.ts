import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERRORS, type ErrorCode, wireCode } from '../../packages/core/src/contract/errors.ts';
import { GENERIC_CODE } from '../../packages/core/src/contract/generic-errors.ts';
import { ROOT } from './project.ts';
import { sourceFiles } from './source-files.ts';

const SOURCES = /^packages\/(?:core|server)\/src\/(?!.*(?:\.test\.ts$|\/testing\/))/;
const CATALOG = 'packages/core/src/contract/generic-errors.ts';
const DOCUMENT = 'docs/http.md';

/** True when every error has a code of its own in the catalog, and the documentation lists each that is sent, with its status. */
export function checkErrors(): boolean {
  const problems = [...sourceFiles(join(ROOT, 'packages')).flatMap(genericOnes), ...undocumented()];
  for (const problem of problems) console.error(problem);
  return problems.length === 0;
}

/** The generic code is written in one file: an error that needs it is declared there, with its reason. */
function genericOnes({ path, text }: { readonly path: string; readonly text: string }): string[] {
  if (!SOURCES.test(path) || path === CATALOG) return [];
  return text
    .split('\n')
    .flatMap((line, index) =>
      /'request_failed'/.test(line)
        ? [`${path}:${index + 1}: ${GENERIC_CODE}; declare the error in core/contract/errors.ts`]
        : [],
    );
}

function undocumented(): string[] {
  const section = /^## Errors$([\s\S]*?)(?=^## )/m.exec(readFileSync(join(ROOT, DOCUMENT), 'utf8'))?.[1] ?? '';
  const listed = section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .flatMap((row) => {
      const [, status = '', codes = ''] = row.split('|');
      return [...codes.matchAll(/`([a-z_]+)`/g)].map(([, code]) => `${status.trim()} ${code}`);
    });
  const sent = (Object.keys(ERRORS) as ErrorCode[])
    .filter((code) => wireCode(code) !== GENERIC_CODE)
    .map((code) => `${ERRORS[code].status} ${code}`);
  return [
    ...sent.filter((answer) => !listed.includes(answer)).map((answer) => `${DOCUMENT}: Errors lacks ${answer}`),
    ...listed.filter((answer) => !sent.includes(answer)).map((answer) => `${DOCUMENT}: no error is ${answer}`),
  ];
}
