import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { createToken } from '#api/account.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { call } from '#web/data/api/call.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { queryKeys } from '#web/data/queries/query-keys.ts'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { t } from '#web/i18n/t.ts'
import '../account-dialog.css'
import { expiryOf, scopesOf, START_DRAFT, type TokenDraft } from './token-draft.ts'
import { TokenExpiry, TokenCollections, TokenPermissions } from './token-inputs.tsx'
import './token-dialog.css'

type TokenDialogProps = { readonly onClose: () => void }

/** Makes a token for a program, and shows it, this once. */
export function TokenDialog({ onClose }: TokenDialogProps) {
  const queryClient = useQueryClient()
  const make = useMutation({
    mutationFn: (draft: TokenDraft) => {
      const body = { name: draft.name.trim(), scopes: scopesOf(draft), expiresAt: expiryOf(draft, Date.now()) }
      return call(createToken, { body })
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queryKeys.tokens }),
  })
  const isMade = make.data !== undefined
  return (
    <Dialog
      opened
      onClose={onClose}
      title={isMade ? t('Copy the token now') : t('New API token')}
      size={520}
      closeOnClickOutside={!isMade}
    >
      {make.data ? (
        <CreatedToken token={make.data.token} onClose={onClose} />
      ) : (
        <TokenForm error={make.error} isBusy={make.isPending} onMake={make.mutate} onClose={onClose} />
      )}
    </Dialog>
  )
}

function CreatedToken({ token, onClose }: { readonly token: string; readonly onClose: () => void }) {
  return (
    <div className="account-dialog">
      <p>{t('Copy it now. You won’t see it again. Anyone with this token can act as you.')}</p>
      <code className="token-dialog-token">{token}</code>
      <div className="account-dialog-actions">
        <CopyButton text={token} variant="filled">
          {t('Copy token')}
        </CopyButton>
        <Button onClick={onClose}>{t('Done')}</Button>
      </div>
    </div>
  )
}

type TokenFormProps = {
  readonly error: Error | null
  readonly isBusy: boolean
  readonly onMake: (draft: TokenDraft) => void
  readonly onClose: () => void
}

function TokenForm({ error, isBusy, onMake, onClose }: TokenFormProps) {
  const [draft, setDraft] = useState(START_DRAFT)
  const change = (part: Partial<TokenDraft>) => setDraft((before) => ({ ...before, ...part }))
  const isComplete = draft.name.trim() !== '' && draft.permissions.length > 0

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isComplete && !isBusy) onMake(draft)
  }

  return (
    <form onSubmit={submit} className="account-dialog">
      {error && toCallError(error)?.code !== 'aborted' && <FailureNotice error={error} />}
      <WithHelp setting="token-name">
        <TextInput
          label={t('Name')}
          description={t('Helps you recognize the token later, for example its purpose')}
          maxLength={120}
          value={draft.name}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          data-autofocus
        />
      </WithHelp>
      <TokenPermissions chosen={draft.permissions} onChange={(permissions) => change({ permissions })} />
      <TokenCollections chosen={draft.collections} onChange={(collections) => change({ collections })} />
      <TokenExpiry chosen={draft.days} onChange={(days) => change({ days })} />
      <div className="account-dialog-actions">
        <Button onClick={onClose}>{t('Cancel')}</Button>
        <Button type="submit" variant="filled" disabled={!isComplete} loading={isBusy}>
          {t('Create token')}
        </Button>
      </div>
    </form>
  )
}
