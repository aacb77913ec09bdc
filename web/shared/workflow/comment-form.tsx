import { Button, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { t } from '#web/i18n/t.ts'
import '../fields/record-form.css'

type CommentFormProps = {
  readonly actionLabel: string
  readonly isRequired: boolean
  readonly isBusy: boolean
  readonly onCancel: () => void
  readonly onDone: (note: string) => void
}

export function CommentForm({ actionLabel, isRequired, isBusy, onCancel, onDone }: CommentFormProps) {
  const [note, setNote] = useState('')
  const isReady = !isRequired || note.trim() !== ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady && !isBusy) onDone(note)
  }
  return (
    <form onSubmit={submit} className="record-form">
      <Textarea
        label={t('Comment')}
        description={
          isRequired
            ? t('Explain why. Saved in the record’s history.')
            : t('Explain why (optional). Saved in the record’s history.')
        }
        autosize
        minRows={3}
        maxRows={12}
        maxLength={10_000}
        data-autofocus
        autoFocus
        required={isRequired}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
      <div className="record-form-actions">
        <Button onClick={onCancel}>{t('Not now')}</Button>
        <Button type="submit" variant="filled" disabled={!isReady} loading={isBusy}>
          {actionLabel}
        </Button>
      </div>
    </form>
  )
}
