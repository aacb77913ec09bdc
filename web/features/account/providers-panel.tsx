import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { startProviderLogin, unlinkProvider } from '#api/providers.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { call } from '#web/data/api/call.ts'
import { FailureNotice, notifyFailure } from '#web/shared/navigation/failure-notice.tsx'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { ItemList, ListItem, Panel } from '#web/ui/layout/panel.tsx'
import { IconLogin2 } from '#web/ui/icons/start.ts'
import { RelativeTime } from '#web/ui/text/relative-time.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { Say } from '#web/i18n/say.tsx'
import { t } from '#web/i18n/t.ts'
import { type FactorPanelProps, providerLinksQuery, useAccountChange } from './account-queries.ts'

/** Whether the error is shown in the panel; other errors are shown as toasts. */
const isOnlySignInMethod = (error: unknown): boolean => toCallError(error)?.code === 'forbidden'

type ProvidersPanelProps = Pick<FactorPanelProps, 'notice' | 'onChanged'>

/** Renders nothing if the workspace has no identity providers. */
export function ProvidersPanel({ notice, onChanged }: ProvidersPanelProps) {
  const { data: providers, error, refetch } = useQuery(providerLinksQuery)
  const link = useMutation({
    mutationFn: (provider: string) =>
      call(startProviderLogin, {
        params: { provider },
        body: { purpose: 'link', returnTo: window.location.pathname },
      }),
    onSuccess: ({ url }) => window.location.assign(url),
    onError: notifyFailure(),
  })
  const unlink = useAccountChange({
    run: (provider: string) => call(unlinkProvider, { params: { provider } }),
    touches: [queryKeys.linkedProviders, queryKeys.sessions],
    onDone() {
      notify.success(t('Account unlinked.'))
      onChanged()
    },
    onFailure: isOnlySignInMethod,
  })
  if (providers?.length === 0 || (!providers && !error)) return null

  return (
    <Panel title={t('Linked accounts')} lead={t('Sign in with accounts from other services.')}>
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {isOnlySignInMethod(unlink.error) && <FailureNotice error={unlink.error} />}
      {notice}
      {providers && (
        <ItemList label={t('Linked accounts')}>
          {providers.map((provider) => (
            <ProviderRow
              key={provider.name}
              provider={provider}
              isBusy={[link, unlink].some(({ isPending, variables }) => isPending && variables === provider.name)}
              onLink={() => link.mutate(provider.name)}
              onUnlink={() => unlink.mutate(provider.name)}
            />
          ))}
        </ItemList>
      )}
    </Panel>
  )
}

type ProviderRowProps = {
  readonly provider: { readonly name: string; readonly label: string; readonly linkedAt: string | null }
  readonly isBusy: boolean
  readonly onLink: () => void
  readonly onUnlink: () => void
}

function ProviderRow({ provider: { label, linkedAt }, isBusy, onLink, onUnlink }: ProviderRowProps) {
  const verb = linkedAt === null ? t('Link') : t('Unlink')
  return (
    <ListItem
      icon={IconLogin2}
      title={label}
      detail={
        linkedAt === null ? (
          t('Not linked')
        ) : (
          <Say text="Linked {relativeTime}" values={{ relativeTime: <RelativeTime at={linkedAt} /> }} />
        )
      }
      actions={
        <Button
          size="xs"
          aria-label={linkedAt === null ? t('Link {label}', { label }) : t('Unlink {label}', { label })}
          loading={isBusy}
          onClick={linkedAt === null ? onLink : onUnlink}
        >
          {verb}
        </Button>
      }
    />
  )
}
