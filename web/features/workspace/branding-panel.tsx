import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { changeBranding, changeLogo, removeLogo } from '#api/workspace.ts'
import { call } from '#web/data/api/call.ts'
import { describeError, partMessage } from '#web/data/api/error-messages.ts'
import { setBranding, useBranding } from '#web/data/session/branding.ts'
import { LogoInput } from '#web/shared/branding/logo-input.tsx'
import { notifyFailure } from '#web/shared/navigation/failure-notice.tsx'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { t } from '#web/i18n/t.ts'
import { Panel } from '#web/ui/layout/panel.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import './storage-panel.css'

export function BrandingPanel() {
  const { logo } = useBranding()
  const change = useMutation({
    mutationFn: (next: Blob | null) => (next ? call(changeLogo, { body: next }) : call(removeLogo)),
    onSuccess: (saved) => {
      setBranding(saved)
      notify.success(saved.logo === null ? t('Logo removed.') : t('Logo saved.'))
    },
    onError: notifyFailure(t('Couldn’t save the logo')),
  })
  return (
    <Panel
      title={t('Name and logo')}
      mark="branding"
      lead={t('Shown in browser tabs and emails and on the sign-in page, even to people who aren’t signed in.')}
    >
      <div className="storage">
        <NameForm />
        <WithHelp setting="workspace-logo">
          <LogoInput logo={logo} isBusy={change.isPending} onChange={(next) => change.mutate(next)} />
        </WithHelp>
      </div>
    </Panel>
  )
}

function NameForm() {
  const { name } = useBranding()
  const [edited, setEdited] = useState<string>()
  const typed = edited ?? name
  const isChanged = typed.trim() !== name
  const change = useMutation({
    mutationFn: (wanted: string) => call(changeBranding, { body: { name: wanted } }),
    onSuccess: (saved) => {
      setBranding(saved)
      setEdited(undefined)
      notify.success(t('Name saved.'))
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isChanged && !change.isPending) change.mutate(typed.trim())
  }
  return (
    <form onSubmit={submit} className="storage" noValidate>
      <WithHelp setting="workspace-name">
        <TextInput
          label={t('Workspace name')}
          placeholder="Dossier"
          value={typed}
          maxLength={60}
          error={change.error && (partMessage(change.error, 'name') ?? describeError(change.error).detail)}
          onChange={({ currentTarget }) => setEdited(currentTarget.value)}
        />
      </WithHelp>
      <div className="storage-actions">
        <Button type="submit" variant="filled" disabled={!isChanged} loading={change.isPending}>
          {t('Save name')}
        </Button>
        {isChanged && <Button onClick={() => setEdited(undefined)}>{t('Discard')}</Button>}
      </div>
    </form>
  )
}
