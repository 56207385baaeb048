/**
 * The database cannot be used and was not changed. The text is for the operator at the console: it says what is wrong and what
 * to do.
 */
export class DatabaseRefused extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DatabaseRefused';
  }
}
