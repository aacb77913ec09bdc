import { Checkbox } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { type ApiTokenBody, changeToken } from '#api/account.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { t } from '#web/i18n/t.ts'
import { describeScope } from '#web/shared/formatting/permission-labels.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { OptionSet } from '#web/ui/controls/option-set.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { FormActions } from '#web/ui/dialogs/form-actions.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { useAccountChange } from '#web/features/account/account-queries.ts'
import { extentOf, scopesOf, type TokenExtent, TokenCollections, TokenPermissions } from './token-dialog.tsx'
import '#web/features/account/account-dialog.css'

type EditTokenDialogProps = {
  readonly token: ApiTokenBody
  /** Names of collections by ID. */
  readonly labels: ReadonlyMap<string, string>
  readonly onClose: () => void
}

export function EditTokenDialog({ token, labels, onClose }: EditTokenDialogProps) {
  const [scopes, setScopes] = useState(token.scopes)
  const save = useAccountChange({
    run: () => call(changeToken, { params: { token: token.id }, body: { scopes } }),
    touches: [queryKeys.tokens],
    onDone() {
      onClose()
      notify.success(t('Permissions of {name} saved.', { name: token.name }))
    },
    onFailure: () => true,
  })
  const extent = extentOf(token.scopes)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (scopes.length > 0 && !save.isPending) save.mutate()
  }

  return (
    <Dialog opened onClose={onClose} title={t('Permissions of {name}', { name: token.name })} size={520}>
      <form onSubmit={submit} className="account-dialog">
        <FailureNotice error={save.error} />
        {extent ? (
          <ExtentInputs start={extent} onChange={(changed) => setScopes(scopesOf(changed))} />
        ) : (
          <WithHelp setting="token-may">
            <OptionSet legend={t('Permissions')} isWide>
              {token.scopes.map((scope) => (
                <Checkbox
                  key={scope}
                  label={describeScope(scope, labels)}
                  checked={scopes.includes(scope)}
                  onChange={({ currentTarget: { checked } }) =>
                    setScopes(token.scopes.filter((one) => (one === scope ? checked : scopes.includes(one))))
                  }
                />
              ))}
            </OptionSet>
          </WithHelp>
        )}
        <FormActions label={t('Save')} isReady={scopes.length > 0} isBusy={save.isPending} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

type ExtentInputsProps = { readonly start: TokenExtent; readonly onChange: (extent: TokenExtent) => void }

function ExtentInputs({ start, onChange }: ExtentInputsProps) {
  const [extent, setExtent] = useState(start)
  const change = (part: Partial<TokenExtent>) => {
    const next = { ...extent, ...part }
    setExtent(next)
    onChange(next)
  }
  return (
    <>
      <TokenPermissions chosen={extent.permissions} onChange={(permissions) => change({ permissions })} />
      <TokenCollections chosen={extent.collections} onChange={(collections) => change({ collections })} />
    </>
  )
}
