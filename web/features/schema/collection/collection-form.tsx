import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { MAX_LABEL_LENGTH } from '#domain/collections/names.ts'
import { canBeTitle } from '#domain/collections/collection.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { partMessage } from '#web/data/api/error-messages.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { Dropdown } from '#web/ui/dropdown/dropdown.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { t } from '#web/i18n/t.ts'
import { useChangeCollection } from './collection-queries.ts'
import '../schema.css'

type CollectionFormProps = {
  readonly collection: TypedCollection
  /** The URL changes with the name. */
  readonly onRenamed: (name: string) => void
}

export function CollectionForm(props: CollectionFormProps) {
  const { collection } = props
  const { label, setLabel, name, setName, titleField, setTitleField, canSave, isPending, error, submit } =
    useCollectionForm(props)
  const hasPlace = ['name', 'label', 'titleField'].some((path) => partMessage(error, path) !== undefined)

  return (
    <form id="collection-names" onSubmit={submit} className="settings-section" aria-labelledby="names-title">
      <h2 id="names-title">{t('Names')}</h2>
      <WithHelp setting="collection-label">
        <TextInput
          label={t('Display name')}
          description={t('Shown in menus, lists and headings')}
          required
          maxLength={MAX_LABEL_LENGTH}
          value={label}
          onChange={({ currentTarget }) => setLabel(currentTarget.value)}
          error={partMessage(error, 'label')}
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
          onChange={({ currentTarget }) => setName(currentTarget.value)}
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
          onChange={setTitleField}
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
  const [label, setLabel] = useState(collection.label)
  const [name, setName] = useState(collection.name)
  const [titleField, setTitleField] = useState(collection.titleField)
  const { mutate, isPending, error } = useChangeCollection(collection.name)
  const wanted = { label: label.trim(), name: name.trim(), titleField }
  const isChanged =
    wanted.label !== collection.label || wanted.name !== collection.name || titleField !== collection.titleField
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
  return { label, setLabel, name, setName, titleField, setTitleField, canSave, isPending, error, submit }
}
