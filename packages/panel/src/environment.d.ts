/** Version of the panel, set by the build; equal to the server's version when both come from one release. */
declare const __PANEL_VERSION__: string;
/** SHA-256 of the code editor that belongs to this page, hex; '' = none was built. */
declare const __CODE_EDITOR_DIGEST__: string;
