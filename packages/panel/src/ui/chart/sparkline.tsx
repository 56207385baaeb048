const WIDTH = 72;
const HEIGHT = 20;

/** Bars from 0 without an axis, beside the number they illustrate; only where the server sends the series. */
export function Sparkline({
  values,
  color = 'series-1',
}: {
  readonly values: readonly number[];
  readonly color?: 'series-1' | 'series-8' | 'bad-fill';
}) {
  const max = Math.max(...values, 0);
  const step = WIDTH / Math.max(1, values.length);
  return (
    <svg className="sparkline" width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      {values.map((value, index) => {
        const height = max === 0 || value <= 0 ? 0 : Math.max(1, (value / max) * HEIGHT);
        const x = index * step;
        const box = { x, y: HEIGHT - height, width: Math.max(1, step - 1), height };
        // biome-ignore lint/suspicious/noArrayIndexKey: bars are told apart by their place.
        return <rect key={index} {...box} fill={`var(--${color})`} />;
      })}
    </svg>
  );
}
