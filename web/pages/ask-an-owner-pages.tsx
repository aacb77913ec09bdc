import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { GuestFrame } from './guest-frame.tsx'

const backToSignIn = (
  <Button component={Link} to="/login" size="md" fullWidth>
    Back to sign-in
  </Button>
)

const forOwners = (
  <>
    Are you the owner? On the server, run <code>npm run dossier -- owner:create</code> to make an owner account.
  </>
)

/** For those who do not know their password any more. */
export function ForgotPasswordPage() {
  return (
    <GuestFrame
      title="Forgot your password"
      lead="This workspace sends no mail yet, so it cannot send you a link. Ask an owner of the workspace to help you in."
      foot={forOwners}
    >
      {backToSignIn}
    </GuestFrame>
  )
}

/** For those who come with a link to choose a new password. */
export function ResetPasswordPage() {
  return (
    <GuestFrame
      title="This link does not work"
      lead="This workspace has given out no links to choose a new password. Your password is unchanged; ask an owner to help you in."
      foot={forOwners}
    >
      {backToSignIn}
    </GuestFrame>
  )
}

/** For those who come with an invitation. */
export function InvitationPage() {
  return (
    <GuestFrame
      title="This invitation does not work"
      lead="This workspace has given out no invitations. Ask whoever sent it to you to make an account for you."
    >
      {backToSignIn}
    </GuestFrame>
  )
}
