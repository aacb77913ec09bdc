import { Button, TextInput } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import {
  PASSKEY_NAME_MAX,
  addPasskey,
  passkeyRegistrationOptions,
  removePasskey,
  renamePasskey,
} from '#api/second-factors.ts'
import { call } from '#web/data/api/call.ts'
import { canUsePasskeys, createPasskey } from '#web/data/authorization/passkeys.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx'
import { IconPlus } from '#web/ui/icons/frame.ts'
import { ItemList, ListItem, Panel } from '#web/ui/layout/panel.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { t } from '#web/i18n/t.ts'
import { type FactorPanelProps, useAccountChange } from '#web/features/account/account-queries.ts'
import { type Factors, isPasswordTooShort } from '#web/features/account/security-summary.tsx'
import { Dialog, useReturnFocus } from '#web/ui/dialogs/dialog.tsx'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { deviceName } from '#domain/sessions/device-name.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { IconFingerprint } from '#web/ui/icons/start.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import '#web/features/account/account-dialog.css'
import { describeError, partMessage } from '#web/data/api/error-messages.ts'
import { RelativeTime } from '#web/ui/text/relative-time.tsx'
import { Say } from '#web/i18n/say.tsx'
import './passkey-row.css'

type AddPasskeyDialogProps = {
  readonly onClose: () => void
  /** Called with recovery codes if the passkey is the first second factor. */
  readonly onAdded: (recoveryCodes: readonly string[]) => void
}

function AddPasskeyDialog({ onClose, onAdded }: AddPasskeyDialogProps) {
  const [name, setName] = useState(() => deviceName(navigator.userAgent))
  const queryClient = useQueryClient()
  const add = useMutation({
    mutationFn: async () => {
      const response = await createPasskey(await call(passkeyRegistrationOptions))
      return call(addPasskey, { body: { name: name.trim(), response } })
    },
    onSuccess({ recoveryCodes }) {
      for (const queryKey of [queryKeys.factors, queryKeys.sessions]) void queryClient.invalidateQueries({ queryKey })
      notify.success(t('Passkey {name} added.', { name: name.trim() }))
      onClose()
      onAdded(recoveryCodes)
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (name.trim() !== '' && !add.isPending) add.mutate()
  }

  return (
    <Dialog opened onClose={onClose} title={t('Add a passkey')} size={440}>
      <form onSubmit={submit} className="account-dialog">
        <FailureNotice error={add.error} />
        <WithHelp setting="passkey-name">
          <TextInput
            label={t('Name')}
            description={t('Helps you recognize the device')}
            size="md"
            maxLength={PASSKEY_NAME_MAX}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            data-autofocus
          />
        </WithHelp>
        <p className="account-dialog-hint">{t('Your browser will ask where to save it.')}</p>
        <div className="dialog-actions">
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            type="submit"
            variant="filled"
            leftSection={<IconFingerprint size={18} stroke={1.5} />}
            loading={add.isPending}
            disabled={name.trim() === ''}
          >
            {t('Add passkey')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

type PasskeysPanelProps = FactorPanelProps & { readonly passkeys: readonly Passkey[] }

export function PasskeysPanel({ passkeys, notice, ...news }: PasskeysPanelProps) {
  const [isAdding, setIsAdding] = useState(false)
  const [leaving, setLeaving] = useState<Passkey | null>(null)
  const remove = useAccountChange({
    run: ({ id }: Passkey) => call(removePasskey, { params: { passkey: id } }),
    touches: [queryKeys.factors, queryKeys.sessions],
    onDone(_, { name }) {
      setLeaving(null)
      notify.success(t('Passkey {name} removed.', { name }))
      news.onChanged()
    },
    onFailure(error) {
      if (!isPasswordTooShort(error)) return false
      setLeaving(null)
      news.onPasswordShort()
      return true
    },
  })

  function finish(codes: readonly string[]) {
    news.onChanged()
    if (codes.length > 0) news.onRecoveryCodes(codes)
  }

  return (
    <Panel
      mark="passkeys"
      title={t('Passkeys')}
      lead={t(
        'Sign in with your fingerprint, face, PIN or a security key. No password to type, and resistant to phishing.',
      )}
    >
      {passkeys.length > 0 && (
        <ItemList label={t('Passkeys')}>
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onRemove={() => setLeaving(passkey)} />
          ))}
        </ItemList>
      )}
      {notice}
      {canUsePasskeys() ? (
        <Button leftSection={<IconPlus size={16} stroke={1.5} />} onClick={() => setIsAdding(true)}>
          {t('Add a passkey')}
        </Button>
      ) : (
        <p>{t('Passkeys require HTTPS. Open this workspace at its https:// address to add one.')}</p>
      )}
      {isAdding && <AddPasskeyDialog onClose={() => setIsAdding(false)} onAdded={finish} />}
      <ConfirmDialog
        isOpen={leaving !== null}
        onClose={() => setLeaving(null)}
        title={t('Remove {name}', { name: leaving?.name ?? '' })}
        actionLabel={t('Remove passkey')}
        isBusy={remove.isPending}
        onConfirm={() => leaving && remove.mutate(leaving)}
      >
        {t(
          'You’ll no longer be able to sign in with this passkey. Your device may still suggest it until you delete it there too.',
        )}
      </ConfirmDialog>
    </Panel>
  )
}

export type Passkey = Factors['passkeys'][number]

type PasskeyRowProps = { readonly passkey: Passkey; readonly onRemove: () => void }

function PasskeyRow({ passkey, onRemove }: PasskeyRowProps) {
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
