import { Badge, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { endSession, endSessions, type SessionBody } from '#api/account.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { Say } from '#web/i18n/say.tsx'
import { plural, t } from '#web/i18n/t.ts'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { IconDeviceDesktop, IconDeviceMobile, IconTerminal2 } from '#web/ui/icons/later.ts'
import { ItemList, ListItem } from '#web/ui/layout/panel.tsx'
import { RelativeTime } from '#web/ui/text/relative-time.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { sessionsQuery, useAccountChange } from './account-queries.ts'

const MOBILE_SYSTEMS = /iPhone|iPad|Android/

function iconOf({ kind, device }: SessionBody) {
  if (kind === 'api') return IconTerminal2
  return MOBILE_SYSTEMS.test(device) ? IconDeviceMobile : IconDeviceDesktop
}

/** The current session is first, then the most recently used ones. */
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

const devices = (count: number) => plural(count, 'one other device', '{n} other devices')

/** Changing credentials doesn't sign out other devices, so the UI offers to sign them out. */
export function SignOutOtherDevices() {
  const { data: sessions } = useQuery(sessionsQuery)
  const [ended, setEnded] = useState(0)
  const count = sessions?.filter(({ isCurrent }) => !isCurrent).length ?? 0
  const end = useAccountChange({
    run: () => call(endSessions, { query: { scope: 'others' } }),
    touches: [queryKeys.sessions],
    onDone: ({ ended: number }) => setEnded(number),
  })

  if (ended > 0) {
    return (
      <Notice
        takesFocus
        title={t('Signed out {devices}.', { devices: devices(ended) })}
        detail={t('You’re now signed in only on this device.')}
      />
    )
  }
  if (count === 0) return null
  return (
    <Notice
      title={t('You’re still signed in on {devices}.', { devices: devices(count) })}
      detail={t('Devices that signed in before this change stay signed in unless you sign them out.')}
      actions={
        <Button size="xs" loading={end.isPending} onClick={() => end.mutate()}>
          {t('Sign out other devices')}
        </Button>
      }
    />
  )
}
