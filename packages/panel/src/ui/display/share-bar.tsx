/** Share of a whole as a bar with its number. */
export function ShareBar({ share, text }: { readonly share: number | null; readonly text: string }) {
  return (
    <span className="share">
      <span className="bar thin" aria-hidden="true">
        <i style={{ width: `${Math.min(1, share ?? 0) * 100}%` }} />
      </span>
      <span>{text}</span>
    </span>
  );
}
