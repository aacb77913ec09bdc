import { Input, Textarea } from '@mantine/core'
import { useId, useState } from 'react'
import type { Field } from '#domain/fields/field.ts'
import { FieldInput } from '#web/field-kinds/field-input.tsx'
import { uiOf } from '#web/field-kinds/field-kinds.ts'
import { t } from '#web/i18n/t.ts'
import { isThere } from '#web/shared/fields/editable-cells.ts'
import { UNTITLED } from '#web/shared/fields/record-title.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { DraftSaver } from '#web/shared/record-drafts/draft-saver.ts'
import { draftValue, errorAt, type RecordDraft } from '#web/shared/record-drafts/record-draft.ts'
import './record-view.css'
import { ConflictNotice } from './conflict-notice.tsx'
import { StatusField } from './status-field.tsx'

type RecordBodyProps = {
  readonly collection: TypedCollection
  readonly draft: RecordDraft
  readonly saver: DraftSaver
  readonly canWrite: boolean
  /** Names of locked and read-only fields. */
  readonly readOnly: ReadonlySet<string>
}

const isWide = (field: Field): boolean => uiOf(field).isWide

export function RecordBodyFields(props: RecordBodyProps) {
  const { collection } = props
  // The title is shown above unless its type needs an editor.
  const fields = collection.fields.filter(({ name, kind }) => name !== collection.titleField || kind !== 'text')
  const short = fields.filter((field) => !isWide(field))
  const wide = fields.filter(isWide)
  return (
    <>
      {short.length > 0 && (
        <div className="record-short" data-tour="record-fields">
          {short.map((field) => (
            <ShortField key={field.id} {...props} field={field} />
          ))}
        </div>
      )}
      {wide.map((field, at) => (
        <div
          key={field.id}
          className="record-wide"
          data-kind={field.kind}
          data-tour={tourMark(field, wide.slice(0, at))}
        >
          <RecordField {...props} field={field} />
        </div>
      ))}
    </>
  )
}

/** The welcome tour points at the first editor and files field. */
function tourMark({ kind }: Field, before: readonly Field[]): string | undefined {
  if (before.some((other) => other.kind === kind)) return undefined
  if (kind === 'rich-text') return 'record-editor'
  return kind === 'files' ? 'record-files' : undefined
}

type OneFieldProps = RecordBodyProps & { readonly field: Field }

/** Statuses change by transition, other values by input. */
function ShortField(props: OneFieldProps) {
  const { collection, draft, saver, field } = props
  if (field.kind !== 'state' || field.id !== collection.workflow?.field) return <RecordField {...props} />
  const state = draft.base.values[field.name]
  return (
    <div className="record-field">
      <StatusField
        collection={collection}
        field={field}
        recordId={draft.base.id}
        state={typeof state === 'string' ? state : null}
        beforeMove={saver.flush}
        onMissing={(name) => focusField(collection, name)}
      />
    </div>
  )
}

function focusField({ fields }: TypedCollection, name: string): void {
  const field = fields.find((each) => each.name === name)
  const place = field && document.querySelector(`[data-field="${CSS.escape(field.id)}"]`)
  place?.querySelector<HTMLElement>('input, textarea, button, [contenteditable="true"]')?.focus()
}

/** Shown for a field that is hidden in this record. */
function NotThere({ field }: { readonly field: Field }) {
  return (
    <div className="record-field" data-field={field.id}>
      <Input.Wrapper label={field.label} labelElement="div">
        <p className="record-not-there">{t('You don’t have access to this field in this record')}</p>
      </Input.Wrapper>
    </div>
  )
}

function RecordField({ collection, draft, saver, canWrite, readOnly, field }: OneFieldProps) {
  if (!isThere(field.name, draft.base.values)) return <NotThere field={field} />
  const isDisputed = field.name in draft.conflicts
  const isReadOnly = !canWrite || readOnly.has(field.name)
  return (
    <div className="record-field" data-field={field.id} data-read-only={isReadOnly || undefined}>
      <FieldInput
        field={field}
        value={draftValue(draft, field.name)}
        onChange={(value) => saver.edit(field.name, value)}
        onFault={(message) => saver.fault(field.name, message)}
        onDone={() => void saver.flush()}
        error={errorAt(draft, field.name)}
        readOnly={isReadOnly}
        place={{ collection: collection.name, record: draft.base.id }}
        inside={draft.base.inside}
      />
      {isDisputed && (
        <ConflictNotice
          field={field}
          theirs={draft.conflicts[field.name]}
          inside={draft.base.inside}
          place={{ collection: collection.name, record: draft.base.id }}
          onSettle={(whose) => saver.settle(field.name, whose)}
        />
      )}
    </div>
  )
}

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
