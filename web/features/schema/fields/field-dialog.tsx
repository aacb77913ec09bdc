import { Button, Checkbox, Drawer, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { MAX_LABEL_LENGTH } from '#domain/collections/names.ts'
import { type Field, FIELD_KINDS, type FieldKind } from '#domain/fields/field.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { partMessage } from '#web/data/api/error-messages.ts'
import { useAddField, useChangeField } from '#web/features/schema/collection/collection-queries.ts'
import { FieldInput } from '#web/field-kinds/field-input.tsx'
import { FieldOptionsForm } from '#web/field-kinds/field-options.tsx'
import { plural, t } from '#web/i18n/t.ts'
import { KIND_TRAITS } from '#web/shared/fields/kinds.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { FormActions } from '#web/ui/dialogs/form-actions.tsx'
import '#web/features/schema/schema.css'
import {
  canBeRequired,
  canChooseUnique,
  canHaveDefault,
  changedFieldBody,
  draftOfField,
  type FieldDraft,
  fieldOfDraft,
  NEW_FIELD,
  newFieldBody,
  withKind,
} from './field-draft.ts'

export type DataLoss = { readonly count: number; readonly examples: readonly string[] }

/** Undefined if the error has another reason. */
function dataLossOf(error: unknown): DataLoss | undefined {
  const lost = toCallError(error)?.extra['lost']
  if (typeof lost !== 'object' || lost === null || !('count' in lost) || typeof lost.count !== 'number')
    return undefined
  const examples = 'examples' in lost && Array.isArray(lost.examples) ? lost.examples : []
  return { count: lost.count, examples: [...new Set(examples.filter((example) => typeof example === 'string'))] }
}

type DataLossWarningProps = { readonly error: Error | null; readonly onAccept: () => void }

/** Shows what would be lost; the user must accept it. */
function DataLossWarning({ error, onAccept }: DataLossWarningProps) {
  const loss = dataLossOf(error)
  if (loss) {
    return (
      <div className="field-loss" role="alert" ref={showWhole}>
        <p>
          {loss.examples.length > 0
            ? plural(
                loss.count,
                '{n} value can’t be converted and will be deleted, for example:',
                '{n} values can’t be converted and will be deleted, for example:',
              )
            : plural(
                loss.count,
                '{n} value can’t be converted and will be deleted',
                '{n} values can’t be converted and will be deleted',
              )}
        </p>
        {loss.examples.length > 0 && (
          <ul>
            {loss.examples.slice(0, 5).map((example) => (
              <li key={example}>{example}</li>
            ))}
          </ul>
        )}
        <p>{t('Nothing has been changed yet.')}</p>
        <Button size="xs" color="danger" variant="filled" onClick={onAccept}>
          {plural(loss.count, 'Continue and delete {n} value', 'Continue and delete {n} values')}
        </Button>
      </div>
    )
  }
  const isShownAtItsPlace = toCallError(error)?.errors.some(({ path }) => path !== '') ?? false
  return error && !isShownAtItsPlace ? <FailureNotice error={error} /> : null
}

/** It appears below a long form. */
const showWhole = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' })

type KindPickerProps = {
  readonly kind: FieldKind
  /** The type of an existing field. */
  readonly stored: FieldKind | undefined
  /** A collection has at most one status field. */
  readonly hasState: boolean
  readonly onKind: (kind: FieldKind) => void
}

/** Files can't be converted. */
const isPossible = (kind: FieldKind, stored: FieldKind | undefined): boolean =>
  stored === undefined || kind === stored || (kind !== 'files' && stored !== 'files')

function KindPicker({ kind, stored, hasState, onKind }: KindPickerProps) {
  return (
    <WithHelp setting="field-kind">
      <fieldset className="kind-choice">
        <legend>{t('Field type')}</legend>
        <div>
          {FIELD_KINDS.map((each) => {
            const { label, hint, Icon } = KIND_TRAITS[each]
            return (
              <label key={each} className="kind-option" data-chosen={each === kind || undefined} title={hint}>
                <input
                  type="radio"
                  name="kind"
                  checked={each === kind}
                  disabled={!isPossible(each, stored) || (each === 'state' && hasState)}
                  onChange={() => onKind(each)}
                />
                <Icon size={16} stroke={1.5} aria-hidden />
                <span>{label}</span>
              </label>
            )
          })}
        </div>
        <p>{KIND_TRAITS[kind].hint}</p>
      </fieldset>
    </WithHelp>
  )
}

type FieldDialogProps = {
  readonly collection: TypedCollection
  /** `new` to add; null while closed. */
  readonly field: Field | 'new' | null
  /** Type of a new field. */
  readonly begins?: FieldKind
  readonly onClose: () => void
}

export function FieldDialog({ collection, field, begins = 'text', onClose }: FieldDialogProps) {
  const title = field === 'new' || field === null ? t('Add a field') : t('Field {label}', { label: field.label })
  return (
    <Drawer opened={field !== null} onClose={onClose} title={title} size={460}>
      {field !== null && (
        <FieldForm
          collection={collection}
          stored={field === 'new' ? undefined : field}
          begins={begins}
          onClose={onClose}
        />
      )}
    </Drawer>
  )
}

type FieldFormProps = {
  readonly collection: TypedCollection
  readonly stored: Field | undefined
  readonly begins: FieldKind
  readonly onClose: () => void
}

function FieldForm({ collection, stored, begins, onClose }: FieldFormProps) {
  const [draft, setDraft] = useState<FieldDraft>(() =>
    stored ? draftOfField(stored) : withKind(NEW_FIELD, begins, undefined),
  )
  const { save, isPending, error, reset } = useSaveField(collection, stored, onClose)
  const errorAt = (path: string) => partMessage(error, path)
  const change = (part: Partial<FieldDraft>) => {
    reset()
    setDraft((before) => ({ ...before, ...part }))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (draft.label.trim() !== '' && !isPending) save(draft, false)
  }

  return (
    <form onSubmit={submit} className="dialog-form">
      <WithHelp setting="field-label">
        <TextInput
          label={t('Display name')}
          required
          data-autofocus
          maxLength={MAX_LABEL_LENGTH}
          value={draft.label}
          onChange={({ currentTarget }) => change({ label: currentTarget.value })}
          error={errorAt('label')}
        />
      </WithHelp>
      <KindPicker
        kind={draft.kind}
        stored={stored?.kind}
        hasState={collection.fields.some((field) => field.kind === 'state' && field.id !== stored?.id)}
        onKind={(kind) => {
          reset()
          setDraft((before) => withKind(before, kind, stored))
        }}
      />
      <FieldOptionsForm
        key={draft.kind}
        kind={draft.kind}
        options={draft.options}
        onChange={(options) => change({ options })}
        errorAt={errorAt}
        isStored={stored?.kind === draft.kind}
      />
      <RulesForm draft={draft} change={change} errorAt={errorAt} collection={collection} />
      <DataLossWarning error={error} onAccept={() => save(draft, true)} />
      <FormActions
        label={stored ? t('Save field') : t('Add field')}
        isReady={draft.label.trim() !== '' && dataLossOf(error) === undefined}
        isBusy={isPending}
        onCancel={onClose}
      />
    </form>
  )
}

type RulesFormProps = {
  readonly draft: FieldDraft
  readonly change: (part: Partial<FieldDraft>) => void
  readonly errorAt: (path: string) => string | undefined
  readonly collection: TypedCollection
}

function RulesForm({ draft, change, errorAt, collection }: RulesFormProps) {
  const { kind } = draft
  return (
    <>
      {canBeRequired(kind) && (
        <WithHelp setting="field-required">
          <Checkbox
            label={t('Required')}
            description={t('Records can’t be saved without a value')}
            checked={draft.required}
            onChange={({ currentTarget }) => change({ required: currentTarget.checked })}
            error={errorAt('required')}
          />
        </WithHelp>
      )}
      {canChooseUnique(kind) && (
        <WithHelp setting="field-unique">
          <Checkbox
            label={t('Unique')}
            description={t('Two records can’t have the same value')}
            checked={draft.unique}
            onChange={({ currentTarget }) => change({ unique: currentTarget.checked })}
            error={errorAt('unique')}
          />
        </WithHelp>
      )}
      {canHaveDefault(kind) && (
        <WithHelp setting="field-default">
          <FieldInput
            key={kind}
            field={fieldOfDraft(draft)}
            label={t('Default value')}
            value={draft.default}
            onChange={(value) => change({ default: value })}
            error={errorAt('default')}
            place={{ collection: collection.name }}
          />
        </WithHelp>
      )}
      <WithHelp setting="field-name">
        <TextInput
          label={t('API name')}
          description={t('Generated from the display name if empty')}
          spellCheck={false}
          autoCapitalize="off"
          className="code-input"
          value={draft.name}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          error={errorAt('name')}
        />
      </WithHelp>
    </>
  )
}

function useSaveField(collection: TypedCollection, stored: Field | undefined, onClose: () => void) {
  const adding = useAddField(collection.name)
  const changing = useChangeField(collection.name)
  const done = (text: string) => () => {
    notify.success(text)
    onClose()
  }
  const save = (draft: FieldDraft, acceptLoss: boolean) => {
    if (!stored)
      return adding.mutate(newFieldBody(draft), {
        onSuccess: done(t('Field {label} added', { label: draft.label.trim() })),
      })
    const body = { ...changedFieldBody(draft, stored), ...(acceptLoss && { acceptLoss }) }
    changing.mutate(
      { field: stored.id, body },
      // Many records are converted by a job, shown in the field list.
      {
        onSuccess: (said) =>
          'job' in said ? onClose() : done(t('Field {label} saved', { label: draft.label.trim() }))(),
      },
    )
  }
  const { isPending, error, reset } = stored ? changing : adding
  return { save, isPending, error, reset }
}
