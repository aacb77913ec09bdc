import { Button, TextInput } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { PASSKEY_NAME_MAX, renamePasskey } from '#api/second-factors.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { call } from '#web/data/api/call.ts'
import { describeError, partMessage } from '#web/data/api/error-messages.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { IconFingerprint } from '#web/ui/icons/start.ts'
import { ListItem } from '#web/ui/layout/panel.tsx'
import { RelativeTime } from '#web/ui/text/relative-time.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { useReturnFocus } from '#web/ui/dialogs/dialog.tsx'
import { Say } from '#web/i18n/say.tsx'
import { t } from '#web/i18n/t.ts'
import { useAccountChange } from '#web/features/account/account-queries.ts'
import './passkey-row.css'
import type { Factors } from '#web/features/account/security-summary.tsx'

export type Passkey = Factors['passkeys'][number]

type PasskeyRowProps = { readonly passkey: Passkey; readonly onRemove: () => void }

export function PasskeyRow({ passkey, onRemove }: PasskeyRowProps) {
  const [isNaming, setIsNaming] = useState(false)
  const renameButton = useReturnFocus(isNaming)

  return (
    <ListItem
      icon={IconFingerprint}
      title={isNaming ? <PasskeyNameForm passkey={passkey} onClose={() => setIsNaming(false)} /> : passkey.name}
      detail={<PasskeyDetail passkey={passkey} />}
      actions={
        !isNaming && (
          <>
            <Button
              ref={renameButton}
              size="xs"
              aria-label={t('Rename {name}', { name: passkey.name })}
              onClick={() => setIsNaming(true)}
            >
              {t('Rename')}
            </Button>
            <Button size="xs" aria-label={t('Remove {name}', { name: passkey.name })} onClick={onRemove}>
              {t('Remove')}
            </Button>
          </>
        )
      }
    />
  )
}

type PasskeyNameFormProps = { readonly passkey: Passkey; readonly onClose: () => void }

function nameFailure(error: unknown): string | undefined {
  if (!error || toCallError(error)?.code === 'aborted') return undefined
  return partMessage(error, 'name') ?? describeError(error).detail
}

function PasskeyNameForm({ passkey, onClose }: PasskeyNameFormProps) {
  const [typed, setTyped] = useState(passkey.name)
  const name = typed.trim()
  const rename = useAccountChange({
    run: (next: string) => call(renamePasskey, { params: { passkey: passkey.id }, body: { name: next } }),
    touches: [queryKeys.factors],
    onDone(_, next) {
      notify.success(t('Passkey renamed to {next}.', { next }))
      onClose()
    },
    onFailure: () => true,
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (name === '' || rename.isPending) return
    if (name === passkey.name) onClose()
    else rename.mutate(name)
  }
  function leaveOnEscape({ key }: KeyboardEvent) {
    if (key === 'Escape') onClose()
  }

  return (
    <form className="passkey-name" onSubmit={submit} onKeyDown={leaveOnEscape}>
      <TextInput
        aria-label={t('New name for {name}', { name: passkey.name })}
        size="sm"
        maxLength={PASSKEY_NAME_MAX}
        autoComplete="off"
        autoFocus
        value={typed}
        error={nameFailure(rename.error)}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Button type="submit" size="xs" variant="filled" loading={rename.isPending} disabled={name === ''}>
        {t('Save')}
      </Button>
      <Button size="xs" onClick={onClose}>
        {t('Cancel')}
      </Button>
    </form>
  )
}

function PasskeyDetail({ passkey: { createdAt, usedAt } }: { readonly passkey: Passkey }) {
  return (
    <>
      <Say text="Added {when}" values={{ when: <RelativeTime at={createdAt} /> }} />
      {' · '}
      {usedAt === null ? (
        t('not used yet')
      ) : (
        <Say text="last used {when}" values={{ when: <RelativeTime at={usedAt} /> }} />
      )}
    </>
  )
}
