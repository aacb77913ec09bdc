import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { IconLogin2 } from '@tabler/icons-react'
import { beginProviderLogin, unlinkProvider } from '#api/providers.ts'
import { call } from '#web/client/call.ts'
import { FailureNotice } from '#web/client/failure-notice.tsx'
import { queryKeys } from '#web/client/query-keys.ts'
import { Line, LineList } from '#web/kit/line-list.tsx'
import { Panel } from '#web/kit/panel.tsx'
import { sessionConfig } from '#web/client/session-config.ts'
import { RelativeTime } from '#web/kit/relative-time.tsx'
import { notify } from '#web/kit/toast/notify.tsx'
import type { FactorPanelProps } from './factor-panel-props.ts'
import { providerLinksQuery, tellFailure, useAccountChange } from './account-queries.ts'

type ProvidersPanelProps = Pick<FactorPanelProps, 'notice' | 'onChanged'>

/** The identity providers one can sign in with; not there at all while the workspace knows none. */
export function ProvidersPanel({ notice, onChanged }: ProvidersPanelProps) {
  const { data: providers, error, refetch } = useQuery(providerLinksQuery)
  const link = useMutation({
    mutationFn: (provider: string) =>
      call(beginProviderLogin, {
        params: { provider },
        body: { purpose: 'link', returnTo: window.location.pathname, callback: sessionConfig.routes.callback },
      }),
    onSuccess: ({ url }) => window.location.assign(url),
    onError: tellFailure,
  })
  const unlink = useAccountChange({
    run: (provider: string) => call(unlinkProvider, { params: { provider } }),
    touches: [queryKeys.linkedProviders, queryKeys.sessions],
    onDone() {
      notify.success('The sign-in is taken away from your account.')
      onChanged()
    },
  })
  if (providers?.length === 0 || (!providers && !error)) return null

  return (
    <Panel title="Other sign-ins" lead="Accounts elsewhere that let you in here, if you link them.">
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {notice}
      {providers && (
        <LineList label="Other sign-ins">
          {providers.map(({ name, label, linkedAt }) => (
            <Line
              key={name}
              icon={IconLogin2}
              title={label}
              detail={linkedAt === null ? 'Not linked' : <LinkedSince at={linkedAt} />}
              actions={
                linkedAt === null ? (
                  <Button
                    size="xs"
                    aria-label={`Link ${label}`}
                    loading={link.isPending && link.variables === name}
                    onClick={() => link.mutate(name)}
                  >
                    Link
                  </Button>
                ) : (
                  <Button
                    size="xs"
                    aria-label={`Unlink ${label}`}
                    loading={unlink.isPending && unlink.variables === name}
                    onClick={() => unlink.mutate(name)}
                  >
                    Unlink
                  </Button>
                )
              }
            />
          ))}
        </LineList>
      )}
    </Panel>
  )
}

const LinkedSince = ({ at }: { readonly at: string }) => (
  <>
    Linked <RelativeTime at={at} />
  </>
)
