import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { changeProfile } from '#api/account.ts'
import { readSessionUser } from '#api/sessions.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { userIn } from '#web/data/session/sign-in.ts'
import { sessionState } from '#web/data/session/session-state.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { t } from '#web/i18n/t.ts'
import './account-form.css'
import { useAccountChange } from './account-queries.ts'

export function ProfileForm({ name: before }: { readonly name: string }) {
  const [name, setName] = useState(before)
  const change = useAccountChange({
    async run(next: string) {
      const epoch = sessionState.epoch()
      await call(changeProfile, { body: { name: next } })
      sessionState.keepUser(epoch, userIn(await call(readSessionUser)))
    },
    touches: [queryKeys.users],
    onDone: () => notify.success(t('Name changed.')),
  })
  const isNew = name.trim() !== '' && name.trim() !== before

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isNew && !change.isPending) change.mutate(name.trim())
  }

  return (
    <form onSubmit={submit} className="account-form">
      <WithHelp setting="person-name">
        <TextInput
          data-tour="own-name"
          label={t('Name')}
          size="md"
          autoComplete="name"
          maxLength={120}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
      </WithHelp>
      <div className="account-form-actions">
        <Button type="submit" variant="filled" disabled={!isNew} loading={change.isPending}>
          {t('Save name')}
        </Button>
      </div>
    </form>
  )
}
