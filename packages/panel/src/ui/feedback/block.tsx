/** Placeholder in the size of the content. */
export function Block({ height }: { readonly height: number }) {
  return <span className="skeleton" style={{ display: 'block', height }} />;
}
