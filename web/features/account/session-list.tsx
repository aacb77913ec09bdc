import { Badge, Button } from '@mantine/core'
import { endSession, type SessionBody } from '#api/account.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { IconDeviceDesktop, IconDeviceMobile, IconTerminal2 } from '#web/ui/icons/later.ts'
import { ItemList, ListItem } from '#web/ui/layout/panel.tsx'
import { RelativeTime } from '#web/ui/text/relative-time.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { Say } from '#web/i18n/say.tsx'
import { t } from '#web/i18n/t.ts'
import { useAccountChange } from './account-queries.ts'

const MOBILE_SYSTEMS = /iPhone|iPad|Android/

function iconOf({ kind, device }: SessionBody) {
  if (kind === 'api') return IconTerminal2
  return MOBILE_SYSTEMS.test(device) ? IconDeviceMobile : IconDeviceDesktop
}

/** The current session first, then the most recently used. */
const inOrder = (sessions: readonly SessionBody[]) =>
  sessions.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent) || (a.usedAt < b.usedAt ? 1 : -1))

export function SessionList({ sessions }: { readonly sessions: readonly SessionBody[] }) {
  const end = useAccountChange({
    run: ({ id }: SessionBody) => call(endSession, { params: { session: id } }),
    touches: [queryKeys.sessions],
    onDone: (_, { device }) => notify.success(t('{device} signed out.', { device })),
  })
  return (
    <ItemList label={t('Sessions')} mark="sessions">
      {inOrder(sessions).map((session) => (
        <ListItem
          key={session.id}
          icon={iconOf(session)}
          title={session.device}
          mark={session.isCurrent && <Badge color="success">{t('This device')}</Badge>}
          detail={<SessionDetail session={session} />}
          actions={
            !session.isCurrent && (
              <Button
                size="xs"
                aria-label={t('Sign out {device}, {address}', { device: session.device, address: session.address })}
                loading={end.isPending && end.variables.id === session.id}
                onClick={() => end.mutate(session)}
              >
                {t('Sign out')}
              </Button>
            )
          }
        />
      ))}
    </ItemList>
  )
}

function SessionDetail({
  session: { kind, address, createdAt, usedAt, isCurrent },
}: {
  readonly session: SessionBody
}) {
  return (
    <>
      {kind === 'api' && `${t('API client')} · `}
      {address} · <Say text="signed in {when}" values={{ when: <RelativeTime at={createdAt} /> }} />
      {!isCurrent && (
        <>
          {' · '}
          <Say text="last used {when}" values={{ when: <RelativeTime at={usedAt} /> }} />
        </>
      )}
    </>
  )
}
