import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { Button, Menu } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { NoteRequirement } from '#domain/workflow/workflow.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { OptionChip } from '#web/field-kinds/select/option-chip.tsx'
import { IconArrowRight } from '#web/ui/icons/general.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { t } from '#web/i18n/t.ts'
import { CommentForm } from '#web/shared/workflow/comment-form.tsx'
import { countSkipped, describeSkipped, records, type SkippedRecords } from '#web/shared/bulk-operations/user-jobs.ts'

import { type SelectedRecords, countOfSelected, whereOf } from '#web/shared/bulk-operations/selected-records.ts'
import { skippedIn, sendBulk } from '#web/shared/bulk-operations/send-bulk.ts'
import { useShowSkipped } from '#web/shared/bulk-operations/show-records.ts'

type ChangeStatusProps = {
  readonly collection: TypedCollection
  readonly picked: SelectedRecords
  readonly onDone: () => void
}

type Target = { readonly name: string; readonly color: string; readonly note: NoteRequirement }

export function ChangeStatus({ collection, picked, onDone }: ChangeStatusProps) {
  const [asking, setAsking] = useState<Target>()
  const { move, isBusy } = useChangeStatus(collection, picked)
  const targets = targetsOf(collection)
  if (targets.length === 0) return null

  const run = (to: string, note = '') => {
    setAsking(undefined)
    void move(to, note).then((isDone) => isDone && onDone())
  }
  const choose = (target: Target) => (target.note === 'none' ? run(target.name) : setAsking(target))
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <Button size="xs" loading={isBusy} leftSection={<IconArrowRight size={14} stroke={1.75} aria-hidden />}>
            {t('Change status')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('Move to')}</Menu.Label>
          {targets.map((target) => (
            <Menu.Item key={target.name} onClick={() => choose(target)}>
              <OptionChip name={target.name} color={target.color} />
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Dialog
        opened={asking !== undefined}
        onClose={() => setAsking(undefined)}
        title={t('Move to {name}', { name: asking?.name ?? '' })}
        size={440}
      >
        {asking && (
          <CommentForm
            actionLabel={t('Change status')}
            isRequired={asking.note === 'required'}
            isBusy={isBusy}
            onCancel={() => setAsking(undefined)}
            onDone={(note) => run(asking.name, note)}
          />
        )}
      </Dialog>
    </>
  )
}

/** If some records are rejected, none is moved and the others are offered. */
function useChangeStatus({ name: collection }: TypedCollection, picked: SelectedRecords) {
  const queryClient = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const showRefused = useShowSkipped()

  const move = async (to: string, note: string, refused: 'refuse' | 'leave' = 'refuse'): Promise<boolean> => {
    const transition = { to, ...(note.trim() !== '' && { note }) }
    const others = { label: t('Move the others'), run: () => void move(to, note, 'leave') }
    setBusy(true)
    const isDone = await sendBulk(queryClient, collection, { where: whereOf(picked), transition, refused }).then(
      (said) => {
        if (said)
          notifyChanged(said.updated, said.refused ?? [], { to, picked, onShow: (all) => showRefused(collection, all) })
        return true
      },
      (error: unknown) => {
        notifyNotChanged(error, others)
        return false
      },
    )
    setBusy(false)
    return isDone
  }
  return { move, isBusy }
}

type ChangeStatusResult = {
  readonly to: string
  readonly picked: SelectedRecords
  readonly onShow: (refusals: readonly SkippedRecords[]) => void
}

function notifyChanged(
  count: number,
  refusals: readonly SkippedRecords[],
  { to, picked, onShow }: ChangeStatusResult,
): void {
  const text = t('Moved {records} to {to}', { records: records(count), to })
  const beside = (countOfSelected(picked) ?? count) - count - countSkipped(refusals)
  const elsewhere =
    beside > 0 ? t('{records} can’t be moved there from the current status.', { records: records(beside) }) : undefined
  const detail = [describeSkipped(refusals), elsewhere].filter((part) => part !== undefined).join(' ')
  if (detail === '') notify.success(text)
  else if (refusals.length === 0) notify.info(text, { detail, stays: true })
  else notify.warning(text, { detail, action: { label: t('Show them'), run: () => onShow(refusals) } })
}

function notifyNotChanged(error: unknown, others: { readonly label: string; readonly run: () => void }): void {
  const refusals = skippedIn(error)
  const { title, detail } = describeError(error)
  if (refusals.length === 0) notify.error(title, { detail })
  else notify.error(t('Couldn’t move records'), { detail: describeSkipped(refusals) ?? detail, action: others })
}

/** Statuses that transitions lead to, with the strictest comment requirement. */
function targetsOf({ workflow, fields }: TypedCollection): readonly Target[] {
  const field = fields.find(({ id }) => id === workflow?.field)
  if (field?.kind !== 'state' || !workflow) return []
  return field.options.choices.flatMap(({ id, name, color }) => {
    const notes = workflow.transitions.filter(({ to }) => to === id).map(({ note }) => note)
    return notes.length === 0
      ? []
      : { name, color, note: STRICTEST_COMMENT.find((note) => notes.includes(note)) ?? 'none' }
  })
}

const STRICTEST_COMMENT: readonly NoteRequirement[] = ['required', 'optional', 'none']
