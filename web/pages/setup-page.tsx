import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { sessionConfig } from '#web/client/session-config.ts'
import { SetupForm } from '#web/features/session/setup-form.tsx'
import { setupQuery } from '#web/features/session/setup-query.ts'
import { GuestFrame } from './guest-frame.tsx'

/** Where a new workspace gets its owner. */
export function SetupPage() {
  const { code } = useSearch({ strict: false })
  const { data: setup, isPending } = useQuery(setupQuery)

  if (setup?.needed === false) {
    return (
      <GuestFrame title="Already set up" lead="This workspace has an owner, so the set-up link is of no use any more.">
        <Button component={Link} to={sessionConfig.routes.login} variant="filled" size="md" fullWidth>
          Sign in
        </Button>
      </GuestFrame>
    )
  }
  // A form that goes away under somebody's fingers is worse than a moment of waiting.
  if (isPending) return <GuestFrame title="Set up your workspace" lead="One moment." />
  if (code === undefined || code === '') {
    return (
      <GuestFrame
        title="The link is incomplete"
        lead={
          <>
            Open the whole set-up link that the server printed when it started. It looks like <code>/setup?code=…</code>
          </>
        }
      />
    )
  }
  return (
    <GuestFrame
      title="Set up your workspace"
      lead="You become its owner. Everything stays on this server; nothing is sent anywhere else."
    >
      <SetupForm code={code} />
    </GuestFrame>
  )
}
