/** The admin key that every kept database was made with: only its digest is stored. */
export const STORED_ADMIN_KEY = 'admin-key-of-the-tests';
