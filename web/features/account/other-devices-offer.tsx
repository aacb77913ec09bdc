import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { endSessions } from '#api/account.ts'
import { call } from '#web/client/call.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { Notice } from '#web/kit/notice.tsx'
import { sessionsQuery, useAccountChange } from './account-queries.ts'

const devices = (count: number) => (count === 1 ? 'one other device' : `${count} other devices`)

/**
 * After a change to what protects the account: whoever is signed in elsewhere got in before it and stays in, unless they
 * are signed out now.
 */
export function OtherDevicesOffer() {
  const { data: sessions } = useQuery(sessionsQuery)
  const [ended, setEnded] = useState(0)
  const count = sessions?.filter(({ isCurrent }) => !isCurrent).length ?? 0
  const end = useAccountChange({
    run: () => call(endSessions, { query: { scope: 'others' } }),
    touches: [queryKeys.sessions],
    onDone: ({ ended: number }) => setEnded(number),
  })

  if (ended > 0) {
    return <Notice takesFocus title={`Signed out ${devices(ended)}.`} detail="Only this one is signed in now." />
  }
  if (count === 0) return null
  return (
    <Notice
      title={`You are signed in on ${devices(count)}.`}
      detail="Whoever is there came in before this change and stays in, unless you sign them out."
      actions={
        <Button size="xs" loading={end.isPending} onClick={() => end.mutate()}>
          Sign out my other devices
        </Button>
      }
    />
  )
}
