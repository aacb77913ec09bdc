import { ActionIcon, Button, Skeleton, Switch, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { changeProfileFields } from '#api/workspace.ts'
import { KNOWN_OF_EVERYBODY, MAX_PROFILE_FIELDS, type ProfileField } from '#domain/access/profile.ts'
import { asCallFailed } from '#web/client/call-failed.ts'
import { call } from '#web/client/call.ts'
import { FailureNotice } from '#web/client/failure-notice.tsx'
import { failureText } from '#web/client/problem-text.ts'
import { profileFieldsQuery } from '#web/client/profile-fields-query.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { IconTags } from '#web/kit/icons/icon-tags.ts'
import { IconTrash } from '#web/kit/icons/icon-trash.ts'
import { Line, LineList } from '#web/kit/line-list.tsx'
import { Panel } from '#web/kit/panel.tsx'
import { notify } from '#web/kit/toast/notify.ts'
import { WithHelp } from '#web/fields/setting-help/with-help.tsx'
import { t } from '#web/language/t.ts'
import { noteName } from './note-name.ts'
import './profile-fields-panel.css'

/** What is noted about people, such as a region: conditions on records can ask for it. */
export function ProfileFieldsPanel() {
  const { data: fields, error, refetch } = useQuery(profileFieldsQuery)
  return (
    <Panel
      mark="profile-fields"
      title={t('Notes about people')}
      lead={t(
        'What you note about people, such as a region or a team, on the page of people. Roles can then open the records of one’s own region.',
      )}
    >
      {error && !fields && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {!fields && !error && <Skeleton height={120} radius="sm" />}
      {fields && <Notes fields={fields} />}
    </Panel>
  )
}

function useChangeFields() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (items: readonly ProfileField[]) => call(changeProfileFields, { body: { items: [...items] } }),
    onSuccess({ items }) {
      queryClient.setQueryData(profileFieldsQuery.queryKey, items)
      void queryClient.invalidateQueries({ queryKey: queryKeys.users })
    },
    onError(error) {
      if (asCallFailed(error)?.code === 'aborted') return
      notify.error(t('The notes were not changed'), { detail: failureText(error).detail })
    },
  })
}

function Notes({ fields }: { readonly fields: readonly ProfileField[] }) {
  const { mutate, isPending } = useChangeFields()
  const remove = (field: ProfileField) =>
    mutate(
      fields.filter(({ name }) => name !== field.name),
      {
        onSuccess: ({ items }) =>
          notify.success(t('{label} is not noted any more', { label: field.label }), {
            action: { label: t('Undo'), run: () => mutate([...items, field]) },
          }),
      },
    )
  return (
    <div className="profile-fields">
      {fields.length > 0 && (
        <LineList label={t('Notes about people')}>
          {fields.map((field) => (
            <Line
              key={field.name}
              icon={IconTags}
              title={field.label}
              detail={
                <>
                  <code>@me.{field.name}</code>
                  {field.many && ` · ${t('several')}`}
                </>
              }
              actions={
                <ActionIcon
                  aria-label={t('Do not note {label} any more', { label: field.label })}
                  onClick={() => remove(field)}
                >
                  <IconTrash size={16} stroke={1.5} />
                </ActionIcon>
              }
            />
          ))}
        </LineList>
      )}
      {fields.length < MAX_PROFILE_FIELDS && (
        <NewNote fields={fields} isPending={isPending} onAdd={(field, onDone) => mutate([...fields, field], onDone)} />
      )}
    </div>
  )
}

type NewNoteProps = {
  readonly fields: readonly ProfileField[]
  readonly isPending: boolean
  readonly onAdd: (field: ProfileField, onDone: { readonly onSuccess: () => void }) => void
}

function NewNote({ fields, isPending, onAdd }: NewNoteProps) {
  const [label, setLabel] = useState('')
  const [many, setMany] = useState(false)
  const isNamed = label.trim() !== ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isNamed || isPending) return
    const name = noteName(label, [...KNOWN_OF_EVERYBODY, ...fields.map((field) => field.name)])
    onAdd({ name, label: label.trim(), many }, { onSuccess: () => setLabel('') })
  }
  return (
    <form onSubmit={submit} className="profile-fields-new">
      <WithHelp setting="note-name">
        <TextInput
          label={t('What to note')}
          placeholder={t('Region')}
          maxLength={120}
          value={label}
          onChange={({ currentTarget }) => setLabel(currentTarget.value)}
        />
      </WithHelp>
      <WithHelp setting="note-many">
        <Switch
          label={t('Several for one person')}
          checked={many}
          onChange={({ currentTarget }) => setMany(currentTarget.checked)}
        />
      </WithHelp>
      <Button type="submit" disabled={!isNamed} loading={isPending}>
        {t('Note it')}
      </Button>
    </form>
  )
}
