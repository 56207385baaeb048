/** An archive file is not as written: replaced, cut, changed or accessible to others. The message is for the log. */
export class ArchiveDamaged extends Error {
  override readonly name = 'ArchiveDamaged';
}
