import { Menu } from '@mantine/core';
import { timeOfDay } from '../../platform/format/time.ts';
import { useText } from '../../platform/i18n/index.ts';
import { toggleMasking } from '../../platform/preferences/masking.ts';
import {
  browserTimeZone,
  maskedStore,
  REFRESH_CHOICES,
  setPreferences,
  usePreferences,
  useTimeZone,
} from '../../platform/preferences/preferences.ts';
import { useStore } from '../../platform/store.ts';
import { Button } from '../controls/button.tsx';
import { ChoiceItems } from '../controls/choice-items.tsx';
import { Icon } from '../icons.tsx';

const COMMON_ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'America/Los_Angeles', 'Asia/Shanghai', 'Asia/Tokyo'];

export function TimeZoneMenu() {
  const { t } = useText();
  const zone = useTimeZone();
  const { timeZone } = usePreferences();
  const browser = browserTimeZone();
  const choices = [...new Set([...COMMON_ZONES, ...(timeZone === '' ? [] : [timeZone])])].filter(
    (name) => name !== browser,
  );
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button kind="quiet" aria-label={t('shell.timeZoneIs', { zone })}>
          <Icon name="clock" />
          {zone}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <ChoiceItems
          title={t('shell.timeZone')}
          value={timeZone}
          options={[
            { value: '', label: t('shell.browserZone', { zone: browser }) },
            ...choices.map((name) => ({ value: name, label: name })),
          ]}
          onChange={(name) => setPreferences({ timeZone: name })}
        />
      </Menu.Dropdown>
    </Menu>
  );
}

export interface Refresh {
  readonly busy: boolean;
  readonly onRefresh: () => void;
  /** Replaces the usual label, which is visible where there is room. */
  readonly label?: string;
}

export function RefreshButton({
  busy,
  onRefresh,
  label,
  square = label === undefined,
}: Refresh & { readonly square?: boolean }) {
  const { t } = useText();
  const name = label ?? t('refresh.now');
  return (
    <Button square={square} aria-label={name} aria-busy={busy} onClick={onRefresh}>
      <Icon name="refresh" />
      {!square && name}
    </Button>
  );
}

export function RefreshControl({ atMs, busy, onRefresh }: Refresh & { readonly atMs: number | null }) {
  const { t } = useText();
  const zone = useTimeZone();
  const { liveRefreshSeconds } = usePreferences();
  const choice = liveRefreshSeconds === 0 ? t('refresh.off') : t('refresh.every', { seconds: liveRefreshSeconds });
  const age = ` · ${timeOfDay(atMs, zone)}`;
  return (
    <>
      <Menu position="bottom-end" width={180}>
        <Menu.Target>
          <Button
            kind="quiet"
            className="ink-3"
            // The visible text is part of its name.
            aria-label={t('refresh.choose', { choice: choice + age })}
            style={{ fontWeight: 400, padding: '0 4px' }}
          >
            <span>
              {choice}
              <span className="head-age">{age}</span>
            </span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <RefreshChoices />
        </Menu.Dropdown>
      </Menu>
      <RefreshButton busy={busy} onRefresh={onRefresh} />
    </>
  );
}

export function RefreshChoices() {
  const { t } = useText();
  const { liveRefreshSeconds } = usePreferences();
  return (
    <ChoiceItems
      title={t('refresh.title')}
      value={String(liveRefreshSeconds)}
      options={REFRESH_CHOICES.map((seconds) => ({
        value: String(seconds),
        label: seconds === 0 ? t('refresh.off') : t('refresh.every', { seconds }),
      }))}
      onChange={(seconds) => setPreferences({ liveRefreshSeconds: Number(seconds) })}
    />
  );
}

export function MaskingButton({ square = false }: { readonly square?: boolean }) {
  const { t } = useText();
  const masked = useStore(maskedStore);
  const word = masked ? t('masking.on') : t('masking.off');
  return (
    <Button
      square={square}
      // The visible text is part of its name.
      aria-label={`${word}, ${t('masking.toggle')}`}
      title={t('masking.toggle')}
      onClick={toggleMasking}
    >
      <Icon name={masked ? 'eyeOff' : 'eye'} />
      {!square && word}
    </Button>
  );
}
