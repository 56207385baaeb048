/** Flat block in the size of what will come. */
export function Block({ height }: { readonly height: number }) {
  return <span className="skeleton" style={{ display: 'block', height }} />;
}
