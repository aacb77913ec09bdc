import { Button, Checkbox, Drawer, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type Ref, useEffect, useRef, useState } from 'react'
import type { CollectionBody } from '#api/collections.ts'
import { MAX_FIELD_DESCRIPTION_LENGTH, MAX_LABEL_LENGTH } from '#domain/collections/names.ts'
import { type Field, type FieldKind, linkedCollection } from '#domain/fields/field.ts'
import { partMessage } from '#web/data/api/error-messages.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { useUser } from '#web/data/session/use-session.ts'
import { useAddField, useChangeField } from '#web/features/schema/collection/collection-queries.ts'
import { FieldOptionsForm } from '#web/field-kinds/field-options.tsx'
import { t } from '#web/i18n/t.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { useReturnFocusOnClose } from '#web/ui/dialogs/dialog.tsx'
import { FormActions } from '#web/ui/dialogs/form-actions.tsx'
import { useLatest } from '#web/ui/browser/use-latest.ts'
import '#web/features/schema/schema.css'
import { AdvancedFieldSettings, UniqueSetting } from './advanced-field-settings.tsx'
import { dataLossOf, DataLossWarning } from './data-loss-warning.tsx'
import {
  changedFieldBody,
  draftOfCopy,
  draftOfField,
  type FieldDraft,
  fieldOfDraft,
  isSameDraft,
  NEW_FIELD,
  newFieldBody,
  unfinishedFields,
  withKind,
} from './field-draft.ts'
import { FieldTypePicker } from './field-type-picker.tsx'

export type NewFieldStart = {
  readonly kind?: FieldKind
  readonly copyOf?: Field
  /** Zero-based position among the collection's fields; defaults to last. */
  readonly position?: number
}

export type AddedField = Pick<Field, 'id' | 'kind'>

type FieldDialogProps = {
  readonly collection: TypedCollection
  /** `new` to add a field; null while the dialog is closed. */
  readonly field: Field | 'new' | null
  readonly start?: NewFieldStart
  readonly onAdded?: (field: AddedField) => void
  readonly onClose: () => void
}

export function FieldDialog({ field, ...form }: FieldDialogProps) {
  const title = field === 'new' || field === null ? t('Add a field') : t('Field {label}', { label: field.label })
  useReturnFocusOnClose(field !== null)
  return (
    <Drawer opened={field !== null} onClose={form.onClose} title={title} size={460} returnFocus={false}>
      {field !== null && <FieldForm {...form} stored={field === 'new' ? undefined : field} />}
    </Drawer>
  )
}

type FieldFormProps = Omit<FieldDialogProps, 'field'> & { readonly stored: Field | undefined }

const NO_START: NewFieldStart = {}

function initialDraft(stored: Field | undefined, { copyOf, kind = 'text' }: NewFieldStart): FieldDraft {
  if (stored) return draftOfField(stored)
  return copyOf ? draftOfCopy(copyOf) : withKind(NEW_FIELD, kind, undefined)
}

function FieldForm({ collection, stored, start = NO_START, onAdded, onClose }: FieldFormProps) {
  const { draft, setDraft, isRestored, restart, forget } = useUnfinishedDraft(collection, stored, start)
  const nameRef = useRef<HTMLInputElement>(null)
  const { save, isPending, error, reset } = useSaveField(collection, stored, { start, onAdded })
  const target = useManagedTarget(collection, draft)
  const isReady = draft.label.trim() !== '' && dataLossOf(error) === undefined
  const submit = (acceptLoss: boolean, isAnother: boolean) => {
    if (draft.label.trim() === '' || isPending) return
    save({ ...draft, isShownThere: draft.isShownThere && target !== undefined }, acceptLoss, () => {
      forget()
      if (!isAnother) return onClose()
      restart()
      nameRef.current?.focus()
    })
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    submit(false, false)
  }
  const onCancel = () => {
    forget()
    onClose()
  }
  return (
    <form onSubmit={onSubmit} className="dialog-form">
      {isRestored && <RestoredNote onRestart={restart} />}
      <FieldInputs
        {...{ collection, stored, draft, nameRef }}
        setDraft={(change) => {
          reset()
          setDraft(change)
        }}
        errorAt={(path) => partMessage(error, path)}
      />
      <DataLossWarning error={error} onAccept={() => submit(true, false)} />
      <FormActions
        label={stored ? t('Save field') : t('Add field')}
        isReady={isReady}
        isBusy={isPending}
        onCancel={onCancel}
      >
        {!stored && (
          <Button disabled={!isReady || isPending} onClick={() => submit(false, true)}>
            {t('Save and add another')}
          </Button>
        )}
      </FormActions>
    </form>
  )
}

type FieldInputsProps = {
  readonly collection: TypedCollection
  readonly stored: Field | undefined
  readonly draft: FieldDraft
  readonly setDraft: (change: (before: FieldDraft) => FieldDraft) => void
  readonly nameRef: Ref<HTMLInputElement>
  readonly errorAt: (path: string) => string | undefined
}

/** Name, type, options and description, followed by rarely used settings in a collapsed section. */
function FieldInputs({ collection, stored, draft, setDraft, nameRef, errorAt }: FieldInputsProps) {
  const { kind } = draft
  const change = (part: Partial<FieldDraft>) => setDraft((before) => ({ ...before, ...part }))
  const options = (
    <FieldOptionsForm
      key={kind}
      kind={kind}
      options={draft.options}
      onChange={(next) => change({ options: next })}
      errorAt={errorAt}
      isStored={stored?.kind === kind}
      place={{ collection, field: stored?.id ?? '' }}
    />
  )
  return (
    <>
      <WithHelp setting="field-label" isDescribed>
        <TextInput
          ref={nameRef}
          label={t('Name')}
          required
          data-autofocus
          maxLength={MAX_LABEL_LENGTH}
          value={draft.label}
          onChange={({ currentTarget }) => change({ label: currentTarget.value })}
          error={errorAt('label')}
        />
      </WithHelp>
      <FieldTypePicker
        collection={collection}
        kind={kind}
        stored={stored}
        onKind={(next) => setDraft((before) => withKind(before, next, stored))}
      />
      {kind !== 'text' && options}
      {kind === 'relation' && <UniqueSetting draft={draft} change={change} errorAt={errorAt} />}
      {!stored && <ShownThere collection={collection} draft={draft} change={change} />}
      <WithHelp setting="field-description" isDescribed>
        <Textarea
          label={t('Description')}
          description={t('Shown below the input and when you hover over the column header')}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={MAX_FIELD_DESCRIPTION_LENGTH}
          value={draft.description}
          onChange={({ currentTarget }) => change({ description: currentTarget.value })}
          error={errorAt('description')}
        />
      </WithHelp>
      <AdvancedFieldSettings {...{ draft, change, errorAt, collection, stored }}>
        {kind === 'text' && options}
      </AdvancedFieldSettings>
    </>
  )
}

function RestoredNote({ onRestart }: { readonly onRestart: () => void }) {
  return (
    <p className="field-restored" role="status">
      {t('Your unsaved changes were restored.')}
      <Button size="xs" variant="subtle" onClick={onRestart}>
        {t('Discard')}
      </Button>
    </p>
  )
}

/** Keeps the draft when the form closes, until it is saved or canceled. */
function useUnfinishedDraft(collection: TypedCollection, stored: Field | undefined, start: NewFieldStart) {
  const key = `${useUser()?.id} ${collection.id} ${stored?.id ?? start.copyOf?.id ?? 'new'} ${start.kind ?? ''}`
  const [first] = useState(() => initialDraft(stored, start))
  const [kept] = useState(() => unfinishedFields.take(key, first))
  const [draft, setDraft] = useState(kept ?? first)
  const [isRestored, setRestored] = useState(kept !== undefined)
  const latest = useLatest(draft)
  const isDone = useRef(false)
  useEffect(
    () => () => {
      if (!isDone.current && !isSameDraft(latest.current, first)) unfinishedFields.keep(key, first, latest.current)
    },
    [latest, key, first],
  )
  return {
    draft,
    setDraft,
    isRestored,
    restart: () => {
      isDone.current = false
      setRestored(false)
      setDraft(stored ? first : initialDraft(undefined, start.copyOf ? NO_START : start))
    },
    forget: () => {
      isDone.current = true
    },
  }
}

/** Shared ID, so that only the last of several notifications is shown. */
const ADDED_TOAST = 'field-added'

type SaveOptions = { readonly start: NewFieldStart; readonly onAdded: ((field: AddedField) => void) | undefined }

function useSaveField(collection: TypedCollection, stored: Field | undefined, { start, onAdded }: SaveOptions) {
  const adding = useAddField(collection.name)
  const changing = useChangeField(collection.name)
  const added = useRef(0)
  const save = (draft: FieldDraft, acceptLoss: boolean, onSaved: () => void) => {
    const label = draft.label.trim()
    if (!stored) {
      const position = start.position === undefined ? {} : { position: start.position + added.current }
      const body = { ...newFieldBody(draft), ...position }
      const onSuccess = ({ fields }: CollectionBody) => {
        added.current += 1
        const field = fields.find(({ id }) => collection.fields.every((before) => before.id !== id))
        if (field) onAdded?.(field)
        notify.success(t('Field {label} added', { label }), { id: ADDED_TOAST })
        onSaved()
      }
      return adding.mutate(body, { onSuccess })
    }
    const body = { ...changedFieldBody(draft, stored), ...(acceptLoss && { acceptLoss }) }
    changing.mutate(
      { field: stored.id, body },
      {
        onSuccess: (said) => {
          // Many records are converted by a job, whose progress the field list shows.
          if (!('job' in said)) notify.success(t('Field {label} saved', { label }))
          onSaved()
        },
      },
    )
  }
  const { isPending, error, reset } = stored ? changing : adding
  return { save, isPending, error, reset }
}

type ShownThereProps = {
  readonly collection: TypedCollection
  readonly draft: FieldDraft
  readonly change: (part: Partial<FieldDraft>) => void
}

/** Whether a new relation also gets a field in the linked collection. */
function ShownThere({ collection, draft, change }: ShownThereProps) {
  const target = useManagedTarget(collection, draft)
  if (!target) return null
  return (
    <WithHelp setting="field-shown-there" isDescribed>
      <Checkbox
        label={t('Also show the links in {label}', { label: target.label })}
        description={t('Adds a field there that lists these records')}
        checked={draft.isShownThere}
        onChange={({ currentTarget }) => change({ isShownThere: currentTarget.checked })}
      />
    </WithHelp>
  )
}

/** The linked collection of a relation, if the user can add a field to it. */
function useManagedTarget(
  { id }: TypedCollection,
  draft: FieldDraft,
): { readonly id: string; readonly label: string } | undefined {
  const { data: collections = [] } = useQuery(collectionsQuery)
  if (draft.kind !== 'relation') return undefined
  const linked = linkedCollection(fieldOfDraft(draft))
  const target = collections.find((collection) => collection.id === linked)
  const isManaged = target?.id === id || target?.can.includes('collections:manage')
  return isManaged ? target : undefined
}
