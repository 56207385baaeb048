/** The admin key that every kept database was made with: only its digest is stored. */
export const STORED_ADMIN_KEY = 'admin-key-of-the-tests';
/** The text of the data key that kept databases with secrets were made with. */
export const STORED_DATA_KEY = 'data-key-of-the-kept-databases';
