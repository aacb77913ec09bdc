import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { endSessions } from '#api/account.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { plural, t } from '#web/i18n/t.ts'
import { sessionsQuery, useAccountChange } from './account-queries.ts'

const devices = (count: number) => plural(count, 'one other device', '{n} other devices')

/** After a change of credentials, other devices stay signed in unless the user signs them out. */
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
