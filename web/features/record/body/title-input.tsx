import { Textarea } from '@mantine/core'
import { useId, useState } from 'react'
import type { Field } from '#domain/fields/field.ts'
import { UNTITLED } from '#web/shared/fields/record-title.ts'
import { ConflictNotice } from './conflict-notice.tsx'
import '../record-view.css'

type TitleInputProps = {
  readonly field: Field
  readonly title: string
  readonly value: unknown
  readonly onChange: (value: string | null) => void
  readonly onDone: () => void
  readonly error: string | undefined
  /** Another user's value in a conflict. */
  readonly conflict: unknown
  readonly onSettle: (whose: 'mine' | 'theirs') => void
  readonly readOnly: boolean
}

export function TitleInput({
  field,
  title,
  value,
  onChange,
  onDone,
  error,
  conflict,
  onSettle,
  readOnly,
}: TitleInputProps) {
  const id = useId()
  const [isNew] = useState(value === null && !readOnly)
  return (
    <>
      <h1 id="record-title" className="visually-hidden">
        {title}
      </h1>
      <Textarea
        id={id}
        aria-label={field.label}
        classNames={{ input: 'record-title' }}
        variant="unstyled"
        placeholder={UNTITLED}
        autosize
        // A new record without a title gets focus.
        autoFocus={isNew}
        minRows={1}
        readOnly={readOnly}
        required={field.required}
        error={error}
        value={typeof value === 'string' ? value : ''}
        onChange={({ currentTarget }) => {
          // Titles are single-line.
          const line = currentTarget.value.replaceAll(/\s*\n\s*/g, ' ')
          onChange(line === '' ? null : line)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
          event.preventDefault()
          onDone()
        }}
        onBlur={onDone}
      />
      {conflict !== undefined && <ConflictNotice field={field} theirs={conflict} onSettle={onSettle} />}
    </>
  )
}
