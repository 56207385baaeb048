/** One set of icons, 16 px with a 1.4 px stroke. An icon without text is in a control with an accessible name. */
const PATHS = {
  accounts:
    'M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.5 13.5c0-2.5 2-4 4.500-4s4.500 1.500 4.500 4M11 2.800a2.300 2.300 0 0 1 0 4.400M12.200 9.800c1.500.6 2.300 1.900 2.300 3.700',
  analytics: 'M3 13V8M8 13V3M13 13V6',
  archive: 'M2.500 3h11v3h-11zM3.500 6v7.500h9V6M6.500 8.500h3',
  arrowDown: 'M8 3v10M4 9l4 4 4-4',
  arrowUp: 'M8 13V3M4 7l4-4 4 4',
  bell: 'M3.500 11.500h9l-1.200-1.800V7a3.300 3.300 0 0 0-6.600 0v2.700zM6.700 13.500a1.400 1.400 0 0 0 2.600 0',
  check: 'M3 8.500l3.200 3.200L13 4.800',
  chevronDown: 'M4 6l4 4 4-4',
  chevronLeft: 'M10 4l-4 4 4 4',
  chevronRight: 'M6 4l4 4-4 4',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.500V8l2.500 1.500',
  close: 'M4 4l8 8M12 4l-8 8',
  config: 'M2.500 4.500h6M11.500 4.500h2M2.500 11.500h2M7.500 11.500h6M10 3v3M6 10v3',
  copy: 'M5.500 5.500h8v8h-8zM3.500 10.500h-1v-8h8v1',
  dashboard: 'M2.5 2.5h4.5v4.5h-4.5zM9 2.5h4.5v4.5h-4.5zM2.5 9h4.5v4.5h-4.5zM9 9h4.5v4.5h-4.5z',
  doctor:
    'M4.500 3.500h-1.500v10h10v-10h-1.500M6 2.500h4v2.500h-4zM4.800 9.500h1.500l1.200-2 1.300 3.500 1-1.500h1.500',
  download: 'M8 2.500v7.500M5 7.500l3 3 3-3M2.500 13.500h11',
  eye: 'M1.500 8s2.500-4 6.500-4 6.500 4 6.500 4-2.500 4-6.500 4-6.500-4-6.500-4zM8 9.800a1.800 1.800 0 1 0 0-3.600 1.800 1.800 0 0 0 0 3.600z',
  eyeOff: 'M1.500 8s2.500-4 6.500-4 6.500 4 6.500 4-2.500 4-6.500 4-6.500-4-6.500-4zM3 13.500l10-11',
  filter: 'M2.500 4h11M4.500 8h7M6.500 12h3',
  health: 'M8 1.800l5 1.700v4c0 3-2 5.500-5 6.700-3-1.200-5-3.700-5-6.700v-4zM5.800 8l1.600 1.600L10.400 6.500',
  inbox: 'M2.500 9.500h3l1 2h3l1-2h3M2.500 9.500l2-6h7l2 6v4h-11z',
  key: 'M10.500 6.800a3 3 0 1 0-3-3c0 .4.1.800.2 1.200L2.500 10.200v3.300h3v-2h2v-2l1-1c.6.200 1.300.300 2-.7',
  language:
    'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM2 8h12M8 2c2 2 2.500 4 2.500 6S10 12 8 14c-2-2-2.500-4-2.500-6S6 4 8 2',
  link: 'M6.500 9.500l3-3M7 4.500l1.500-1.500a3 3 0 0 1 4.500 4.500L11.500 9M9 11.500 7.500 13A3 3 0 0 1 3 8.500L4.500 7',
  logs: 'M2.500 3h11v10h-11zM5 6l2 2-2 2M8.500 10.500h2.500',
  maximize: 'M2.500 6v-3.500h3.500M10 2.500h3.500v3.500M13.500 10v3.500h-3.500M6 13.500h-3.500v-3.500',
  menu: 'M2.500 4.500h11M2.500 8h11M2.500 11.500h11',
  monitoring: 'M1.5 8.5h3l2-5 3 9 2-4h3',
  moon: 'M13 9.500A5.500 5.500 0 1 1 6.500 3a4.500 4.500 0 0 0 6.500 6.500z',
  plug: 'M6 2v3M10 2v3M4.500 5h7v2.500a3.500 3.500 0 0 1-7 0zM8 11v3',
  plugins: 'M3 5.500h3a1.600 1.600 0 1 1 3.200 0H12.500v3a1.600 1.600 0 1 1 0 2.500v2.500H3z',
  plus: 'M8 3v10M3 8h10',
  prices: 'M2.500 8.500v-6h6l5 5-6 6zM5.500 5.500h.01',
  refresh: 'M13 8a5 5 0 1 1-1.500-3.600M13 2.500v2.500h-2.500',
  search: 'M7 11.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9zM10.500 10.500l3 3',
  settings:
    'M8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM8 1.500v2M8 12.500v2M1.500 8h2M12.500 8h2M3.400 3.400l1.400 1.400M11.200 11.200l1.400 1.400M3.400 12.600l1.400-1.400M11.200 4.800l1.400-1.400',
  signIn: 'M9.500 2.500h4v11h-4M2.500 8h7M7 5.500 9.500 8 7 10.500',
  signOut: 'M6.500 2.500h-4v11h4M6.500 8h7M11 5.500 13.500 8 11 10.500',
  system: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 7.500v3.500M8 5h.01',
  table: 'M2.500 3h11v10h-11zM2.500 6.500h11M2.500 9.750h11M6.500 6.500v6.500',
  transfer: 'M3 5.500h9.500M10 3l2.500 2.500L10 8M13 10.500H3.500M6 8l-2.500 2.500L6 13',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** Three dots; thicker than a stroke, so not part of the set above. */
export function DotsIcon() {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M3.5 8h.01M8 8h.01M12.5 8h.01" strokeWidth="2.4" />
    </svg>
  );
}

export function BrandMark() {
  return (
    <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
      <path d="M2.5 15V9M7 15V4M11.5 15V7M16 15V2" stroke="var(--ink)" strokeWidth="2" />
    </svg>
  );
}
