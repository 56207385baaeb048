/** Version of the panel, set by the build; equal to the server's version when both come from one release. */
declare const __PANEL_VERSION__: string;
