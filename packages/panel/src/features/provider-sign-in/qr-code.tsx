import { generate } from 'lean-qr/nano';
import { qrPath } from './qr-path.ts';

/** Free space around the code, in modules, that scanners need. */
const BORDER = 4;

/** A QR code, black on white in every theme because scanners need it. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const code = generate(text);
  const size = code.size + 2 * BORDER;
  return (
    <svg viewBox={`0 0 ${size} ${size}`} width={180} height={180} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path transform={`translate(${BORDER} ${BORDER})`} d={qrPath(code)} fill="#000" />
    </svg>
  );
}
