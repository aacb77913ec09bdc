import { Button, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { canBeTitle } from '#domain/collections/collection.ts'
import { MAX_COLLECTION_DESCRIPTION_LENGTH, MAX_LABEL_LENGTH } from '#domain/collections/names.ts'
import { sameJson } from '#domain/shared/json.ts'
import { partMessage } from '#web/data/api/error-messages.ts'
import { recordCountQuery } from '#web/data/queries/collections-query.ts'
import { plural, t } from '#web/i18n/t.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { useRestoreDefinition } from '#web/shared/trash/use-restore-definition.ts'
import { FailureNotice, notifyFailure } from '#web/shared/navigation/failure-notice.tsx'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { ConfirmByTyping } from '#web/ui/dialogs/confirm-dialog.tsx'
import { Dropdown } from '#web/ui/dropdown/dropdown.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import '#web/features/schema/schema.css'
import { useChangeCollection, useDeleteCollection } from './collection-queries.ts'

type CollectionFormProps = {
  readonly collection: TypedCollection
  /** Called after renaming, because the URL contains the collection's name. */
  readonly onRenamed: (name: string) => void
}

export function CollectionForm(props: CollectionFormProps) {
  const { collection } = props
  const { draft, change, canSave, isPending, error, submit } = useCollectionForm(props)
  const { label, description, name, titleField } = draft
  const hasPlace = ['name', 'label', 'description', 'titleField'].some((path) => partMessage(error, path) !== undefined)

  return (
    <form id="collection-names" onSubmit={submit} className="settings-section" aria-labelledby="names-title">
      <h2 id="names-title">{t('Name and description')}</h2>
      <WithHelp setting="collection-label">
        <TextInput
          label={t('Display name')}
          description={t('Shown in menus, lists and headings')}
          required
          maxLength={MAX_LABEL_LENGTH}
          value={label}
          onChange={({ currentTarget }) => change({ label: currentTarget.value })}
          error={partMessage(error, 'label')}
        />
      </WithHelp>
      <WithHelp setting="collection-description" isDescribed>
        <Textarea
          label={t('Description')}
          description={t('Shown on the home page and in the list menu')}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={MAX_COLLECTION_DESCRIPTION_LENGTH}
          value={description}
          onChange={({ currentTarget }) => change({ description: currentTarget.value })}
          error={partMessage(error, 'description')}
        />
      </WithHelp>
      <WithHelp setting="collection-name">
        <TextInput
          label={t('Name')}
          description={t('Used in URLs and the API. Changing it breaks existing links.')}
          required
          spellCheck={false}
          autoCapitalize="off"
          className="code-input"
          value={name}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          error={partMessage(error, 'name')}
        />
      </WithHelp>
      <WithHelp setting="collection-title">
        <Dropdown
          label={t('Primary field')}
          description={t('Identifies records in lists and links')}
          clearable
          options={collection.fields
            .filter(({ kind }) => canBeTitle(kind))
            .map((field) => ({ value: field.name, label: field.label }))}
          value={titleField}
          onChange={(next) => change({ titleField: next })}
          placeholder={t('None')}
          error={partMessage(error, 'titleField')}
        />
      </WithHelp>
      {error && !hasPlace && <FailureNotice error={error} />}
      <div>
        <Button type="submit" variant="filled" disabled={!canSave} loading={isPending}>
          {t('Save')}
        </Button>
      </div>
    </form>
  )
}

function useCollectionForm({ collection, onRenamed }: CollectionFormProps) {
  const { label, description = '', name, titleField } = collection
  const stored = { label, description, name, titleField }
  const [draft, setDraft] = useState(stored)
  const { mutate, isPending, error } = useChangeCollection(collection.name)
  const wanted = {
    ...draft,
    label: draft.label.trim(),
    description: draft.description.trim(),
    name: draft.name.trim(),
  }
  const isChanged = !sameJson(wanted, stored)
  const canSave = isChanged && wanted.label !== ''

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!canSave || isPending) return
    mutate(wanted, {
      onSuccess: (changed) => {
        notify.success(t('Collection saved'))
        if (changed.name !== collection.name) onRenamed(changed.name)
      },
    })
  }
  const change = (part: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...part }))
  return { draft, change, canSave, isPending, error, submit }
}

type DeleteCollectionProps = { readonly collection: TypedCollection; readonly onDeleted: () => void }

type RecordCount = { readonly total: number | null; readonly isExact: boolean }

function recordsText(count: RecordCount | undefined): string {
  if (count === undefined || count.total === null) return t('its records')
  return count.isExact
    ? plural(count.total, '{n} record', '{n} records')
    : plural(count.total, 'more than {n} record', 'more than {n} records')
}

export function DeleteCollection({ collection, onDeleted }: DeleteCollectionProps) {
  const [isAsking, setAsking] = useState(false)
  const { data: count } = useQuery(recordCountQuery(collection.name))
  const { mutateAsync } = useDeleteCollection(collection.name)
  const restore = useRestoreDefinition()
  const records = recordsText(count)
  const remove = () =>
    mutateAsync().then(
      () => {
        notify.success(t('{label} deleted', { label: collection.label }), {
          action: { label: t('Undo'), run: () => restore.mutate(collection) },
        })
        onDeleted()
      },
      (error: unknown) => {
        setAsking(false)
        notifyFailure(t('Couldn’t delete {label}', { label: collection.label }))(error)
      },
    )
  return (
    <section className="settings-section" aria-labelledby="delete-title">
      <h2 id="delete-title">{t('Delete collection')}</h2>
      <p className="dialog-hint">
        {t('Deletes the collection, {records} and their files. You can restore them from the trash.', { records })}
      </p>
      <div>
        <Button color="danger" variant="light" onClick={() => setAsking(true)}>
          {t('Delete {label}…', { label: collection.label })}
        </Button>
      </div>
      <ConfirmByTyping
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t('Delete {label}', { label: collection.label })}
        name={collection.label}
        actionLabel={t('Delete collection and {records}', { records })}
        onConfirm={remove}
      >
        {t('The collection, {records} and their files will be deleted. You can restore them from the trash.', {
          records,
        })}
      </ConfirmByTyping>
    </section>
  )
}
