import { Radio, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { CollectionBody } from '#api/collections.ts'
import { sidebarLayoutOf, groupsOf } from '#domain/collections/sidebar-layout.ts'
import { MAX_GROUP_NAME_LENGTH } from '#domain/collections/collection-appearance.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { t } from '#web/i18n/t.ts'
import { AppearanceForm } from '#web/features/schema/collection/appearance-form.tsx'
import { FormActions } from '#web/ui/dialogs/form-actions.tsx'
import { type SidebarDialog, useArrangeCollections, withCollectionIn, withGroupNamed } from './arrange-collections.ts'

type SidebarDialogsProps = {
  readonly requested: SidebarDialog | undefined
  readonly collections: readonly CollectionBody[]
  readonly onClose: () => void
}

export function SidebarDialogs({ requested, collections, onClose }: SidebarDialogsProps) {
  const collection = collections.find(({ id }) => requested && 'collection' in requested && id === requested.collection)
  const form = requested && formOf(requested, collection, { collections, onDone: onClose })
  return (
    <Dialog opened={form !== undefined} onClose={onClose} title={form?.title} size={440}>
      {form?.body}
    </Dialog>
  )
}

type Around = Pick<GroupFormProps, 'collections' | 'onDone'>

function formOf(requested: SidebarDialog, collection: CollectionBody | undefined, around: Around) {
  if (requested.type === 'rename')
    return { title: t('Rename group'), body: <RenameForm group={requested.group} {...around} /> }
  if (!collection) return undefined
  if (requested.type === 'look')
    return { title: t('Icon and color'), body: <AppearanceForm collection={collection} onDone={around.onDone} /> }
  const title = t('Move {label} to group', { label: collection.label })
  return { title, body: <GroupForm collection={collection} {...around} /> }
}

const namesOf = (collections: readonly CollectionBody[]): readonly string[] =>
  groupsOf(collections).flatMap(({ name }) => name ?? [])

type GroupFormProps = {
  readonly collection: CollectionBody
  readonly collections: readonly CollectionBody[]
  readonly onDone: () => void
}

const NO_GROUP = 'none'
const NEW_GROUP = 'new'

function GroupForm({ collection, collections, onDone }: GroupFormProps) {
  const arrange = useArrangeCollections()
  const { id, label, group } = collection
  const names = namesOf(collections)
  const [chosen, setChosen] = useState(
    group === undefined ? (names.length > 0 ? NO_GROUP : NEW_GROUP) : `group ${group}`,
  )
  const [typed, setTyped] = useState('')
  const isNew = chosen === NEW_GROUP
  const name = isNew ? typed.trim() : chosen === NO_GROUP ? null : chosen.slice('group '.length)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name === '') return
    onDone()
    if (name === (group ?? null)) return
    const said =
      name === null
        ? t('{label} removed from its group', { label })
        : t('{label} moved to {group}', { label, group: name })
    arrange(withCollectionIn(sidebarLayoutOf(collections), id, name), said)
  }
  return (
    <form onSubmit={submit} className="dialog-form">
      <WithHelp setting="collection-group">
        <Radio.Group label={t('Group')} value={chosen} onChange={setChosen}>
          <div className="group-choices">
            <Radio value={NO_GROUP} label={t('No group')} />
            {names.map((each) => (
              <Radio key={each} value={`group ${each}`} label={each} />
            ))}
            <Radio value={NEW_GROUP} label={t('New group')} />
          </div>
        </Radio.Group>
      </WithHelp>
      {isNew && <GroupName value={typed} onChange={setTyped} />}
      <FormActions isReady={name !== ''} label={t('Move')} onCancel={onDone} />
    </form>
  )
}

type RenameFormProps = Omit<GroupFormProps, 'collection'> & { readonly group: string }

function RenameForm({ group, collections, onDone }: RenameFormProps) {
  const arrange = useArrangeCollections()
  const [typed, setTyped] = useState(group)
  const name = typed.trim()
  const isJoining = name !== group && namesOf(collections).includes(name)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name === '') return
    onDone()
    if (name === group) return
    arrange(withGroupNamed(sidebarLayoutOf(collections), group, name), t('{group} renamed to {name}', { group, name }))
  }
  return (
    <form onSubmit={submit} className="dialog-form">
      <GroupName
        value={typed}
        onChange={setTyped}
        {...(isJoining && { hint: t('A group with this name already exists. The two will be merged.') })}
      />
      <FormActions isReady={name !== ''} label={t('Rename')} onCancel={onDone} />
    </form>
  )
}

type GroupNameProps = {
  readonly value: string
  readonly hint?: string
  readonly onChange: (name: string) => void
}

const GroupName = ({ value, hint, onChange }: GroupNameProps) => (
  <WithHelp setting="group-name">
    <TextInput
      label={t('Group name')}
      description={hint}
      value={value}
      maxLength={MAX_GROUP_NAME_LENGTH}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data-autofocus
    />
  </WithHelp>
)
