import { Button, Input, Textarea } from '@mantine/core'
import { useId, useState } from 'react'
import { flushSync } from 'react-dom'
import type { DocumentReferencesBody } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import { FieldCell } from '#web/field-kinds/field-cell.tsx'
import { FieldInput } from '#web/field-kinds/field-input.tsx'
import { uiOf } from '#web/field-kinds/field-kinds.ts'
import { RecordSections, sectionsOf } from '#web/field-kinds/record-sections.tsx'
import { Say } from '#web/i18n/say.tsx'
import { plural, t } from '#web/i18n/t.ts'
import { cellText, isEmptyClientValue } from '#web/shared/fields/client-value.ts'
import { isThere } from '#web/shared/fields/editable-cells.ts'
import { UNTITLED } from '#web/shared/fields/record-title.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { DraftSaver } from '#web/shared/record-drafts/draft-saver.ts'
import { draftValue, errorAt, type RecordDraft } from '#web/shared/record-drafts/record-draft.ts'
import { usePrinting } from '#web/ui/browser/printing.ts'
import './record-view.css'
import { StatusField } from './status-field.tsx'

type ConflictNoticeProps = {
  readonly field: Field
  readonly theirs: unknown
  /** Users, records and files that the document refers to. */
  readonly inside?: DocumentReferencesBody | undefined
  /** Only required for documents. */
  readonly place?: { readonly collection: string; readonly record: string }
  readonly onSettle: (whose: 'mine' | 'theirs') => void
}

/** Shows another user's value and lets the user choose which one to keep; nothing is overwritten before that. */
function ConflictNotice({ field, theirs, inside, place, onSettle }: ConflictNoticeProps) {
  const isDocument = field.kind === 'rich-text' && !isEmptyClientValue(field.kind, theirs)
  return (
    <div className="conflict-notice" role="alert">
      <p>
        {t('Someone else just edited {label}. Your change isn’t saved yet.', { label: field.label })}{' '}
        {isDocument ? (
          t('Their version is shown below so you can compare or copy it.')
        ) : (
          <Say
            text="Their version: {theirs}"
            values={{
              theirs: (
                <span className="conflict-theirs">
                  {isEmptyClientValue(field.kind, theirs) ? t('empty') : <FieldCell field={field} value={theirs} />}
                </span>
              ),
            }}
          />
        )}
      </p>
      <div className="conflict-actions">
        <Button size="xs" onClick={() => onSettle('mine')}>
          {t('Keep my version')}
        </Button>
        <Button size="xs" onClick={() => onSettle('theirs')}>
          {t('Use their version')}
        </Button>
      </div>
      {isDocument && place && (
        <div className="conflict-document">
          <FieldInput
            field={field}
            value={theirs}
            onChange={() => undefined}
            label={t('Their version of {label}', { label: field.label })}
            readOnly
            place={place}
            inside={inside}
          />
        </div>
      )}
    </div>
  )
}

type RecordBodyProps = {
  readonly collection: TypedCollection
  readonly draft: RecordDraft
  readonly saver: DraftSaver
  readonly canWrite: boolean
  /** Names of fields that are locked or read-only. */
  readonly readOnly: ReadonlySet<string>
}

export function RecordBodyFields(props: RecordBodyProps) {
  const { collection, draft } = props
  const emptyId = useId()
  const [isWhole, setIsWhole] = useState(false)
  const { hidden, reveal } = useHiddenFields(collection, draft)
  // Text titles are shown at the top; titles of other types need an editor here.
  const fields = collection.fields.filter(({ name, kind }) => name !== collection.titleField || kind !== 'text')
  const empty = fields.filter(({ name }) => hidden.has(name))
  const shown = isWhole ? fields : fields.filter((field) => !empty.includes(field))
  const onMissing = (name: string) => {
    // Rendered synchronously, so that it can be focused.
    flushSync(() => reveal(name))
    focusField(collection, name)
  }
  return (
    <>
      <div id={emptyId} className="record-sections">
        <RecordSections
          sections={sectionsOf(collection, shown)}
          renderField={(field) => <ShortField key={field.id} {...props} field={field} onMissing={onMissing} />}
        />
      </div>
      {empty.length > 0 && (
        <Button
          className="record-show-empty"
          size="compact-sm"
          variant="subtle"
          color="gray"
          aria-expanded={isWhole}
          aria-controls={emptyId}
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? t('Hide empty fields') : plural(empty.length, 'Show {n} empty field', 'Show {n} empty fields')}
        </Button>
      )}
    </>
  )
}

/** Names of the fields that the layout hides. A field that had a value since the record was opened stays visible. */
function useHiddenFields(collection: TypedCollection, draft: RecordDraft) {
  const candidates = collection.layout?.hiddenWhenEmpty ?? []
  const [revealed, setRevealed] = useState<ReadonlySet<string>>(new Set())
  const isHidden = ({ name, kind, required }: Field): boolean =>
    candidates.includes(name) &&
    !required &&
    !revealed.has(name) &&
    !Object.hasOwn(draft.conflicts, name) &&
    errorAt(draft, name) === undefined &&
    (!isThere(name, draft.base.values) || isEmptyClientValue(kind, draftValue(draft, name)))
  const hidden = new Set(collection.fields.filter(isHidden).map(({ name }) => name))
  const shown = candidates.filter((name) => !hidden.has(name) && !revealed.has(name))
  const reveal = (...names: readonly string[]) => setRevealed(new Set([...revealed, ...names]))
  if (shown.length > 0) reveal(...shown)
  return { hidden, reveal }
}

type OneFieldProps = RecordBodyProps & { readonly field: Field }

type ShortFieldProps = OneFieldProps & { readonly onMissing: (name: string) => void }

/** The status changes through transitions, other fields through inputs. */
function ShortField(props: ShortFieldProps) {
  const { draft, field } = props
  const value = draftValue(draft, field.name)
  const isPrinted = usePrinting() && !BLOCKS.has(field.kind) && isThere(field.name, draft.base.values)
  return (
    <>
      <StatusOrField {...props} />
      {isPrinted && (
        <div className="record-field record-printed">
          <Input.Wrapper label={field.label} labelElement="div">
            <div className="record-printed-value" data-text={uiOf(field).isWide || undefined}>
              {uiOf(field).isWide ? cellText(field, value) : <FieldCell field={field} value={value} />}
            </div>
          </Input.Wrapper>
        </div>
      )}
    </>
  )
}

/** Types whose inputs show the whole value, so that they are printed as they are. */
const BLOCKS: ReadonlySet<Field['kind']> = new Set(['rich-text', 'files', 'reverse'])

function StatusOrField({ onMissing, ...props }: ShortFieldProps) {
  const { collection, draft, saver, field } = props
  if (field.kind !== 'state' || field.id !== collection.workflow?.field) return <RecordField {...props} />
  const state = draft.base.values[field.name]
  return (
    <div className="record-field">
      <StatusField
        collection={collection}
        field={field}
        record={draft.base}
        state={typeof state === 'string' ? state : null}
        beforeMove={saver.flush}
        onMissing={onMissing}
      />
    </div>
  )
}

function focusField({ fields }: TypedCollection, name: string): void {
  const field = fields.find((each) => each.name === name)
  const place = field && document.querySelector(`[data-field="${CSS.escape(field.id)}"]`)
  place?.querySelector<HTMLElement>('input, textarea, button, [contenteditable="true"]')?.focus()
}

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
        description={field.description}
        value={draftValue(draft, field.name)}
        onChange={(value) => saver.edit(field.name, value)}
        onFault={(message) => saver.fault(field.name, message)}
        onDone={() => void saver.flush()}
        error={errorAt(draft, field.name)}
        readOnly={isReadOnly}
        canAddOptions
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
  /** The other user's value if there is a conflict. */
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
        // The title of a new record has initial focus.
        autoFocus={isNew}
        minRows={1}
        readOnly={readOnly}
        required={field.required}
        description={field.description}
        inputWrapperOrder={['input', 'description', 'error']}
        error={error}
        value={typeof value === 'string' ? value : ''}
        onChange={({ currentTarget }) => {
          // Titles can't contain line breaks.
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
