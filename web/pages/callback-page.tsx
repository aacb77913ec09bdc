import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { GuestFrame } from './guest-frame.tsx'

/** Where an identity provider would send people back to. */
export function CallbackPage() {
  return (
    <GuestFrame
      title="No provider is set up"
      lead="This workspace has no sign-in with an identity provider. Sign in with e-mail and password."
    >
      <Button component={Link} to="/login" variant="filled" size="md" fullWidth>
        Go to sign-in
      </Button>
    </GuestFrame>
  )
}
