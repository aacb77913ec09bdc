import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { sessionConfig } from '#web/data/session/session-state.ts'
import { loadUnsent, unsentState } from '#web/data/unsent/unsent-state.ts'
import { useLatest } from '#web/ui/browser/use-latest.ts'
import { useStore } from '#web/ui/store.ts'
import { plural, t } from '#web/i18n/t.ts'
import { GuestFrame } from './guest-frame.tsx'

export type ConfirmSignOutProps = { readonly onConfirm: () => void }

/** Skips the confirmation if this user has no unsent records. */
export function ConfirmSignOut({ onConfirm }: ConfirmSignOutProps) {
  const unsent = useStore(unsentState).records.length
  const confirm = useLatest(onConfirm)
  useEffect(() => {
    void loadUnsent()
      .then(({ load }) => load())
      .then(() => unsentState.get().records.length === 0 && confirm.current())
  }, [confirm])
  if (unsent === 0) return null
  return (
    <GuestFrame
      title={t('Sign out?')}
      lead={plural(
        unsent,
        '{n} new record hasn’t been sent to the server yet. Signing out deletes it.',
        '{n} new records haven’t been sent to the server yet. Signing out deletes them.',
      )}
    >
      <Button component={Link} to={sessionConfig.routes.home} variant="filled" size="md" fullWidth>
        {t('Stay signed in')}
      </Button>
      <Button size="md" fullWidth color="danger" onClick={onConfirm}>
        {t('Sign out and delete')}
      </Button>
    </GuestFrame>
  )
}
