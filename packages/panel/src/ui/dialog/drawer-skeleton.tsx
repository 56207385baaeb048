/** Placeholder while a drawer loads. */
export function DrawerSkeleton() {
  return (
    <section aria-busy="true">
      {[200, 160, 240, 180].map((width) => (
        <div key={width} className="skeleton" style={{ width, margin: '6px 0 12px' }} />
      ))}
    </section>
  );
}
