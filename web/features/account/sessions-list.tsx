import { Badge, Button } from '@mantine/core'
import { endSession, type SessionBody } from '#api/account.ts'
import { call } from '#web/client/call.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { IconDeviceDesktop } from '#web/kit/icons/icon-device-desktop.ts'
import { IconDeviceMobile } from '#web/kit/icons/icon-device-mobile.ts'
import { IconTerminal2 } from '#web/kit/icons/icon-terminal-2.ts'
import { Line, LineList } from '#web/kit/line-list.tsx'
import { RelativeTime } from '#web/kit/relative-time.tsx'
import { notify } from '#web/kit/toast/notify.ts'
import { useAccountChange } from './account-queries.ts'

/** The systems that fit into a pocket. */
const POCKET = /iPhone|iPad|Android/

function iconOf({ kind, device }: SessionBody) {
  if (kind === 'api') return IconTerminal2
  return POCKET.test(device) ? IconDeviceMobile : IconDeviceDesktop
}

/** The one at hand first, then those used last. */
const inOrder = (sessions: readonly SessionBody[]) =>
  sessions.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent) || (a.usedAt < b.usedAt ? 1 : -1))

/** Where one is signed in; each can be ended. */
export function SessionsList({ sessions }: { readonly sessions: readonly SessionBody[] }) {
  const end = useAccountChange({
    run: ({ id }: SessionBody) => call(endSession, { params: { session: id } }),
    touches: [queryKeys.sessions],
    onDone: (_, { device }) => notify.success(`${device} is signed out.`),
  })
  return (
    <LineList label="Sessions">
      {inOrder(sessions).map((session) => (
        <Line
          key={session.id}
          icon={iconOf(session)}
          title={session.device}
          mark={session.isCurrent && <Badge color="success">This device</Badge>}
          detail={<SessionDetail session={session} />}
          actions={
            !session.isCurrent && (
              <Button
                size="xs"
                aria-label={`Sign out ${session.device}, ${session.address}`}
                loading={end.isPending && end.variables.id === session.id}
                onClick={() => end.mutate(session)}
              >
                Sign out
              </Button>
            )
          }
        />
      ))}
    </LineList>
  )
}

function SessionDetail({
  session: { kind, address, createdAt, usedAt, isCurrent },
}: {
  readonly session: SessionBody
}) {
  return (
    <>
      {kind === 'api' && 'A program · '}
      {address} · signed in <RelativeTime at={createdAt} />
      {!isCurrent && (
        <>
          {' · '}last used <RelativeTime at={usedAt} />
        </>
      )}
    </>
  )
}
