import { Badge, Button, Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { type ApiTokenBody, revokeToken, changeToken } from '#api/account.ts'
import { call } from '#web/data/api/call.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx'
import { IconKey } from '#web/ui/icons/start.ts'
import { ItemList, ListItem } from '#web/ui/layout/panel.tsx'
import { RelativeTime } from '#web/ui/text/relative-time.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { dateText } from '#web/i18n/locale.ts'
import { Say } from '#web/i18n/say.tsx'
import { t } from '#web/i18n/t.ts'
import { useAccountChange } from '#web/features/account/account-queries.ts'
import { describeScope } from '#web/shared/formatting/permission-labels.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { OptionSet } from '#web/ui/controls/option-set.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { FormActions } from '#web/ui/dialogs/form-actions.tsx'
import { extentOf, scopesOf, type TokenExtent, TokenCollections, TokenPermissions } from './token-dialog.tsx'
import '#web/features/account/account-dialog.css'

export function TokenList({ tokens }: { readonly tokens: readonly ApiTokenBody[] }) {
  const [editing, setEditing] = useState<ApiTokenBody | null>(null)
  const [leaving, setLeaving] = useState<ApiTokenBody | null>(null)
  const { data: collections = [] } = useQuery(collectionsQuery)
  const labels = new Map(collections.map(({ id, label }) => [id, label]))
  const revoke = useAccountChange({
    run: ({ id }: ApiTokenBody) => call(revokeToken, { params: { token: id } }),
    touches: [queryKeys.tokens],
    onDone(_, { name }) {
      setLeaving(null)
      notify.success(t('Token {name} revoked.', { name }))
    },
  })
  return (
    <>
      <ItemList label={t('API tokens')}>
        {tokens.map((token) => (
          <ListItem
            key={token.id}
            icon={IconKey}
            title={token.name}
            mark={isExpired(token) && <Badge color="gray">{t('Expired')}</Badge>}
            detail={
              <>
                <div>{token.scopes.map((scope) => describeScope(scope, labels)).join(' · ')}</div>
                <TokenTimes token={token} />
              </>
            }
            actions={
              <>
                <Button
                  size="xs"
                  aria-label={t('Permissions of {name}', { name: token.name })}
                  onClick={() => setEditing(token)}
                >
                  {t('Permissions')}
                </Button>
                <Button
                  size="xs"
                  aria-label={t('Revoke {name}', { name: token.name })}
                  onClick={() => setLeaving(token)}
                >
                  {t('Revoke')}
                </Button>
              </>
            }
          />
        ))}
      </ItemList>
      {editing && <EditTokenDialog token={editing} labels={labels} onClose={() => setEditing(null)} />}
      <ConfirmDialog
        isOpen={leaving !== null}
        onClose={() => setLeaving(null)}
        title={t('Revoke {name}', { name: leaving?.name ?? '' })}
        actionLabel={t('Revoke token')}
        isBusy={revoke.isPending}
        onConfirm={() => leaving && revoke.mutate(leaving)}
      >
        {t(
          'Programs that use this token lose access immediately. This can’t be undone, but you can create a new token at any time.',
        )}
      </ConfirmDialog>
    </>
  )
}

const isExpired = ({ expiresAt }: ApiTokenBody) => expiresAt !== null && new Date(expiresAt) <= new Date()

function TokenTimes({ token: { createdAt, usedAt, expiresAt } }: { readonly token: ApiTokenBody }) {
  return (
    <div>
      <Say text="Created {when}" values={{ when: <RelativeTime at={createdAt} /> }} />
      {' · '}
      {usedAt === null ? (
        t('never used')
      ) : (
        <Say text="last used {when}" values={{ when: <RelativeTime at={usedAt} /> }} />
      )}
      {expiresAt !== null &&
        ` · ${t('expires {day}', { day: dateText(new Date(expiresAt), { dateStyle: 'medium' }) })}`}
    </div>
  )
}

type EditTokenDialogProps = {
  readonly token: ApiTokenBody
  /** Collection names by ID. */
  readonly labels: ReadonlyMap<string, string>
  readonly onClose: () => void
}

function EditTokenDialog({ token, labels, onClose }: EditTokenDialogProps) {
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
