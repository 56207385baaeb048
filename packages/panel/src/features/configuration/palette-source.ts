import type { PaletteSource } from '../../ui/palette-source.ts';
import { FIELDS, fieldId, SECTIONS } from './model/fields.ts';
import { FIELD_TEXTS, SECTION_TEXTS } from './visual/field-texts.ts';

/** The gateway's settings by name or by their place in the file, and the other parts of their page. */
export const settingSource: PaletteSource = {
  id: 'settings',
  heading: 'palette.settings',
  found: 'typed',
  load:
    () =>
    ({ t }) => {
      const item = { icon: 'config', detail: t('nav.config') } as const;
      return [
        ...(['history', 'source'] as const).map((mode) => ({
          ...item,
          key: mode,
          label: t(`config.${mode}`),
          open: { to: '/config', search: { mode: [mode] } },
        })),
        ...SECTIONS.map((section) => ({
          ...item,
          key: `section ${section}`,
          label: t(SECTION_TEXTS[section]),
          open: { to: '/config', search: { section: [section] } },
        })),
        ...FIELDS.map((field) => {
          const id = fieldId(field);
          const texts = FIELD_TEXTS[id];
          return {
            ...item,
            key: id,
            label: texts === undefined ? id : t(texts.label),
            words: `${id} ${texts?.hint === undefined ? '' : t(texts.hint)}`,
            open: { to: '/config', search: { q: [id] } },
          };
        }),
      ];
    },
};
