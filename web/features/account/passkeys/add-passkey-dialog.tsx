import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { addPasskey, PASSKEY_NAME_MAX, passkeyRegistrationOptions } from '#api/second-factors.ts'
import { deviceName } from '#domain/sessions/device-name.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { call } from '#web/data/api/call.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { createPasskey } from '#web/data/authorization/passkeys.ts'
import { queryKeys } from '#web/data/queries/query-keys.ts'
import { IconFingerprint } from '#web/ui/icons/start.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { t } from '#web/i18n/t.ts'
import '../account-dialog.css'

type AddPasskeyDialogProps = {
  readonly onClose: () => void
  /** With recovery codes, where it is the first factor. */
  readonly onAdded: (recoveryCodes: readonly string[]) => void
}

/** Names a new passkey and has the browser make it. */
export function AddPasskeyDialog({ onClose, onAdded }: AddPasskeyDialogProps) {
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
        {add.error && toCallError(add.error)?.code !== 'aborted' && <FailureNotice error={add.error} />}
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
        <div className="account-dialog-actions">
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
