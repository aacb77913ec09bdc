import { Button, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Field } from '#domain/fields/field.ts'
import { FieldInput } from '#web/field-kinds/field-input.tsx'
import { listText } from '#web/i18n/locale.ts'
import { t } from '#web/i18n/t.ts'
import { isEmptyClientValue } from '#web/shared/fields/client-value.ts'
import { isWritable } from '#web/shared/fields/editable-cells.ts'
import { recordTitle } from '#web/shared/fields/record-title.ts'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import type { BoardContext } from './board-context.ts'
import type { PendingMove } from './board-moves.ts'
import '#web/shared/fields/record-form.css'

type MoveDialogProps = { readonly board: BoardContext; readonly pending: PendingMove }

/** Asks for the comment and the missing fields of a transition. */
export function MoveDialog({ board, pending }: MoveDialogProps) {
  const { collection, moves } = board
  const { record } = pending.row
  return (
    <Dialog
      opened
      onClose={() => moves.answer(undefined)}
      title={`${pending.transition.name}: ${recordTitle(collection, record)}`}
      size={480}
    >
      <MoveForm board={board} pending={pending} />
    </Dialog>
  )
}

function MoveForm({ board, pending: { row, transition } }: MoveDialogProps) {
  const { collection, moves } = board
  const [note, setNote] = useState('')
  const [values, setValues] = useState<{ readonly [field: string]: unknown }>({})
  const missing = transition.missing.flatMap((name) => collection.fields.find((field) => field.name === name) ?? [])
  const fixed = missing.filter((field) => !isWritable(collection, field, row.record) || field.kind === 'files')
  const given = (field: Field) => values[field.name]
  const isReady =
    fixed.length === 0 &&
    missing.every((field) => !isEmptyClientValue(field.kind, given(field))) &&
    (transition.note !== 'required' || note.trim() !== '')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady) moves.answer({ note, values: missing.map((field) => ({ field, value: given(field) })) })
  }
  return (
    <form onSubmit={submit} className="record-form">
      {fixed.length > 0 && (
        <p className="record-form-reasons">
          {t('Fill in {missing} first', { missing: listText(fixed.map(({ label }) => label)) })}
        </p>
      )}
      {missing
        .filter((field) => !fixed.includes(field))
        .map((field, at) => (
          <FieldInput
            key={field.id}
            field={field}
            description={field.description}
            value={given(field)}
            onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
            place={{ collection: collection.name, record: row.record.id }}
            autoFocus={at === 0}
          />
        ))}
      {transition.note !== 'none' && (
        <Textarea
          label={t('Comment')}
          description={
            transition.note === 'required'
              ? t('Explain why. Saved in the record’s history.')
              : t('Explain why (optional). Saved in the record’s history.')
          }
          autosize
          minRows={3}
          maxRows={12}
          maxLength={10_000}
          autoFocus={missing.length === 0}
          required={transition.note === 'required'}
          value={note}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
      )}
      <div className="record-form-actions">
        <Button onClick={() => moves.answer(undefined)}>{t('Not now')}</Button>
        <Button type="submit" variant="filled" disabled={!isReady}>
          {transition.name}
        </Button>
      </div>
    </form>
  )
}
