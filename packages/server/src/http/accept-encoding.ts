/**
 * The best available encoding that the caller accepts, in our order of preference; null = none.
 *
 * @example chooseEncoding('gzip, br;q=0.5', ['br', 'gzip']) // 'gzip'
 */
export function chooseEncoding<E extends string>(header: string | null, available: readonly E[]): E | null {
  const weights = parseWeights(header ?? '');
  let best: E | null = null;
  let bestWeight = weights.get('identity') ?? 0;
  for (const encoding of available) {
    const weight = weights.get(encoding) ?? weights.get('*') ?? 0;
    // An available encoding wins over the plain form at equal weight, and a less preferred one only by a higher weight.
    if (weight > bestWeight || (weight > 0 && best === null && weight === bestWeight)) {
      best = encoding;
      bestWeight = weight;
    }
  }
  return best;
}

function parseWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    const weight = q === undefined ? 1 : Number(q.slice(2));
    if (name !== '') weights.set(name, Number.isNaN(weight) ? 0 : weight);
  }
  return weights;
}
