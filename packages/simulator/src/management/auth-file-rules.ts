import type { Exchange } from '../http/exchange.ts';
import type { ManagementContext } from './context.ts';

export const VIRTUAL_ROW = 'plugin virtual auth cannot be modified directly; edit or delete the source auth file';

/** Error text for a file name, null when it is valid. */
export function nameProblem(name: string): string | null {
  if (name === '' || /[/\\]/.test(name) || name.startsWith('.')) return 'invalid name';
  return name.toLowerCase().endsWith('.json') ? null : 'name must end with .json';
}

/** A fault: the file is listed, but missing. */
export function isVanished(context: ManagementContext, name: string): boolean {
  return context.faults.take('vanished-auth-file', (fault) => fault.name === undefined || fault.name === name) !== null;
}

type Form = Awaited<ReturnType<Response['formData']>>;

/** The parts of a multipart body; null when it is not multipart. */
export async function formOf(exchange: Exchange): Promise<Form | null> {
  const type = exchange.header('content-type');
  if (!type.toLowerCase().startsWith('multipart/form-data')) return null;
  const bytes = await exchange.bytes();
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'Content-Type': type } }).formData();
  } catch {
    return null;
  }
}
