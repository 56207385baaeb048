/** Version of the panel, set by the build; equal to the server's version when both come from one release. */
declare const __PANEL_VERSION__: string;
/** SHA-256 of the code editor that belongs to this page, hex; '' = none was built. */
declare const __CODE_EDITOR_DIGEST__: string;
/** SHA-256 of the pages of the manager that belong to this page, hex. */
declare const __MANAGER_PAGES_DIGEST__: string;

/** Written by the build: gives the pages of the manager the modules that they share with the page. */
declare module 'virtual:shared-modules' {
  /** The pages from their sources; null where they are a file of their own. */
  export const fromSources: (() => Promise<typeof import('./manager-pages/manager-pages.ts')>) | null;
}
