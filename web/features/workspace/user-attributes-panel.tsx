import { ActionIcon, Button, Skeleton, Switch, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { changeProfileFields } from '#api/workspace.ts'
import { BUILT_IN_ATTRIBUTES, MAX_USER_ATTRIBUTES, type UserAttribute } from '#domain/access/user.ts'
import { foldText } from '#domain/shared/text.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { userAttributesQuery } from '#web/data/queries/workspace-queries.ts'
import { t } from '#web/i18n/t.ts'
import { FailureNotice, notifyFailure } from '#web/shared/navigation/failure-notice.tsx'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { IconTags, IconTrash } from '#web/ui/icons/general.ts'
import { ItemList, ListItem, Panel } from '#web/ui/layout/panel.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import './user-attributes-panel.css'

/** The server's length limit for names after `@me.`. */
const MAX_LENGTH = 60

/** Derives a unique name for use in conditions. */
export function attributeName(label: string, taken: readonly string[]): string {
  const folded = foldText(label)
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[_0-9]+|_+$/g, '')
    .slice(0, MAX_LENGTH - 3)
  const wanted = folded === '' ? 'note' : folded
  let name = wanted
  for (let count = 2; taken.includes(name); count += 1) name = `${wanted}_${count}`
  return name
}

export function UserAttributesPanel() {
  const { data: fields, error, refetch } = useQuery(userAttributesQuery)
  return (
    <Panel
      mark="profile-fields"
      title={t('User attributes')}
      lead={t(
        'Values you set for each user on the People page, such as a region or team. Roles can use them to limit access, for example to records of the user’s own region.',
      )}
    >
      {error && !fields && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {!fields && !error && <Skeleton height={120} radius="sm" />}
      {fields && <AttributeList fields={fields} />}
    </Panel>
  )
}

function useChangeFields() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (items: readonly UserAttribute[]) => call(changeProfileFields, { body: { items: [...items] } }),
    onSuccess({ items }) {
      queryClient.setQueryData(userAttributesQuery.queryKey, items)
      void queryClient.invalidateQueries({ queryKey: queryKeys.users })
    },
    onError: notifyFailure(t('Couldn’t update user attributes')),
  })
}

function AttributeList({ fields }: { readonly fields: readonly UserAttribute[] }) {
  const { mutate, isPending } = useChangeFields()
  const remove = (field: UserAttribute) =>
    mutate(
      fields.filter(({ name }) => name !== field.name),
      {
        onSuccess: ({ items }) =>
          notify.success(t('Attribute {label} removed', { label: field.label }), {
            action: { label: t('Undo'), run: () => mutate([...items, field]) },
          }),
      },
    )
  return (
    <div className="profile-fields">
      {fields.length > 0 && (
        <ItemList label={t('User attributes')}>
          {fields.map((field) => (
            <ListItem
              key={field.name}
              icon={IconTags}
              title={field.label}
              detail={
                <>
                  <code>@me.{field.name}</code>
                  {field.many && ` · ${t('multiple')}`}
                </>
              }
              actions={
                <ActionIcon
                  aria-label={t('Remove attribute {label}', { label: field.label })}
                  onClick={() => remove(field)}
                >
                  <IconTrash size={16} stroke={1.5} />
                </ActionIcon>
              }
            />
          ))}
        </ItemList>
      )}
      {fields.length < MAX_USER_ATTRIBUTES && (
        <NewAttribute
          fields={fields}
          isPending={isPending}
          onAdd={(field, onDone) => mutate([...fields, field], onDone)}
        />
      )}
    </div>
  )
}

type NewAttributeProps = {
  readonly fields: readonly UserAttribute[]
  readonly isPending: boolean
  readonly onAdd: (field: UserAttribute, onDone: { readonly onSuccess: () => void }) => void
}

function NewAttribute({ fields, isPending, onAdd }: NewAttributeProps) {
  const [label, setLabel] = useState('')
  const [many, setMany] = useState(false)
  const isNamed = label.trim() !== ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isNamed || isPending) return
    const name = attributeName(label, [...BUILT_IN_ATTRIBUTES, ...fields.map((field) => field.name)])
    onAdd({ name, label: label.trim(), many }, { onSuccess: () => setLabel('') })
  }
  return (
    <form onSubmit={submit} className="profile-fields-new">
      <WithHelp setting="note-name">
        <TextInput
          label={t('Attribute name')}
          placeholder={t('Region')}
          maxLength={120}
          value={label}
          onChange={({ currentTarget }) => setLabel(currentTarget.value)}
        />
      </WithHelp>
      <WithHelp setting="note-many">
        <Switch
          label={t('Allow multiple values')}
          checked={many}
          onChange={({ currentTarget }) => setMany(currentTarget.checked)}
        />
      </WithHelp>
      <Button type="submit" disabled={!isNamed} loading={isPending}>
        {t('Add attribute')}
      </Button>
    </form>
  )
}
