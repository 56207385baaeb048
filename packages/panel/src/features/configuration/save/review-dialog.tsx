import { Group, Stack } from '@mantine/core';
import { formatCount } from '../../../platform/format/format.ts';
import { type Translate, useText } from '../../../platform/i18n/index.ts';
import { useMasker } from '../../../platform/preferences/masking.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Note } from '../../../ui/feedback/note.tsx';
import { DifferenceView } from '../difference-view.tsx';
import { EffectNotes } from '../effect-notes.tsx';
import type { Conflict } from '../model/merge.ts';
import type { Side } from '../model/merge-lines.ts';
import { renderFlow } from '../model/render.ts';
import type { ConfigValue } from '../model/values.ts';
import type { Wait } from '../patient-read.ts';
import { misfitText, problemText } from '../problem-text.ts';
import { FIELD_TEXTS } from '../visual/field-texts.ts';
import { WaitNote } from '../wait-note.tsx';
import type { SaveState } from './use-save.ts';
import { REFUSAL_TEXTS, WARNING_TEXTS } from './warning-texts.ts';

/** What a save would change and what it would do, before it is sent. */
export function ReviewDialog({
  save,
  restored,
  wait,
}: {
  readonly save: SaveState;
  readonly restored: boolean;
  readonly wait: Wait | undefined;
}) {
  const { t } = useText();
  const masker = useMasker();
  const { prepared, busy } = save;
  const review = prepared?.review;
  const blocked =
    review === undefined ||
    prepared?.text === prepared?.latest ||
    review.problems.length > 0 ||
    review.refusals.length > 0;
  const warned = !blocked && review.warnings.length + review.misfits.length > 0;
  return (
    <Dialog
      opened={prepared !== null}
      onClose={save.cancel}
      title={t('config.reviewTitle')}
      size="review"
      locked={busy}
      held
      actions={
        <>
          <Button onClick={save.cancel} disabled={busy} {...(warned ? { 'data-autofocus': true } : {})}>
            {t('common.cancel')}
          </Button>
          <Button
            kind={warned ? 'danger' : 'primary'}
            disabled={blocked || busy}
            aria-busy={busy}
            onClick={() => void save.send()}
            {...(warned ? {} : { 'data-autofocus': true })}
          >
            {t(busy ? 'config.saving' : warned ? 'config.saveAnyway' : 'config.save')}
          </Button>
        </>
      }
    >
      {prepared !== null && review !== undefined && (
        <Stack gap="sm">
          <WaitNote wait={wait} />
          {save.outdated ? (
            <Note tone="wait" fact={t('config.outdatedNote')} />
          ) : (
            prepared.merged && <Note tone="wait" fact={t('config.mergedNote')} />
          )}
          {review.problems.map((problem) => (
            <Note key={`${problem.line}.${problem.column}`} tone="bad" fact={problemText(t, problem)} />
          ))}
          {review.refusals.map((refusal) => (
            <Note key={refusal} tone="bad" fact={t(REFUSAL_TEXTS[refusal])} />
          ))}
          {review.warnings.map((warning) => (
            <Note key={warning} tone="warn" fact={t(WARNING_TEXTS[warning].fact)}>
              {t(WARNING_TEXTS[warning].text)}
            </Note>
          ))}
          {review.misfits.map((misfit) => (
            <Note key={misfit.id} tone="warn" fact={misfitText(t, masker, misfit)} />
          ))}
          <EffectNotes effects={review.effects} restored={restored} />
          {prepared.conflicts.length > 0 && (
            <Conflicts conflicts={prepared.conflicts} sides={save.sides} onChoose={save.choose} />
          )}
          <DifferenceView difference={review.difference} secrets={review.secrets} />
        </Stack>
      )}
    </Dialog>
  );
}

function Conflicts({
  conflicts,
  sides,
  onChoose,
}: {
  readonly conflicts: readonly Conflict[];
  readonly sides: readonly Side[];
  readonly onChoose: (index: number, side: Side) => void;
}) {
  const { t } = useText();
  const masker = useMasker();
  return (
    <Stack component="section" gap="xs" aria-label={t('config.conflicts', { count: conflicts.length })}>
      <h3>{t('config.conflicts', { count: conflicts.length })}</h3>
      {conflicts.map((conflict, index) => {
        const name = nameOf(t, conflict);
        const side = sides[index] ?? 'mine';
        return (
          <Stack key={name} gap={4}>
            <Group gap="sm">
              <b>{name}</b>
              <Segmented<Side>
                label={t('config.choose', { name })}
                value={side}
                options={[
                  { value: 'mine', label: t('config.mine') },
                  { value: 'theirs', label: t('config.theirs') },
                ]}
                onChange={(chosen) => onChoose(index, chosen)}
              />
            </Group>
            <code className="config-side">{masker.log(sideText(t, conflict, side))}</code>
          </Stack>
        );
      })}
    </Stack>
  );
}

function nameOf(t: Translate, conflict: Conflict): string {
  if (conflict.kind === 'lines') return t('config.conflictLine', { line: formatCount(conflict.line) });
  const text = FIELD_TEXTS[conflict.id];
  return text === undefined ? conflict.id : t(text.label);
}

function sideText(t: Translate, conflict: Conflict, side: Side): string {
  const value: ConfigValue | undefined = conflict[side];
  if (value === undefined || value === '') return t('config.removed');
  return conflict.kind === 'lines' ? String(value).trimEnd() : renderFlow(value);
}
