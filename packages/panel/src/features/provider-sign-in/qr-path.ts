interface Modules {
  readonly size: number;
  readonly get: (x: number, y: number) => boolean;
}

/** Draws the dark modules of a code, one rectangle for each run in a row. */
export function qrPath(code: Modules): string {
  const { size } = code;
  const runs: string[] = [];
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const start = x;
      while (x < size && code.get(x, y)) x += 1;
      if (x > start) runs.push(`M${start} ${y}h${x - start}v1h-${x - start}z`);
    }
  }
  return runs.join('');
}
